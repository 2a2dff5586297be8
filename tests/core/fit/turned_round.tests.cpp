#include "core/fit/turned_round.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "core/fit/match.h"
#include "core/memory/estimate.h"
#include "tests/core/shipped.h"

using namespace vram;
using namespace vram::testing;

namespace {

const Facts& facts() { return shipped_catalog().facts; }

bool fits_with(Request request, Field field, std::uint64_t value) {
  request.set(field, FieldValue(value));
  if (field == Field::image_height) request.set(Field::image_width, FieldValue(value));
  const auto scenario = resolve(request, facts());
  return scenario && fit_of(*scenario, estimate(*scenario)).verdict <= Verdict::fits;
}

Evaluation assessed(const Request& request) {
  const auto scenario = resolve(request, facts());
  REQUIRE(scenario);
  return assess(request, *scenario);
}

}  // namespace

TEST_CASE("the largest value is what trying every value finds", "[turned_round]") {
  std::mt19937 random(20261130);
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  std::size_t compared = 0, by_memory = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string job =
        pick({"task=inference framework=llama.cpp weights=q4_k_m", "task=inference framework=llama.cpp weights=q8_0",
              "task=inference framework=transformers weights=bf16", "task=serving framework=vllm weights=bf16",
              "task=serving framework=sglang weights=fp8", "task=qlora", "task=lora", "task=full precision=bf16"});
    Request request = request_of(
        job + " model=" +
        pick({"llama-3.1-8b", "qwen2.5-14b", "gemma-2-9b", "llama-3.2-1b", "qwen3-30b-a3b", "mistral-7b-v0.3",
              "gpt-oss-20b"}) +
        " gpu=" + pick({"geforce-rtx-5090", "geforce-rtx-4090", "geforce-rtx-5060-ti-16gb", "h100-80gb-sxm5", "l40s"}) +
        " gpu_count=" + pick({"1", "2"}) + " context=" + pick({"1024", "2048", "4096", "8192"}));
    const auto scenario = resolve(request, facts());
    if (!scenario) continue;
    const Evaluation evaluation = assess(request, *scenario);
    for (const Field field : turnable_fields(evaluation.scenario)) {
      const auto found = largest_value(evaluation, facts(), field);
      REQUIRE(found);
      INFO(json::write(request_to_json(request))
           << " " << row_of(field).name << " " << found->value << " " << found->limit);
      // Brute force: the two neighbours, and values all over the range.
      if (found->value > 0) CHECK(fits_with(request, field, found->value));
      if (std::string_view(found->limit) == "memory") {
        CHECK_FALSE(fits_with(request, field, found->value + 1));
        ++by_memory;
      }
      // Whole layers shared out over several cards fall where they fall: a larger value may lie better than a smaller one.
      if (evaluation.scenario.parallel.split_layers && evaluation.scenario.gpus.size() > 1) continue;
      const auto most = static_cast<std::uint64_t>(row_of(field).maximum);
      const std::uint64_t cap = std::string_view(found->limit) == "trained" ? found->value : most;
      for (std::uint64_t value = 1; value <= cap; value = value * 3 / 2 + 1) {
        CHECK(fits_with(request, field, value) == (value <= found->value));
      }
      ++compared;
    }
  }
  CHECK(compared >= 300);
  CHECK(by_memory >= 150);
}

TEST_CASE("the best storage format is the finest of those that fit", "[turned_round]") {
  const Evaluation evaluation =
      assessed(request_of("model=llama-3.1-8b framework=llama.cpp weights=q4_k_m gpu=geforce-rtx-4060 context=4096"));
  const std::string best = best_weights(evaluation, facts());
  REQUIRE_FALSE(best.empty());
  const std::uint32_t bits = nominal_bits_x100(*parse_weight_format(best));
  for (const NamedFormat& format : named_formats()) {
    Request request = evaluation.request;
    request.set(Field::weights, FieldValue(std::string(format.name)));
    const auto scenario = resolve(request, facts());
    if (!scenario || nominal_bits_x100(format.format) > 1600) continue;
    const bool fits = fit_of(*scenario, estimate(*scenario)).verdict <= Verdict::fits;
    if (fits) CHECK(nominal_bits_x100(format.format) <= bits);
    if (format.name == best) CHECK(fits);
  }
}

TEST_CASE("models that fit are the same piece by piece as at once", "[turned_round]") {
  const Evaluation evaluation =
      assessed(request_of("model=llama-3.1-8b framework=llama.cpp weights=q4_k_m gpu=geforce-rtx-4090 context=8192"));
  const std::size_t all = facts().models.models.size();
  std::vector<ModelFit> whole = models_that_fit(evaluation, facts(), 0, all);
  std::vector<ModelFit> pieces;
  for (std::size_t first = 0; first < all; first += 17) {
    for (ModelFit& fit : models_that_fit(evaluation, facts(), first, 17)) pieces.push_back(std::move(fit));
  }
  REQUIRE(whole.size() == pieces.size());
  REQUIRE(whole.size() > 50);
  keep_largest(whole, 5);
  REQUIRE(whole.size() == 5);
  for (std::size_t i = 1; i < whole.size(); ++i) CHECK(whole[i - 1].model->parameters >= whole[i].model->parameters);
  // Nothing larger fits: asked of every model.
  for (const auto& model : facts().models.models) {
    if (model->kind != ModelKind::language || model->parameters <= whole.front().model->parameters) continue;
    Request request = evaluation.request;
    request.set(Field::model, FieldValue(model->id));
    const auto scenario = resolve(request, facts());
    CHECK_FALSE((scenario && fit_of(*scenario, estimate(*scenario)).verdict <= Verdict::fits));
  }
}

TEST_CASE("the smallest tier and machine are the first that fit", "[turned_round]") {
  const auto evaluation =
      evaluate(request_of("model=llama-3.1-8b framework=llama.cpp weights=q8_0 context=8192"), shipped_catalog());
  REQUIRE(evaluation);
  const TierFit* tier = smallest_tier(*evaluation);
  REQUIRE(tier != nullptr);
  for (const TierFit& other : evaluation->tiers) {
    if (other.tier->usable < tier->tier->usable) CHECK(other.verdict > Verdict::fits);
  }
  const ConfigurationFit* machine = smallest_machine(*evaluation);
  REQUIRE(machine != nullptr);
  CHECK(machine->verdict <= Verdict::fits);
}
