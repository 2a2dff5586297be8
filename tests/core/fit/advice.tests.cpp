#include "core/fit/advice.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/core/shipped.h"

namespace vram {
namespace {

using testing::request_of;
using testing::shipped_catalog;

struct Advised {
  Evaluation evaluation;

  explicit Advised(std::string_view words) {
    auto result = evaluate(request_of(words), shipped_catalog());
    REQUIRE(result);
    evaluation = std::move(*result);
  }
  [[nodiscard]] const Advice* find(std::string_view id) const {
    for (const Advice& advice : evaluation.advice) {
      if (id == advice.id) return &advice;
    }
    return nullptr;
  }
};

std::uint64_t value(const Advice& advice, std::string_view name) {
  for (const RuleCheck::Value& entry : advice.values) {
    if (name == entry.name) return entry.value;
  }
  return ~std::uint64_t{0};
}

TEST_CASE("Advice appears where it applies and nowhere else", "[fit][advice]") {
  struct Row {
    const char* request;
    const char* id;
    bool expected;
  };
  constexpr const char* kOne = "model=llama-3.1-8b gpu=geforce-rtx-5090";
  constexpr const char* kTwo = "model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=2";
  constexpr const char* kPro = "model=llama-3.1-8b gpu=rtx-pro-6000-blackwell-workstation-edition gpu_count=2";
  for (const Row& row : {
           Row{kOne, "memory_does_not_add_up", false},
           Row{kTwo, "memory_does_not_add_up", true},
           Row{kOne, "no_peer_copy", false},
           Row{kTwo, "no_peer_copy", true},
           Row{kPro, "no_peer_copy", false},
           Row{kPro, "peer_copy_unknown", false},
           Row{"model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2", "peer_copy_unknown", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=3", "open_air_cards", true},
           Row{kTwo, "open_air_cards", false},
           Row{kOne, "power_supply", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090-laptop-gpu", "power_supply", false},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "power_supply", false},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "unified_memory", true},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "system_ram", false},
           Row{kOne, "unified_memory", false},
           Row{"model=llama-3.1-8b gpu=rtx-5000-ada", "ecc_takes_memory", true},
           Row{kOne, "ecc_takes_memory", false},
           Row{"model=llama-3.1-8b framework=vllm task=serving", "no_ecc", true},
           Row{kOne, "no_ecc", false},
           Row{"model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080 os=windows", "windows_spill", true},
           Row{"model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080", "windows_spill", false},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 os=windows", "windows_spill", false},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=16", "no_platform", true},
       }) {
    INFO(row.request << ": " << row.id);
    CHECK((Advised(row.request).find(row.id) != nullptr) == row.expected);
  }
}

TEST_CASE("Power advice follows the rules of a whole machine", "[fit][advice]") {
  // One RTX 5090 on AM5: 575 + 230 + 70 + 2 x 4 + 2 x 10 = 903 W; x 1.25 = 1,129 -> 1,150 W; at the wall 982 W.
  const Advised one("model=llama-3.1-8b gpu=geforce-rtx-5090");
  const Advice* const supply = one.find("power_supply");
  REQUIRE(supply != nullptr);
  CHECK(value(*supply, "sustained_w") == 903);
  CHECK(value(*supply, "psu_w") == 1150);
  CHECK(one.find("circuit_120v_20a") == nullptr);
  CHECK(one.find("lanes") == nullptr);

  // Four 600 W cards in tensor parallel want four x16 slots: 64 + 8 lanes, Xeon W-3500; 2,400 + 385 + 100 + 8 x 6 + 20
  // = 2,953 W, 3,210 W at the wall: two circuits of 230 V.
  const Advised four("model=llama-3.1-8b framework=vllm gpu=rtx-pro-6000-blackwell-workstation-edition gpu_count=4");
  const Advice* const lanes = four.find("lanes");
  REQUIRE(lanes != nullptr);
  CHECK(value(*lanes, "lanes_used") == 72);
  CHECK(value(*lanes, "lanes_available") == 112);
  CHECK(value(*lanes, "slots") == 8);
  const Advice* const circuit = four.find("circuit_230v");
  REQUIRE(circuit != nullptr);
  CHECK(circuit->level == Advice::Level::must);
  CHECK(value(*circuit, "wall_w") == 3210);
  CHECK(value(*circuit, "circuits") == 2);
  CHECK(&four.evaluation.advice.front() == circuit);
}

TEST_CASE("System memory is advised at twice the cards' memory or what the job keeps there", "[fit][advice]") {
  const Advised small("model=llama-3.1-8b gpu=geforce-rtx-5080");
  CHECK(value(*small.find("system_ram"), "recommended_gb") == 64);
  const Advised large("model=llama-3.1-8b gpu=rtx-pro-6000-blackwell-workstation-edition");
  CHECK(value(*large.find("system_ram"), "recommended_gb") == 192);
  const Advised offloaded("model=deepseek-v3 framework=llama.cpp cpu_experts=true");
  const Advice* const ram = offloaded.find("system_ram");
  REQUIRE(ram != nullptr);
  CHECK(ram->level == Advice::Level::must);
  CHECK(value(*ram, "recommended_gb") == value(*ram, "needed_gb"));
}

TEST_CASE("A card with two devices is one card for power and lanes", "[fit][advice]") {
  // MI250 is a module: no advice on slots; its two devices still do not add up.
  const Advised pair("model=llama-3.1-8b gpu=instinct-mi250 gpu_count=2");
  CHECK(pair.find("power_supply") == nullptr);
  CHECK(pair.find("memory_does_not_add_up") != nullptr);
}

}  // namespace
}  // namespace vram
