#include "core/fit/suggestions.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/core/shipped.h"

namespace vram {
namespace {

using testing::request_of;
using testing::shipped_catalog;

constexpr std::string_view kJobs[] = {
    "model=llama-3.1-8b",
    "model=llama-3.1-8b gpu=geforce-rtx-5080",
    "model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080 context=65536",
    "model=llama-3.3-70b framework=vllm task=serving users=40 gpu_count=2 gpu=rtx-pro-5000-blackwell-48gb",
    "model=deepseek-v3 framework=llama.cpp gpu=rtx-pro-6000-blackwell-workstation-edition",
    "model=llama-3.1-8b batch=16 context=32768 gpu=geforce-rtx-5090",
};

bool fits(Verdict verdict) { return verdict <= Verdict::fits; }

TEST_CASE("Every suggestion keeps its promise when it is followed", "[fit][suggestions]") {
  for (const std::string_view job : kJobs) {
    const Request request = request_of(job);
    const auto base = evaluate(request, shipped_catalog());
    REQUIRE(base);
    CHECK(base->suggestions.size() <= kMostSuggestions);
    CHECK_FALSE(base->suggestions.empty());
    bool fitting_so_far = true;
    for (const Suggestion& suggestion : base->suggestions) {
      INFO(job << ": " << row_of(suggestion.field).name << '=' << suggestion.value);
      Request changed = request;
      REQUIRE_FALSE(set_from_text(changed, row_of(suggestion.field).name, suggestion.value));
      if (suggestion.also) {
        REQUIRE_FALSE(set_from_text(changed, row_of(suggestion.also->field).name, suggestion.also->value));
      }
      const auto after = evaluate(changed, shipped_catalog());
      REQUIRE(after);
      CHECK(after->verdict == suggestion.verdict);
      CHECK(after->memory.need.expected + suggestion.saves == base->memory.need.expected);
      CHECK((suggestion.saves * 20 >= base->memory.need.expected || suggestion.verdict < base->verdict));
      CHECK(*suggestion.cost != '\0');
      CHECK((fitting_so_far || !fits(suggestion.verdict)));
      fitting_so_far = fits(suggestion.verdict);
      if (fits(base->verdict)) CHECK(suggestion.field != Field::gpu_count);
    }
  }
}

TEST_CASE("Where no single change is enough, pairs are offered", "[fit][suggestions]") {
  const auto base = evaluate(request_of("task=lora model=llama-3.1-8b context=32768 batch=4 gpu=geforce-rtx-4090"),
                             shipped_catalog());
  REQUIRE(base);
  REQUIRE_FALSE(base->suggestions.empty());
  const Suggestion& first = base->suggestions.front();
  REQUIRE(first.also);
  CHECK(fits(first.verdict));
  for (const Suggestion& suggestion : base->suggestions) CHECK((suggestion.also || !fits(suggestion.verdict)));
}

TEST_CASE("A model that is too large for the card is offered layers in system memory", "[fit][suggestions]") {
  const auto base = evaluate(request_of("model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080"), shipped_catalog());
  REQUIRE(base);
  REQUIRE(base->verdict == Verdict::no);
  bool offered = false;
  for (const Suggestion& suggestion : base->suggestions) {
    if (suggestion.field != Field::gpu_layers) continue;
    offered = true;
    CHECK(fits(suggestion.verdict));
    Request one_more = base->request;
    one_more.set(Field::gpu_layers, std::uint64_t{std::stoull(suggestion.value) + 1});
    const auto after = evaluate(one_more, shipped_catalog());
    REQUIRE(after);
    CHECK_FALSE(fits(after->verdict));
  }
  CHECK(offered);
}

}  // namespace
}  // namespace vram
