#include "core/memory/vision/training_items.h"

#include "core/memory/context.h"
#include "core/memory/training/optimizer.h"

namespace vram::vision {
namespace {

constexpr Phases kForward = {Phase::forward, Phase::loss};

OptimizerNeeds optimizer_needs(const TrainingSettings& step, Count trained, Count trained_bytes, bool torch_1) {
  OptimizerRecipe recipe;
  recipe.optimizer = step.optimizer;
  recipe.implementation = step.implementation;
  recipe.state = step.optimizer_state;
  recipe.parameter_bytes = step.master_bytes ? step.master_bytes : trained_bytes;
  recipe.state_bytes = step.optimizer_state == OptimizerState::same ? recipe.parameter_bytes : step.state_bytes;
  recipe.gradient_bytes = trained_bytes;
  recipe.torch_1 = torch_1;
  OptimizerTally tally(recipe);
  // As one matrix of rows of 1,024: what 8-bit and factored states need depends little on how a network is cut.
  tally.add({.rows = max(trained / 1024, 1), .cols = min(trained, 1024)});
  return tally.needs();
}

}  // namespace

void append_item(DeviceLedger& device, const char* id, Group group, Level level, Phases phases, const Band& bytes,
                 const char* formula, const Terms& terms, const char* source) {
  if (bytes.high) device.items.push_back({id, group, level, phases, bytes, formula, terms, source});
}

void append_library_workspaces(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  append_cublas_workspace(scenario, shard, phases, device);
  append_item(device, "temporary.cudnn", Group::temporary, Level::allocated, phases,
              constants.band(Constant::cudnn_workspace), "F-7.10", {}, constants.source(Constant::cudnn_workspace));
}

void append_allocator_items(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Bytes allocated = peak_memory(device).allocated.expected;
  append_item(device, "fragmentation", Group::fragmentation, Level::reserved, phases,
              times(allocated, constants.factor(Constant::fragmentation_training)), "F-14.4",
              {{"allocated", allocated}}, constants.source(Constant::fragmentation_training));
  append_item(device, "cached", Group::cached, Level::reserved, phases,
              times(allocated, constants.factor(Constant::cached_training)), "F-14.4", {{"allocated", allocated}},
              constants.source(Constant::cached_training));
}

void append_training_items(const Scenario& scenario, const Shard& shard, const WalkSettings& settings,
                           const Footprint& footprint, const StepParts& parts, DeviceLedger& device) {
  const TrainingSettings& step = scenario.training;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const auto add = [&device](const char* id, Group group, Phases phases, const Band& bytes, const char* formula,
                             const Terms& terms, const char* source = "") {
    append_item(device, id, group, Level::allocated, phases, bytes, formula, terms, source);
  };
  const bool adapters = settings.frozen;
  const Count trained = adapters ? footprint.adapters : footprint.trained;
  const Count bytes = adapters ? step.adapter_bytes : Count(settings.element);
  const Terms of_trained = {{"parameters", trained}, {"bytes", bytes}};

  add(adapters ? "weights.base" : "weights.trained", Group::weights, kTrainingStep, Band::exact(parts.weights), "F-3.1",
      {{"parameters", footprint.parameters}});
  add("weights.encoders", Group::weights, kTrainingStep, Band::exact(parts.resident), "F-3.1", {});
  if (adapters)
    add("weights.adapters", Group::weights, kTrainingStep, Band::exact(trained * bytes), "F-8.1", of_trained);
  add("weights.average", Group::weights, kTrainingStep, Band::exact(parts.average), "F-3.1", {});
  add("master_weights", Group::master_weights, kTrainingStep, Band::exact(trained * step.master_bytes), "F-6.1",
      {{"parameters", trained}, {"bytes", step.master_bytes}});
  const OptimizerNeeds needs = optimizer_needs(step, trained, bytes, parts.torch_1);
  add("optimizer.states", Group::optimizer, kTrainingStep, Band::exact(needs.states - needs.pageable), "F-6.2",
      {{"parameters", trained}});
  append_item(device, "optimizer.paged_states", Group::cached, Level::device, kTrainingStep,
              Band::exact(needs.pageable), "F-6.2", {{"parameters", trained}});

  const Bytes gradients = trained * bytes;
  add("gradients", Group::gradients, settings.accumulates ? kTrainingStep : Phases(Phase::optimizer_step),
      Band::exact(gradients), "F-6.1", of_trained);
  if (!settings.accumulates) {
    add("gradients", Group::gradients, Phase::backward, Band::exact(footprint.tape.gradients_at_peak), "F-7.10",
        of_trained);
  }
  if (step.sharding == Sharding::ddp) {
    add("communication.buckets", Group::communication, kTrainingStep, Band::exact(gradients), "F-9.1", of_trained);
  }

  const Factor& factor = constants.factor(Constant::activation_training);
  const char* const source = constants.source(Constant::activation_training);
  const TapeResult& tape = footprint.tape;
  add("activations.kept", Group::activations, kForward, times(tape.kept - tape.casts, factor), "F-7.10", parts.images,
      source);
  add("activations.weight_casts", Group::activations, kForward, Band::exact(tape.casts), "F-7.3",
      {{"parameters", footprint.parameters}, {"bytes", 2}});
  add("activations.passing", Group::temporary, kForward, times(tape.forward_peak - tape.kept, factor), "F-7.10",
      parts.images, source);
  add("activations.backward", Group::activations, Phase::backward,
      times(tape.backward_peak - tape.gradients_at_peak, factor), "F-7.10", parts.images, source);
  add("temporary.optimizer_step", Group::temporary, Phase::optimizer_step, Band::exact(needs.step), "F-6.3",
      {{"parameters", trained}});
}

}  // namespace vram::vision
