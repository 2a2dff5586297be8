#include "core/memory/training/training_step.h"

#include "core/memory/context.h"
#include "core/memory/training/activation_plan.h"
#include "core/memory/training/other_phases.h"
#include "core/memory/training/outer_activations.h"
#include "core/memory/training/state_sharding.h"
#include "core/memory/training/trained_parameters.h"
#include "core/memory/weights.h"

namespace vram {
namespace {

constexpr Phases kForwardToLoss = {Phase::forward, Phase::loss};
constexpr Phases kBackward = Phase::backward;
constexpr Phases kStep = Phase::optimizer_step;

/// Routed rows beyond a balanced rank's (F-7.5: 1.0 balanced, 1.2 expected, 2 and more without a capacity limit).
constexpr Factor kImbalance = {0, 0.2, 1.0};

/// The moment of the backward pass that needs most.
enum class BackwardPeak : std::uint8_t { first_layers, last_layers, embedding };

struct BackwardChoice {
  BackwardPeak peak = BackwardPeak::first_layers;
  Bytes gradients;  ///< that exist then
};

/// What every item of a step is made from.
struct Step {
  const Scenario& scenario;
  const Shard& shard;
  const Count parameters;  ///< of the stage on this GPU
  const TrainedParameters& trained;
  const DividedStates& states;
  const ActivationRecipe& recipe;
  const ActivationPlan& plan;
  const LossMemory loss;
  const Factor& derived;     ///< band of what is derived from the modelling code
  const Factor activations;  ///< the same for layers' intermediate results, torch.compile included
  const Factor kept;         ///< the same for what layers keep: compiled code chooses that only where no policy does
  const Phases resident;     ///< of what is there throughout
  BackwardChoice backward;
};

/// The head's part of the root's gradients: all where the embedding is tied to it, else half.
Bytes head_of_root(const Scenario& scenario, const DividedStates& states) {
  return scenario.model->tied ? states.root_gradients : states.root_gradients / 2;
}

/// F-1.2: the two ends of the backward pass suffice, and a tied embedding's gradient. Activations of the head are gone by
/// then, gradients of the last layers are there.
BackwardChoice choose_backward(const Scenario& scenario, const TrainedParameters& trained, const DividedStates& states,
                               const ActivationPlan& plan, double kept, double activations) {
  const Bytes all = states.gradients;
  if (scenario.training.accumulation > Count(1)) return {BackwardPeak::first_layers, all};
  const Bytes casts = plan.casts_outlive_forward ? plan.casts : Bytes();
  const Bytes first = states.head_gradients + head_of_root(scenario, states) + scaled(plan.layers, kept) +
                      scaled(plan.recompute, activations) + casts + plan.embedding + plan.transient;
  const Bytes last_gradients = all - states.late_gradients;
  const Bytes root = states.root_gradients + states.root_reduction;
  const Bytes last = last_gradients + root + plan.stream + scaled(plan.first_layer, activations) + plan.transient;
  const Bytes tied = all + root + trained.tied_transient + plan.stream;
  if (first >= last && first >= tied) return {BackwardPeak::first_layers, states.head_gradients};
  return last >= tied ? BackwardChoice{BackwardPeak::last_layers, last_gradients}
                      : BackwardChoice{BackwardPeak::embedding, all};
}

class Items {
 public:
  Items(DeviceLedger& device) : device_(device) {}
  /// Written in place: an item is some two hundred bytes, and a step has dozens of them.
  void add(const char* id, Group group, Level level, Phases phases, const Band& bytes, const char* formula,
           const Terms& terms = {}, const char* source = "") {
    if (!bytes.high) return;
    Item& item = device_.items.emplace_back();
    item.id = id;
    item.group = group;
    item.level = level;
    item.phases = phases;
    item.bytes = bytes;
    item.formula = formula;
    item.terms = terms;
    item.source = source;
  }
  void banded(const char* id, Group group, Phases phases, Bytes bytes, const Factor& factor, const char* formula,
              const Terms& terms = {}) {
    add(id, group, Level::allocated, phases, times(bytes, factor), formula, terms);
  }
  void allocated(const char* id, Group group, Phases phases, Bytes bytes, const char* formula,
                 const Terms& terms = {}) {
    add(id, group, Level::allocated, phases, Band::exact(bytes), formula, terms);
  }

 private:
  DeviceLedger& device_;
};

void append_weights(const Step& step, const TrainingProfile& profile, Items& items) {
  const DividedStates& states = step.states;
  const bool frozen = step.recipe.adapters.active;
  items.allocated(frozen ? "weights.base" : "weights.trained", Group::weights, step.resident, states.base,
                  frozen ? formula_of(step.scenario.weights.scheme) : "F-6.1",
                  {{"parameters", step.parameters}, {"gpus", states.ranks}});
  items.allocated("weights.upcast", Group::weights, step.resident, states.upcast, "F-8.3");
  items.allocated("weights.adapters", Group::weights, step.resident, states.added, "F-8.1",
                  {{"parameters", step.trained.elements}, {"rank", step.recipe.adapters.rank}, {"gpus", states.ranks}});
  if (profile.caches_rotary) {
    const Count positions = step.scenario.model->context_max, dim = rotary_dim(*step.scenario.model);
    items.allocated("weights.rotary", Group::weights, step.resident, 4 * positions * dim, "F-7.2",
                    {{"positions", positions}, {"head_dim", dim}});
  }
  items.allocated("master_weights", Group::master_weights, step.resident, states.masters, "F-6.1",
                  {{"parameters", step.trained.elements}, {"gpus", states.ranks}});
}

void append_gradients(const Step& step, Items& items) {
  const DividedStates& states = step.states;
  const Terms terms = {{"parameters", step.trained.elements}, {"gpus", states.ranks}};
  if (step.scenario.training.accumulation > Count(1)) {
    items.allocated("gradients", Group::gradients, step.resident, states.gradients, "F-6.1", terms);
  } else {
    items.allocated("gradients", Group::gradients, kBackward | kStep, step.backward.gradients, "F-6.1", terms);
    items.allocated("gradients.rest", Group::gradients, kStep, states.gradients - step.backward.gradients, "F-1.2",
                    terms);
  }
  items.allocated("gradients.fp32_partition", Group::gradients, kStep, states.step_gradients, "F-6.1", terms);
}

void append_optimizer(const Step& step, Items& items) {
  const DividedStates& states = step.states;
  const Terms terms = {{"parameters", step.trained.elements}, {"gpus", states.ranks}};
  items.allocated("optimizer.states", Group::optimizer, step.resident, states.states - states.pageable_states, "F-6.2",
                  terms);
  // Managed memory is outside the allocator, and leaves the GPU when something else needs the room (F-6.2).
  items.add("optimizer.paged_states", Group::cached, Level::device, step.resident,
            {0, states.pageable_states, states.pageable_states}, "F-6.2", terms);
  items.allocated("temporary.optimizer_step", Group::temporary, kStep, states.step, "F-6.3",
                  {{"parameters", step.trained.elements}, {"gpus", states.ranks}});
}

void append_activations(const Step& step, Items& items) {
  const ActivationPlan& plan = step.plan;
  const bool kept_in_backward = step.backward.peak == BackwardPeak::first_layers;
  const Phases kept = kept_in_backward ? kForwardToLoss | kBackward : kForwardToLoss;
  const bool checkpoints = step.scenario.training.checkpointing == Checkpointing::full;
  const Band layers = times(plan.layers, step.kept);
  const Terms terms = {{"layers", step.shard.layers()},
                       {"batch", step.recipe.batch},
                       {"sequence", step.recipe.sequence},
                       {"hidden", step.scenario.model->hidden},
                       {"in_flight", plan.in_flight}};
  if (checkpoints) {
    items.add("activations.checkpoints", Group::activations, Level::allocated, kept, layers, "F-7.8", terms);
  } else {
    items.add("activations.layers", Group::activations, Level::allocated, kept, layers, "F-7.2", terms);
  }
  items.allocated("activations.weight_casts", Group::activations,
                  plan.casts_outlive_forward && kept_in_backward ? kept : kForwardToLoss, plan.casts + plan.head_cast,
                  "F-7.3");
  items.allocated("activations.embedding", Group::activations, kept, plan.embedding, "F-7.2");
  items.banded("activations.head", Group::activations, kForwardToLoss, plan.head + plan.held_hidden, step.derived,
               "F-7.9", {{"tokens", step.recipe.tokens()}, {"hidden", step.scenario.model->hidden}});
  if (step.backward.peak == BackwardPeak::embedding) {
    items.allocated("temporary.tied_gradient", Group::temporary, kBackward, step.trained.tied_transient + plan.stream,
                    "F-1.2", {{"vocab", step.scenario.model->vocab}, {"hidden", step.scenario.model->hidden}});
    return;
  }
  const bool last = step.backward.peak == BackwardPeak::last_layers;
  items.add("activations.recompute", Group::activations, Level::allocated, kBackward,
            times(last ? plan.first_layer : plan.recompute, step.activations), "F-7.8", terms);
  items.banded("temporary.backward", Group::temporary, kBackward, plan.transient + (last ? plan.stream : Bytes()),
               step.derived, "F-7.8", {{"tokens", step.recipe.tokens()}, {"hidden", step.scenario.model->hidden}});
  // The busiest rank's experts get more rows than the average's (F-7.5).
  items.add("activations.imbalance", Group::activations, Level::allocated, last ? Phases(kBackward) : kept,
            times(plan.imbalance, kImbalance), "F-7.5", terms);
  items.banded("communication.retained_inputs", Group::communication, kBackward, plan.retained_inputs, step.derived,
               "F-7.8", terms);
}

void append_loss(const Step& step, Items& items) {
  const ResolvedConstants& constants = constants_of(step.scenario, step.shard);
  items.banded("logits.loss", Group::logits, Phase::loss, step.loss.peak(), constants.factor(Constant::logits_training),
               "F-7.9",
               {{"tokens", step.recipe.tokens()},
                {"vocab", step.recipe.share(step.scenario.model->vocab)},
                {"bytes_per_logit", step.loss.peak() / max(1, step.recipe.tokens() * step.scenario.model->vocab)}});
}

void append_transients(const Step& step, const TrainingProfile& profile, Items& items) {
  const Scenario& scenario = step.scenario;
  // A quantised matrix is expanded to the compute dtype while it is used (T-3.21).
  if (step.recipe.adapters.active && scenario.stored->largest_quantised_matrix) {
    items.allocated("temporary.dequantisation", Group::temporary, {Phase::forward, Phase::backward},
                    step.recipe.compute * step.recipe.share(scenario.stored->largest_quantised_matrix), "F-3.4",
                    {{"matrix", scenario.stored->largest_quantised_matrix}});
  }
  if (profile.main_gradients) {
    items.allocated("temporary.weight_gradient", Group::temporary, kBackward, step.trained.unit_gradient, "F-20.2");
  }
}

void append_sharding(const Step& step, Items& items) {
  const DividedStates& states = step.states;
  const Terms terms = {{"gpus", states.ranks}};
  items.allocated("communication.unsharded", Group::communication,
                  kForwardToLoss | kBackward | other_phases(step.scenario), states.gathered, "F-9.3", terms);
  items.allocated("communication.unsharded_gradients", Group::communication, kBackward, states.gathered_gradients,
                  "F-9.3", terms);
  const bool first = step.backward.peak == BackwardPeak::first_layers;
  items.allocated("communication.root_gradients", Group::communication, kBackward,
                  first ? head_of_root(step.scenario, states) : states.root_gradients + states.root_reduction, "F-9.3",
                  terms);
  items.allocated("communication.buckets", Group::communication, step.resident, states.buckets,
                  is_zero(step.scenario.training.sharding) ? "F-9.2" : "F-9.1", terms);
}

void append_communicators(const Step& step, Items& items) {
  const Parallel& parallel = step.scenario.parallel;
  Count groups;
  for (const Count degree : {parallel.data, parallel.tensor, parallel.pipeline, parallel.context, parallel.expert}) {
    if (degree > Count(1)) groups += 1;
  }
  if (!groups) return;
  const ResolvedConstants& constants = constants_of(step.scenario, step.shard);
  const Band& one = constants.band(Constant::communicator);
  items.add("communication.communicator", Group::communication, Level::device, step.resident,
            {one.low * groups, one.expected * groups, one.high * groups}, "F-11.3", {{"groups", groups}},
            constants.source(Constant::communicator));
}

/// cuBLAS keeps a workspace for the forward pass's thread and one for autograd's (F-14.2, 21.3).
void append_process(const Step& step, DeviceLedger& device, Items& items) {
  append_pytorch_context(step.scenario, step.shard, step.resident, device);
  const ResolvedConstants& constants = constants_of(step.scenario, step.shard);
  const Band& workspace = constants.band(Constant::cublas_workspace);
  items.add("runtime.cublas", Group::runtime, Level::allocated, step.resident,
            {2 * workspace.low, 2 * workspace.expected, 2 * workspace.high}, "F-14.2", {{"handles", 2}},
            constants.source(Constant::cublas_workspace));
}

/// Bytes of a phase in the allocator.
Bytes allocated_in(const DeviceLedger& device, Phase phase) {
  Bytes bytes;
  for (const Item& item : device.items) {
    if (item.level == Level::allocated && item.phases.has(phase)) bytes += item.bytes.expected;
  }
  return bytes;
}

/// What stays cached beside the peak because blocks of one phase do not serve another's requests: the loss's logits, which
/// fit no tensor of a layer or of the step. Gradients of layer inputs that FSDP1 retains are cut out of them.
Bytes cached_blocks(const Step& step, const DeviceLedger& device, Bytes peak) {
  const Bytes retained = step.plan.retained_inputs;
  const Bytes others =
      max(allocated_in(device, Phase::backward) - retained, allocated_in(device, Phase::optimizer_step));
  return max(others + max(step.loss.blocks, retained), peak) - peak;
}

void append_allocator(const Step& step, const TrainingProfile& profile, DeviceLedger& device, Items& items) {
  const ResolvedConstants& constants = constants_of(step.scenario, step.shard);
  const Bytes allocated = peak_memory(device).allocated.expected;
  Bytes resident;
  for (const Item& item : device.items) {
    if (item.level == Level::allocated && item.phases == step.resident) resident += item.bytes.expected;
  }
  items.add("fragmentation", Group::fragmentation, Level::reserved, step.resident,
            times(allocated, constants.factor(Constant::fragmentation_training)), "F-14.4", {{"allocated", allocated}},
            constants.source(Constant::fragmentation_training));
  // Only what comes and goes leaves free blocks.
  Band cached = times(allocated - resident, constants.factor(Constant::cached_training));
  // Gathered parameters come and go in sizes that the next layer's activations do not fit, unless segments grow.
  const bool size_classes = !profile.expandable_segments;
  if (step.states.gathered && size_classes) cached += times(allocated, constants.factor(Constant::cached_sharded));
  // Whatever else is free is cut out of the logits' blocks first.
  const auto take = [&](Bytes low, Bytes expected, Bytes high) {
    cached = {max(cached.low, low), max(cached.expected, expected), max(cached.high, high)};
  };
  if (size_classes) {
    const Bytes blocks = cached_blocks(step, device, allocated);
    take(blocks / 2, blocks, blocks + blocks / 4);
  }
  // Samples of different lengths leave two to three of them (21.3).
  if (!step.scenario.training.packing) take({}, 2 * step.loss.peak(), 3 * step.loss.peak());
  // On a full card the allocator gives cached blocks back before it fails.
  const Bytes usable = step.shard.gpus.empty() ? Bytes() : step.scenario.gpus[step.shard.gpus.front()].usable;
  const Bytes used = peak_memory(device).device.expected;
  if (usable > used) cached.expected = min(cached.expected, usable - used);
  items.add("cached", Group::cached, Level::reserved, step.resident, cached, "F-14.4", {{"allocated", allocated}},
            constants.source(Constant::cached_training));
}

/// What is written to resume: weights, masters and states of one copy of the model; adapters alone beside a frozen base.
void add_host(const Step& step, Ledger& ledger) {
  const TrainedParameters& trained = step.trained;
  const Count gpus = step.shard.gpus.size();
  ledger.host.ram += Band::exact(gpus * (step.states.host + step.plan.host));
  const Count copies = step.scenario.parallel.tensor;
  const Bytes weights =
      step.recipe.adapters.active ? trained.added_weights : step.scenario.training.weight_bytes * trained.elements;
  ledger.host.checkpoint += copies * (weights + trained.masters + trained.states);
}

Factor product(const Factor& a, const Factor& b) { return {a.low * b.low, a.expected * b.expected, a.high * b.high}; }

}  // namespace

void append_training_step(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                          DeviceLedger& device, Ledger& ledger) {
  const StageWeights stage = stage_weights(scenario, shard);
  const TrainedParameters trained = trained_parameters(scenario, shard, profile, stage);
  const ActivationRecipe recipe = activation_recipe(scenario, profile);
  const DividedStates states = divide_states(scenario, profile, stage, trained);
  const ActivationPlan plan = plan_activations(scenario, shard, profile, recipe, stage);
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Factor& derived = constants.factor(Constant::activation_training);
  const Factor activations =
      scenario.training.compile ? product(derived, constants.factor(Constant::compile_activations)) : derived;
  const bool policy = scenario.training.checkpointing == Checkpointing::full ||
                      (scenario.training.checkpointing == Checkpointing::selective && profile.op_checkpointing);
  const Factor kept = policy ? derived : activations;
  const Step step{scenario,
                  shard,
                  stage.all.elements,
                  trained,
                  states,
                  recipe,
                  plan,
                  stage_loss(scenario, shard, profile, recipe),
                  derived,
                  activations,
                  kept,
                  is_training(scenario.task) ? kTrainingStep | other_phases(scenario) : kTrainingStep,
                  choose_backward(scenario, trained, states, plan, kept.expected, activations.expected)};

  Items items(device);
  append_weights(step, profile, items);
  append_gradients(step, items);
  append_optimizer(step, items);
  append_activations(step, items);
  append_loss(step, items);
  append_transients(step, profile, items);
  append_sharding(step, items);
  append_process(step, device, items);
  append_communicators(step, items);
  if (is_training(scenario.task)) append_other_phases(scenario, shard, {profile, recipe, states, stage}, device);
  append_allocator(step, profile, device, items);
  add_host(step, ledger);
}

}  // namespace vram
