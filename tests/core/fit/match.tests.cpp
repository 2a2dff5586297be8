#include "core/fit/match.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/core/machine/fact_files.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using testing::request_of;
using testing::shipped_catalog;

constexpr std::string_view kJobs[] = {
    "model=llama-3.1-8b",
    "model=llama-3.1-8b framework=llama.cpp context=32768",
    "model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080 context=32768 os=windows display=desktop",
    "model=llama-3.3-70b framework=vllm task=serving users=20 gpu_count=4 gpu=rtx-pro-5000-blackwell-48gb",
    "model=deepseek-v3 framework=llama.cpp cpu_experts=true",
};

Evaluation evaluated(const Request& request, const Catalog& catalog = shipped_catalog()) {
  auto evaluation = evaluate(request, catalog);
  REQUIRE(evaluation);
  return std::move(*evaluation);
}

Request on(Request request, const GpuSet& set) {
  request.clear(Field::gpus);
  request.set(Field::gpu, set.devices.front()->id);
  request.set(Field::gpu_count, std::uint64_t{set.devices.size()});
  return request;
}

/// expected need + display + margin of the card with the least to spare.
Bytes asked(const Evaluation& evaluation) {
  Bytes need, shortage, spare = Bytes::max();
  for (const GpuFit& fit : evaluation.gpus) {
    const GpuSlot& slot = evaluation.scenario.gpus[fit.slot];
    const Bytes sum = fit.memory.need.expected + slot.display.expected + slot.margin;
    const Bytes missing = sum - slot.usable, left = slot.usable - sum;
    if (missing > shortage || (missing == shortage && left < spare)) {
      need = sum;
      shortage = missing;
      spare = left;
    }
  }
  return need;
}

TEST_CASE("A tier says what the same request says on the tier's card", "[fit]") {
  for (const std::string_view job : kJobs) {
    const Request request = request_of(job);
    const Evaluation evaluation = evaluated(request);
    REQUIRE(evaluation.tiers.size() == 3);
    for (const TierFit& tier : evaluation.tiers) {
      INFO(job << ", " << tier.tier->id);
      Request same = request;
      same.set(Field::gpu, tier.tier->gpu_id);
      const Evaluation direct = evaluated(same);
      CHECK(tier.verdict == direct.verdict);
      CHECK(tier.need == asked(direct));
    }
  }
}

TEST_CASE("A machine says what the same request says on its cards", "[fit]") {
  for (const std::string_view job : kJobs) {
    const Request request = request_of(job);
    const Evaluation evaluation = evaluated(request);
    REQUIRE(evaluation.configurations.size() == shipped_catalog().machines.configurations.size());
    for (const ConfigurationFit& fit : evaluation.configurations) {
      INFO(job << ", " << fit.configuration->id);
      const GpuSet& set = shipped_catalog().machines.gpu_sets[fit.configuration->gpu_set];
      const auto direct = evaluate(on(request, set), shipped_catalog());
      if (!direct) {
        CHECK(fit.verdict == Verdict::no);
        CHECK(std::string_view(fit.reason) == id_of(direct.error().code));
        continue;
      }
      CHECK(fit.need == asked(*direct));
      CHECK(fit.usable == set.devices.front()->usable);
      const HostNeeds host = host_needs(direct->scenario, direct->ledger);
      const bool host_ok = host.ram <= Bytes(fit.configuration->ram_gb) * kGiB;
      if (direct->verdict == Verdict::no) {
        CHECK(std::string_view(fit.reason) == "memory");
        CHECK(fit.spare == Bytes());
      } else if (!host_ok) {
        CHECK(std::string_view(fit.reason) == "host_ram");
      }
      if (*fit.reason == '\0') {
        CHECK(fit.verdict == direct->verdict);
        CHECK(fit.spare == fit.usable - fit.need);
      } else {
        CHECK(fit.verdict == Verdict::no);
      }
    }
  }
}

TEST_CASE("Machines that fit come first, the smallest first; then the nearest that do not", "[fit]") {
  for (const std::string_view job : kJobs) {
    INFO(job);
    const Evaluation evaluation = evaluated(request_of(job));
    const auto place = [](const ConfigurationFit& fit) { return static_cast<int>(fit.verdict); };
    for (std::size_t i = 1; i < evaluation.configurations.size(); ++i) {
      const ConfigurationFit& before = evaluation.configurations[i - 1];
      const ConfigurationFit& after = evaluation.configurations[i];
      CHECK(place(before) <= place(after));
      if (place(before) != place(after)) continue;
      const auto size = [](const ConfigurationFit& fit) {
        return shipped_catalog().machines.gpu_sets[fit.configuration->gpu_set].usable;
      };
      if (after.verdict != Verdict::no) CHECK(size(before) <= size(after));
      const bool memory = std::string_view(before.reason) == "memory" && std::string_view(after.reason) == "memory";
      if (memory) CHECK(before.need - before.usable <= after.need - after.usable);
    }
  }
}

TEST_CASE("A machine with the wrong number of cards for the asked degrees says so", "[fit]") {
  const Evaluation evaluation =
      evaluated(request_of("model=llama-3.1-8b framework=vllm gpu_count=2 tensor_parallel=2"));
  int refused = 0;
  for (const ConfigurationFit& fit : evaluation.configurations) {
    // What tensor parallelism leaves over serves further copies (data parallelism); a part of a copy serves nobody.
    if (fit.configuration->gpu_count() % 2 == 0) {
      CHECK(std::string_view(fit.reason) != "conflict");
    } else {
      CHECK(std::string_view(fit.reason) == "conflict");
      CHECK(fit.verdict == Verdict::no);
      ++refused;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("Memory of several cards does not add up where each holds the whole model", "[fit]") {
  const Evaluation one = evaluated(request_of("model=llama-3.1-8b framework=vllm gpu=geforce-rtx-5080"));
  const Evaluation two = evaluated(request_of(
      "model=llama-3.1-8b framework=vllm gpu=geforce-rtx-5080 gpu_count=2 data_parallel=2 tensor_parallel=1"));
  CHECK(one.verdict == Verdict::no);
  CHECK(two.verdict == Verdict::no);
  CHECK(two.memory.need.expected >= one.memory.need.expected);
}

Catalog catalog_with(std::string_view name, const std::string& text) {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) {
    files.push_back({file.name, file.name == name ? std::string_view(text) : file.text});
  }
  std::vector<CatalogFault> faults;
  Catalog catalog = read_catalog(files, faults);
  CHECK(faults.empty());
  return catalog;
}

TEST_CASE("A machine that breaks a rule is shown as not fitting, with the rule", "[fit]") {
  const std::string text =
      tests::edited(tests::shipped_text("configurations.json"), "cat-07", "\"watts\": 1200", "\"watts\": 750");
  const Catalog catalog = catalog_with("configurations.json", text);
  const Evaluation evaluation = evaluated(request_of("model=llama-3.1-8b"), catalog);
  for (const ConfigurationFit& fit : evaluation.configurations) {
    if (fit.configuration->id != "cat-07") continue;
    CHECK(fit.verdict == Verdict::no);
    CHECK(std::string_view(fit.reason) == "power");
    CHECK(fit.need <= fit.usable);
    REQUIRE_FALSE(fit.rules.empty());
    CHECK(std::string_view(fit.rules.back().id) == "power");
  }
}

TEST_CASE("Experts in system memory are refused by machines with too little of it", "[fit]") {
  const Evaluation evaluation = evaluated(request_of("model=deepseek-v3 framework=llama.cpp cpu_experts=true"));
  CHECK(evaluation.ledger.host.ram.expected > 300 * kGiB);
  int by_ram = 0;
  for (const ConfigurationFit& fit : evaluation.configurations) {
    if (std::string_view(fit.reason) == "host_ram") ++by_ram;
    if (fit.verdict != Verdict::no)
      CHECK(Bytes(fit.configuration->ram_gb) * kGiB > evaluation.ledger.host.ram.expected);
  }
  CHECK(by_ram > 0);
}

TEST_CASE("Unified memory offers what the operating system leaves", "[fit]") {
  const Evaluation on_linux = evaluated(request_of("model=llama-3.1-8b gpu=ryzen-ai-max-395-128gb"));
  const Evaluation on_windows = evaluated(request_of("model=llama-3.1-8b gpu=ryzen-ai-max-395-128gb os=windows"));
  CHECK(on_linux.scenario.gpus.front().usable == 108 * kGiB);
  CHECK(on_windows.scenario.gpus.front().usable == 96 * kGiB);
}

}  // namespace
}  // namespace vram
