#include "core/memory/training/other_phases.h"

#include <catch2/catch_test_macros.hpp>

#include "core/memory/estimate.h"
#include "core/memory/training/activation_plan.h"
#include "core/memory/training/layer_activations.h"
#include "tests/core/memory/training/training_scenario.h"

namespace vram {
namespace {

using namespace training_test;

Bytes item_of(const Scenario& scenario, std::string_view id) { return sum(estimate(scenario).devices.front(), {id}); }

Bytes in_phase(const Scenario& scenario, Phase phase) {
  return memory_in_phase(estimate(scenario).devices.front(), phase).allocated.expected;
}

}  // namespace

TEST_CASE("DPO doubles the rows and keeps a reference that adapters do without", "[memory][training][preference]") {
  Scenario scenario = job(llama(kLlama31_8b));
  scenario.training.checkpointing = Checkpointing::full;
  const Bytes rows = item_of(scenario, "activations.checkpoints");
  scenario.training.preference = Preference::dpo;
  CHECK(item_of(scenario, "weights.reference") == Bytes(2) * 8030261248);
  CHECK(item_of(scenario, "activations.checkpoints") == 2 * rows);
  scenario.task = Task::lora;
  CHECK(item_of(scenario, "weights.reference") == Bytes());
  scenario.task = Task::full;
  scenario.training.preference = Preference::orpo;
  CHECK(item_of(scenario, "weights.reference") == Bytes());
  CHECK(item_of(scenario, "activations.checkpoints") == 2 * rows);
}

TEST_CASE("PPO keeps reference, reward and a trained value model", "[memory][training][preference]") {
  Scenario scenario = job(llama(kLlama32_1b));
  scenario.training.preference = Preference::ppo;
  const Bytes copy = Bytes(2) * 1235814400;
  CHECK(item_of(scenario, "weights.reference") == copy);
  CHECK(item_of(scenario, "weights.reward") == copy);
  CHECK(item_of(scenario, "weights.value") == copy);
  CHECK(item_of(scenario, "optimizer.value_states") == 2 * copy);
  CHECK(item_of(scenario, "gradients.value") == copy);
}

TEST_CASE("GRPO holds the cache of the answers it generates, and only then", "[memory][training][preference]") {
  Scenario scenario = job(llama(kLlama31_8b));
  scenario.training.sequence = 1024;
  scenario.training.preference = Preference::grpo;
  const DeviceLedger device = estimate(scenario).devices.front();
  // T-4.01: 131,072 bytes a token; 8 answers of 1,024 tokens (F-10.1).
  CHECK(sum(device, {"kv_cache.k", "kv_cache.v"}) == Bytes(8) * 1024 * 131072);
  CHECK(phases_of(device).has(Phase::decode));
  for (const Item& item : device.items) {
    if (std::string_view(item.id) == "kv_cache.k") CHECK(item.phases == Phases(Phase::decode));
    if (std::string_view(item.id) == "weights.trained") CHECK(item.phases.has(Phase::decode));
  }
  scenario.training.batch = 4;
  scenario.training.accumulation = 8;
  CHECK(item_of(scenario, "kv_cache.k") == Bytes(32) * 1024 * 65536);
}

TEST_CASE("An evaluation step builds logits and keeps no activations", "[memory][training]") {
  Scenario scenario = job(llama(kLlama31_8b));
  CHECK_FALSE(phases_of(estimate(scenario).devices.front()).has(Phase::validate));
  scenario.training.evaluation_batch = 8;
  // 10 bytes a logit while the fp32 log-softmax is computed, and its labels (F-7.9).
  const Count tokens = 8 * 512;
  CHECK(item_of(scenario, "evaluation.logits") == tokens * 128256 * 10 + 8 * tokens + 4);
  // Two hidden vectors and three of the feed-forward width (F-5.1).
  CHECK(item_of(scenario, "evaluation.activations") == 2 * tokens * (2 * 4096 + 3 * 14336));
  CHECK(in_phase(scenario, Phase::validate) > in_phase(scenario, Phase::forward));
}

TEST_CASE("Checkpoints every n layers keep fewer inputs and recompute more layers", "[memory][training]") {
  Scenario scenario = job(llama(kLlama2_7b));
  scenario.training.checkpointing = Checkpointing::full;
  const Bytes inputs = item_of(scenario, "activations.checkpoints");
  const Bytes layer = layer_activations(*scenario.model, 0, activation_recipe(scenario, {})).activations;
  scenario.training.checkpoint_every = 4;
  CHECK(item_of(scenario, "activations.checkpoints") == inputs / 4);
  // Selective: every fourth of 32 layers is checkpointed, 24 keep everything.
  scenario.training.checkpointing = Checkpointing::selective;
  CHECK(item_of(scenario, "activations.layers") == inputs / 4 + 24 * layer);
}

TEST_CASE("Interleaved pipelines hold more chunks", "[memory][training][pipeline]") {
  Scenario scenario = job(llama(kLlama2_7b), "bf16", 4);
  scenario.parallel.data = 1;
  scenario.parallel.pipeline = 4;
  scenario.training.accumulation = 16;
  Shard first;
  CHECK(chunks_in_flight(scenario, first) == Count(4));
  scenario.parallel.interleave = 2;
  CHECK(chunks_in_flight(scenario, first) == Count(11));  // T-9.07: 1.375 times a stage's activations
  Shard last;
  last.stage = 3;
  CHECK(chunks_in_flight(scenario, last) == Count(5));
  scenario.training.accumulation = 1;
  CHECK(chunks_in_flight(scenario, first) == Count(2));
}

}  // namespace vram
