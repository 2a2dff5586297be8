#include "core/memory/training/other_phases.h"

#include "core/memory/cache_items.h"
#include "core/memory/inference_activations.h"
#include "core/memory/training/activation_plan.h"
#include "core/memory/training/trained_parameters.h"

namespace vram {
namespace {

bool generates(const Scenario& scenario) {
  const Preference preference = scenario.training.preference;
  return preference == Preference::grpo || preference == Preference::ppo;
}

void append(DeviceLedger& device, const char* id, Group group, Phases phases, Bytes bytes, const char* formula,
            const Terms& terms) {
  if (!bytes) return;
  device.items.push_back({id, group, Level::allocated, phases, Band::exact(bytes), formula, terms, ""});
}

void append_evaluation(const Scenario& scenario, const Shard& shard, const TrainedStage& trained,
                       DeviceLedger& device) {
  ActivationRecipe recipe = trained.recipe;
  recipe.batch = scenario.training.evaluation_batch;
  const Terms terms = {{"batch", recipe.batch}, {"sequence", recipe.sequence}, {"vocab", scenario.model->vocab}};
  const Count width = live_elements(*scenario.model, range_of(shard), recipe.tensor, ExpertDispatch::loop);
  append(device, "evaluation.activations", Group::activations, Phase::validate,
         recipe.compute * recipe.tokens() * width, "F-5.1", terms);
  append(device, "evaluation.logits", Group::logits, Phase::validate,
         stage_loss(scenario, shard, trained.profile, recipe).forward, "F-7.9", terms);
}

/// Every prompt of an optimizer step gets its answers at once (TRL): at least one group of them.
void append_rollout(const Scenario& scenario, const Shard& shard, const TrainedStage& trained, DeviceLedger& device) {
  const TrainingSettings& training = scenario.training;
  CacheLayout layout;
  layout.tensor = scenario.parallel.tensor;
  layout.expand_latent = true;
  layout.k = layout.v = {1, trained.recipe.compute, 0};
  CacheSpans spans;
  spans.tokens = training.sequence;
  spans.sequences = training.batch * training.accumulation;
  if (training.preference == Preference::grpo) spans.sequences = max(spans.sequences, training.generations);
  const Model& model = *scenario.model;
  const CacheSize size = kv_cache(model, range_of(shard), layout, spans, encoder_tokens(model, spans.tokens));
  append_cache(model, range_of(shard), size, spans, Phase::decode, "F-10.1", device);
}

/// Models beside the trained one, each a copy of its size; adapters switch themselves off to be their own reference.
void append_companions(const Scenario& scenario, const TrainedStage& trained, DeviceLedger& device) {
  const TrainingSettings& training = scenario.training;
  const Phases resident = kTrainingStep | other_phases(scenario);
  const bool adapters = has_frozen_base(scenario.task);
  const bool divided = training.sharding == Sharding::fsdp || training.sharding == Sharding::zero3;
  const auto share = [&](Bytes bytes) { return divided ? ceil_div(bytes, trained.states.ranks) : bytes; };
  const Bytes copy = share(adapters ? trained.stage.all.bytes : training.compute_bytes * trained.stage.all.elements);
  const Terms terms = {{"parameters", trained.stage.all.elements}, {"gpus", trained.states.ranks}};
  const bool compares = training.preference == Preference::dpo || training.preference == Preference::ppo;
  if (compares && !adapters) append(device, "weights.reference", Group::weights, resident, copy, "F-10.2", terms);
  if (training.preference != Preference::ppo) return;
  append(device, "weights.reward", Group::weights, resident, copy, "F-10.2", terms);
  if (adapters) return;  // the value head reads the same base
  const DividedStates& states = trained.states;
  append(device, "weights.value", Group::weights, resident, states.base + states.masters, "F-10.2", terms);
  append(device, "optimizer.value_states", Group::optimizer, resident, states.states, "F-10.2", terms);
  append(device, "gradients.value", Group::gradients, {Phase::backward, Phase::optimizer_step}, states.gradients,
         "F-10.2", terms);
}

}  // namespace

Phases other_phases(const Scenario& scenario) {
  Phases phases;
  if (scenario.training.evaluation_batch) phases = phases | Phase::validate;
  if (generates(scenario)) phases = phases | Phase::decode;
  return phases;
}

void append_other_phases(const Scenario& scenario, const Shard& shard, const TrainedStage& trained,
                         DeviceLedger& device) {
  if (scenario.training.evaluation_batch) append_evaluation(scenario, shard, trained, device);
  if (generates(scenario)) append_rollout(scenario, shard, trained, device);
  append_companions(scenario, trained, device);
}

}  // namespace vram
