#include "core/memory/shard.h"

#include <catch2/catch_test_macros.hpp>

#include "core/memory/estimate.h"
#include "core/memory/placement.h"

#include "core/scenario/resolve.h"
#include "tests/core/memory/training/training_scenario.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace training_test;

/// A model on cards with so many GiB each, layer by layer.
Scenario split(Count layers, std::initializer_list<std::uint32_t> gib, RuntimeId rules) {
  Scenario scenario = job(llama({512, layers, 8, 8, 64, 2048, 16}));
  scenario.task = Task::inference;
  scenario.rules = rules;
  scenario.parallel = {};
  scenario.parallel.split_layers = true;
  scenario.inference.gpu_layers = layers;
  const GpuSlot slot = scenario.gpus.front();
  scenario.gpus.clear();
  for (const std::uint32_t size : gib) {
    scenario.gpus.push_back(slot);
    scenario.gpus.back().usable = size * kGiB;
  }
  return scenario;
}

std::vector<std::uint32_t> layers_of(const std::vector<Shard>& parts) {
  std::vector<std::uint32_t> layers;
  for (const Shard& part : parts) layers.push_back(part.layers());
  return layers;
}

using Layers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("Pipeline stages are of equal length, and the first ones take what is left", "[memory][shard]") {  // F-9.9
  Scenario scenario = job(llama(kLlama31_8b), "bf16", 6);
  scenario.parallel.data = 2;
  scenario.parallel.pipeline = 3;
  const std::vector<Shard> parts = shards(scenario);
  CHECK(layers_of(parts) == Layers{11, 11, 10});
  CHECK(parts[1].gpus == Layers{2, 3});
  CHECK(parts[1].first_layer == 11);
  CHECK(parts[0].embedding);
  CHECK_FALSE(parts[0].output);
  CHECK(parts[2].output);
  CHECK_FALSE(parts[2].embedding);
}

TEST_CASE("llama.cpp counts layers, other engines weigh them", "[memory][shard]") {  // F-5.6
  // 2.7 of six slots (five layers and the output) begin on the first card.
  CHECK(layers_of(shards(split(5, {45, 55}, RuntimeId::llama_cpp))) == Layers{3, 2});
  // The third layer begins below 45 % of the bytes, but most of it lies above.
  CHECK(layers_of(shards(split(5, {45, 55}, RuntimeId::transformers))) == Layers{2, 3});
}

TEST_CASE("Layers go to cards in proportion to their memory, in order", "[memory][shard]") {
  const std::vector<Shard> parts = shards(split(31, {24, 48, 24}, RuntimeId::llama_cpp));
  CHECK(layers_of(parts) == Layers{8, 16, 7});  // 32 slots; the last one is the output
  CHECK(parts[1].first_layer == 8);
  CHECK(parts[2].layer_end == 31);
  CHECK(parts[0].embedding);
  CHECK_FALSE(parts[1].output);
  CHECK(parts[2].output);
}

TEST_CASE("Layers outside gpu_layers are the first ones and belong to no card", "[memory][shard]") {
  Scenario scenario = split(32, {24, 24}, RuntimeId::llama_cpp);
  scenario.inference.gpu_layers = 10;
  scenario.inference.output_on_gpu = false;
  const std::vector<Shard> parts = shards(scenario);
  CHECK(layers_of(parts) == Layers{5, 5});
  CHECK(parts[0].first_layer == 22);
  CHECK_FALSE(parts[1].output);
}

TEST_CASE("Layers go where they are told to, the output behind the last", "[memory][shard]") {
  Scenario scenario = split(5, {24, 24, 24}, RuntimeId::llama_cpp);
  scenario.parallel.layer_counts = {3, 2, 0};
  std::vector<Shard> parts = shards(scenario);
  CHECK(layers_of(parts) == Layers{3, 2, 0});
  CHECK(parts[1].first_layer == 3);
  CHECK(parts[1].output);
  CHECK_FALSE(parts[2].output);
  scenario.parallel.layer_counts = {0, 1, 4};
  parts = shards(scenario);
  CHECK(layers_of(parts) == Layers{0, 1, 4});
  CHECK(parts[2].layer_end == 5);
  CHECK(parts[2].output);
}

TEST_CASE("What the screen takes of a card is not the layers'", "[memory][shard]") {
  Scenario scenario = split(31, {24, 24}, RuntimeId::llama_cpp);
  CHECK(layers_of(shards(scenario)) == Layers{16, 15});
  scenario.gpus[0].display.expected = 8 * kGiB;  // 16 and 24 of 40 GiB: 12.8 of 32 slots
  CHECK(layers_of(shards(scenario)) == Layers{13, 18});
}

TEST_CASE("A balanced split follows the room that each card has", "[memory][placement]") {
  const auto resolved = resolve(
      testing::request_of("model=llama-3.1-8b framework=llama.cpp weights=q4_k_m gpu=geforce-rtx-3090 gpu_count=2"),
      testing::shipped_catalog().facts);
  REQUIRE(resolved);
  Scenario scenario = *resolved;
  const Ledger ledger = estimate(scenario);
  const Bytes first = peak_memory(ledger.devices[0]).need.expected,
              second = peak_memory(ledger.devices[1]).need.expected;
  REQUIRE(min(first, second) > kGiB);
  CHECK(largest_shortage(scenario, ledger, 0) == Bytes(0));
  CHECK(largest_shortage(scenario, ledger, 24 * kGiB) == max(first, second) + scenario.gpus[0].display.expected);
  CHECK(moves_layers_itself(scenario));

  const std::vector<std::uint32_t> even = balanced_layers(scenario, ledger);
  REQUIRE(even.size() == 2);
  CHECK(even[0] + even[1] == 32);
  CHECK(even[0] > even[1]);  // the second card holds the output as well
  // With 18 GiB less on the second card, more than the layers weigh, all go to the first.
  scenario.gpus[1].usable = 6 * kGiB;
  CHECK(balanced_layers(scenario, ledger) == Layers{32, 0});
  CHECK(holds_together(scenario, ledger));
  scenario.gpus[0].usable = scenario.gpus[1].usable = kGiB;
  CHECK_FALSE(holds_together(scenario, ledger));
  scenario.rules = RuntimeId::transformers;
  CHECK_FALSE(moves_layers_itself(scenario));
}

}  // namespace vram
