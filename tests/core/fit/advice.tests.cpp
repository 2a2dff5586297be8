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

std::string_view english() {
  for (const embedded::File& file : embedded::text_files()) {
    if (file.name == "en") return file.text;
  }
  return {};
}

/// Jobs that call for every kind of advice between them.
constexpr const char* kSpoken[] = {
    "model=llama-3.1-8b gpu=geforce-rtx-5090 os=windows",
    "model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=3 display=cad",
    "model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=16 display=render",
    "model=llama-3.1-8b framework=vllm gpu=l4 gpu_count=4 display=desktop data_parallel=2",
    "model=llama-3.1-8b framework=vllm gpus=geforce-rtx-3090,geforce-rtx-3090 display=desktop",
    "model=llama-3.1-8b framework=vllm gpu=rtx-pro-6000-blackwell-workstation-edition gpu_count=4 mains=120v_20a",
    "model=llama-3.1-8b framework=vllm gpu=rtx-pro-6000-blackwell-max-q-workstation-edition gpu_count=4",
    "model=llama-3.1-8b framework=vllm gpus=geforce-rtx-5090,geforce-rtx-5080",
    ("model=llama-3.3-nemotron-super-49b framework=llama.cpp framework_version=b5894 weights=q4_k_m "
     "gpu=geforce-rtx-3090 gpu_count=2 context=16384"),
    "model=llama-3.3-nemotron-super-49b framework=llama.cpp weights=q4_k_m gpu=geforce-rtx-3090 gpu_count=2",
    "model=qwen3-32b framework=llama.cpp gpu=geforce-rtx-5080 os=windows",
    "model=llama-3.1-8b gpu=rtx-5000-ada",
    "model=llama-3.1-8b gpu=geforce-rtx-3060-12gb weights=int8",
    "model=llama-3.1-8b gpu=apple-m4-max",
    "model=llama-3.1-8b gpu=gb10-dgx-spark",
    "model=llama-3.1-8b gpu=ryzen-ai-max-395-128gb",
    "model=deepseek-v3 framework=llama.cpp cpu_experts=true gpu_count=2",
    "task=full model=llama-3.1-8b gpu=l40s gpu_count=4 sharding=fsdp offload=all dataset_gb=10",
    "task=full model=llama-3.2-1b gpu=l40s gpu_count=2 dataset_gb=5000",
    "task=full model=llama-3.1-405b gpu=h200-nvl-141gb gpu_count=8 sharding=fsdp offload=all",
    "model=llama-3.2-1b framework=vllm task=serving gpu=l40s growth_percent=50",
    "model=llama-3.2-1b framework=vllm task=serving gpu=l40s context=131072 users=1",
    "model=llama-3.1-8b weights=q4_k_m framework=llama.cpp gpu=geforce-rtx-5080 context=65536",
};

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
           Row{kPro, "peer_copy_works", true},
           Row{"model=llama-3.1-8b framework=vllm gpu=geforce-rtx-3090 gpu_count=2", "nvlink", true},
           Row{kTwo, "layers_split", true},
           Row{kOne, "layers_split", false},
           Row{"model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2", "tensor_split", true},
           Row{"model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2 data_parallel=2", "whole_copies", true},
           Row{"task=lora model=llama-3.2-1b gpu=l40s gpu_count=2", "gradients_cross", true},
           Row{"task=full model=llama-3.1-8b gpu=l40s gpu_count=4 sharding=fsdp", "sharded_training", true},
           Row{"model=llama-3.1-8b framework=vllm gpus=geforce-rtx-5090,geforce-rtx-5080", "smallest_card_rules", true},
           Row{"model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2", "smallest_card_rules", false},
           Row{"model=llama-3.1-8b gpu=l40s", "passive_cards", true},
           Row{kOne, "passive_cards", false},
           Row{kTwo, "spacing", true},
           Row{kOne, "spacing", false},
           Row{kOne, "plug_16pin", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-3060-12gb", "plugs", true},
           Row{"model=llama-3.1-8b gpu=rtx-pro-2000-blackwell", "plugs", false},
           Row{kPro, "frugal_variant", true},
           Row{kOne, "frugal_variant", false},
           Row{kOne, "circuit_fits", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=2 mains=120v_15a", "several_circuits", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 os=windows", "windows_reserve", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090", "windows_reserve", false},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 display=cad", "screen_cad", true},
           Row{kOne, "screen_cad", false},
           Row{"model=llama-3.2-1b gpu=l4 display=desktop", "screen_elsewhere", true},
           Row{"model=llama-3.1-8b gpu=gb10-dgx-spark", "unified_nvidia", true},
           Row{"model=llama-3.1-8b gpu=ryzen-ai-max-395-128gb", "unified_amd", true},
           Row{"task=full model=llama-3.2-1b gpu=l40s offload=optimizer", "pinned_memory", true},
           Row{"task=full model=llama-3.2-1b gpu=l40s", "pinned_memory", false},
           Row{"task=full model=llama-3.2-1b gpu=l40s dataset_gb=20", "dataset_cached", true},
           Row{"task=full model=llama-3.2-1b gpu=l40s dataset_gb=2000", "dataset_not_cached", true},
           Row{"task=full model=llama-3.2-1b gpu=l40s", "checkpoints", true},
           Row{kOne, "checkpoints", false},
           Row{"task=full model=llama-3.2-1b gpu=l40s", "second_volume", true},
           Row{"model=llama-3.2-1b framework=vllm task=serving gpu=l40s growth_percent=50", "users_growth", true},
           Row{"model=llama-3.2-1b framework=vllm task=serving gpu=l40s", "users_room", true},
           Row{"model=llama-3.2-1b gpu=l40s", "next_model", true},
           Row{"model=llama-3.2-1b gpu=l40s", "spare", true},
           Row{"model=llama-3.1-70b gpu=l40s", "spare", false},
           Row{kPro, "peer_copy_unknown", false},
           Row{"model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2", "peer_copy_unknown", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=3", "open_air_cards", true},
           Row{kTwo, "open_air_cards", false},
           Row{kOne, "power_supply", true},
           Row{"model=llama-3.1-8b gpu=geforce-rtx-5090-laptop-gpu", "power_supply", false},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "power_supply", false},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "unified_apple", true},
           Row{"model=llama-3.1-8b gpu=apple-m4-max", "system_ram", false},
           Row{kOne, "unified_nvidia", false},
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

TEST_CASE("A sentence of advice finds every number that it names", "[fit][advice]") {
  const auto parsed = json::parse(english());
  const Result<Texts> texts = Texts::read("en", *parsed);
  REQUIRE(texts);
  for (const char* words : kSpoken) {
    const Advised job(words);
    for (const Advice& advice : job.evaluation.advice) {
      std::string sentence((*texts)("advice." + std::string(advice.id)));
      for (const RuleCheck::Value& value : advice.values) sentence = fill_pattern(sentence, {{value.name, "1"}});
      INFO(words << ": " << sentence);
      CHECK(sentence.find('{') == std::string::npos);
      CHECK(texts->has("advice." + std::string(advice.id)));
      CHECK(texts->has("topic." + std::string(name_in(kTopicNames, advice.topic))));
      CHECK(*advice.source != '\0');
    }
  }
}

TEST_CASE("Power advice follows the rules of a whole machine", "[fit][advice]") {
  // One RTX 5090 on AM5: 575 + 230 + 70 + 2 x 4 + 2 x 10 = 903 W; x 1.25 = 1,129 -> 1,150 W; at the wall 982 W.
  const Advised one("model=llama-3.1-8b gpu=geforce-rtx-5090");
  const Advice* const supply = one.find("power_supply");
  REQUIRE(supply != nullptr);
  CHECK(value(*supply, "sustained_w") == 903);
  CHECK(value(*supply, "psu_w") == 1150);
  CHECK(value(*supply, "comfortable_w") == 1300);  // 1.4 x 903 = 1,264.2
  CHECK(value(*one.find("peaks"), "peak_w") == 903 + 2 * 575);
  CHECK(one.find("needs_200v") == nullptr);
  const Advice* const desktop = one.find("platform_desktop");
  REQUIRE(desktop != nullptr);
  CHECK(value(*desktop, "lanes_used") == 24);
  CHECK(value(*desktop, "cores") == 16);

  // Four 600 W cards in tensor parallel want four x16 slots: 64 + 8 lanes, Xeon W-3500; 2,400 + 385 + 100 + 8 x 6 + 20
  // = 2,953 W, 3,210 W at the wall: two circuits of 230 V.
  const Advised four("model=llama-3.1-8b framework=vllm gpu=rtx-pro-6000-blackwell-workstation-edition gpu_count=4");
  const Advice* const lanes = four.find("platform_workstation");
  REQUIRE(lanes != nullptr);
  CHECK(value(*lanes, "lanes_used") == 72);
  CHECK(value(*lanes, "lanes_available") == 112);
  CHECK(value(*lanes, "drives") == 10);
  const Advice* const smaller = four.find("smaller_places");  // W-2500: three at x16
  REQUIRE(smaller != nullptr);
  CHECK(value(*smaller, "lanes_available") == 64);
  CHECK(value(*four.find("spacing"), "slots") == 8);
  CHECK(value(*four.find("spacing"), "slots_with_gaps") == 11);
  CHECK(value(*four.find("several_supplies"), "supplies") == 2);  // 3,700 W
  const Advice* const circuit = four.find("several_circuits");
  REQUIRE(circuit != nullptr);
  CHECK(circuit->level == Advice::Level::must);
  CHECK(value(*circuit, "wall_w") == 3210);
  CHECK(value(*circuit, "circuits") == 2);
  REQUIRE(four.find("needs_200v") != nullptr);
  CHECK(four.evaluation.advice.front().level == Advice::Level::must);
  // 300 W each: 1,200 + 385 + 100 + 48 + 20 = 1,753 W, 1,905 W at the wall, one circuit.
  const Advice* const frugal = four.find("frugal_variant");
  REQUIRE(frugal != nullptr);
  CHECK(value(*frugal, "watts") == 300);
  CHECK(value(*frugal, "wall_w") == 1905);
  CHECK(value(*frugal, "circuits") == 1);
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
  CHECK(value(*ram, "needed_gb") > 300);
  CHECK(value(*ram, "recommended_gb") == 384);
}

TEST_CASE("A card with two devices is one card for power and lanes", "[fit][advice]") {
  // MI250 is a module: no advice on slots; its two devices still do not add up.
  const Advised pair("model=llama-3.1-8b gpu=instinct-mi250 gpu_count=2");
  CHECK(pair.find("power_supply") == nullptr);
  CHECK(pair.find("memory_does_not_add_up") != nullptr);
}

}  // namespace
}  // namespace vram
