#include "core/memory/training/trained_parameters.h"

#include "core/memory/training/adapters.h"
#include "core/memory/training/optimizer.h"

namespace vram {
namespace {

/// Elements of a layer's gradients that exist only after the rest of the layer was walked back: all but the last matrix,
/// routed experts taken as one.
Count early_elements(const Model& model, std::size_t kind) {
  Count all, last, experts;
  for (const Tensor& tensor : model.kind_tensors[kind]) {
    all += tensor.elements();
    if (tensor.matrices > Count(1)) experts += tensor.elements();
    if (tensor.role == TensorRole::mlp_down || tensor.role == TensorRole::shared_down) last = tensor.elements();
  }
  return all - last - experts;
}

Count embedding_elements(const Model& model) {
  return model.vocab * (model.embedding_dim ? model.embedding_dim : model.hidden);
}

OptimizerRecipe optimizer_recipe(const TrainingSettings& training, const TrainedSizes& sizes,
                                 const TrainingProfile& profile) {
  OptimizerRecipe recipe;
  recipe.optimizer = training.optimizer;
  recipe.implementation = training.implementation;
  recipe.state = training.optimizer_state;
  recipe.parameter_bytes = sizes.master ? sizes.master : sizes.weight;
  recipe.state_bytes = sizes.state;
  recipe.gradient_bytes = sizes.gradient;
  recipe.torch_1 = profile.torch_1;
  return recipe;
}

bool is_held(const Shard& shard, TensorRole role) {
  if (role == TensorRole::token_embedding || role == TensorRole::position_embedding) return shard.embedding;
  return shard.output;
}

/// Everything is trained: embedding, layers, head, in the model's order.
void add_model(const Scenario& scenario, const Shard& shard, const StageWeights& stage, OptimizerTally& tally) {
  const Model& model = *scenario.model;
  const auto add = [&](const Tensor& tensor, Count layer_count, bool in_layer) {
    tally.add(
        {.rows = tensor.rows, .cols = tensor.cols, .copies = tensor.matrices * layer_count, .in_layer = in_layer});
  };
  for (const Tensor& tensor : model.outer_tensors) {
    if (shard.embedding && is_held(shard, tensor.role) && tensor.role == TensorRole::token_embedding)
      add(tensor, 1, false);
  }
  for (std::size_t kind = 0; kind < stage.layers.size(); ++kind) {
    for (const Tensor& tensor : model.kind_tensors[kind]) add(tensor, stage.layers[kind], true);
  }
  for (const Tensor& tensor : model.outer_tensors) {
    if (tensor.role != TensorRole::token_embedding && is_held(shard, tensor.role)) add(tensor, 1, false);
  }
  if (shard.towers) {
    for (const Tensor& tensor : model.tower_tensors) add(tensor, 1, false);
  }
  if (model.tied && shard.output && !shard.embedding) tally.add({.rows = model.vocab, .cols = model.hidden});
}

void take_optimizer(const OptimizerNeeds& needs, Count local, TrainedParameters& trained) {
  const auto share = [&](Bytes bytes) {
    return local == needs.elements ? bytes : mul_div(bytes, local, needs.elements);
  };
  trained.states += share(needs.states);
  trained.pageable_states += share(needs.pageable);
  trained.step += share(needs.step);
}

TrainedParameters full(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                       const StageWeights& stage) {
  const Model& model = *scenario.model;
  const TrainedSizes sizes = trained_sizes(scenario, profile);
  OptimizerTally tally(optimizer_recipe(scenario.training, sizes, profile));
  add_model(scenario, shard, stage, tally);
  TrainedParameters trained;
  trained.elements = stage.all.elements;
  trained.expert_elements = stage.expert_elements;
  take_optimizer(tally.needs(), trained.elements, trained);
  trained.gradients = sizes.gradient * trained.elements;
  trained.masters = sizes.master * trained.elements;

  const Count share = scenario.parallel.tensor;
  const Count embedding = ceil_div(embedding_elements(model), share);
  if (shard.output && model.has_output) trained.head_gradients = sizes.gradient * (embedding + model.hidden);
  if (shard.embedding && !(model.tied && shard.output)) trained.late_gradients = sizes.gradient * embedding;
  if (shard.layers() > 0) {
    const std::size_t first = model.order[shard.first_layer];
    trained.late_gradients += sizes.gradient * ceil_div(early_elements(model, first), share);
  }
  if (model.tied && shard.embedding && shard.output) trained.tied_transient = 2 * sizes.gradient * embedding;
  trained.largest_gradient = sizes.weight * max(ceil_div(scenario.stored->largest_matrix, share), embedding);
  trained.unit_gradient =
      sizes.weight * (stage.layer.elements + (shard.output && model.has_output ? embedding : Count()));
  const bool in_backward =
      profile.steps_in_backward || scenario.training.implementation == OptimizerImplementation::in_backward;
  if (in_backward && scenario.training.accumulation == Count(1)) {
    trained.gradients = trained.head_gradients = trained.largest_gradient;
    trained.late_gradients = trained.tied_transient = trained.step = 0;
  }
  return trained;
}

TrainedParameters beside_frozen(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                const StageWeights& stage) {
  const Model& model = *scenario.model;
  const TrainingSettings& training = scenario.training;
  const AdapterChoice choice{.kind = training.adapter, .rank = training.lora_rank, .targets = training.lora_targets};
  const TrainedSizes sizes = trained_sizes(scenario, profile);
  TrainedParameters trained;

  OptimizerTally adapters(optimizer_recipe(training, sizes, profile));
  for (std::size_t kind = 0; kind < stage.layers.size(); ++kind) {
    add_adapter_tensors(model, kind, choice, stage.layers[kind], adapters);
  }
  if (const Count outer = outer_adapter_elements(model, choice)) adapters.add({.cols = outer});
  trained.adapter_elements = ceil_div(adapters.needs().elements, scenario.parallel.tensor);
  take_optimizer(adapters.needs(), trained.adapter_elements, trained);

  // Embeddings and heads trained in full keep the dtype of the base they were copied from.
  const Count base = scenario.weights.base == TensorType::f32 ? 4 : 2;
  const Count embedding = ceil_div(embedding_elements(model), scenario.parallel.tensor);
  const auto trains = [&](TrainedModule module) {
    return (training.trained_modules >> static_cast<unsigned>(module) & 1U) != 0;
  };
  OptimizerTally modules(optimizer_recipe(training, {base, base, 0, base}, profile));
  for (const TrainedModule module : {TrainedModule::embed, TrainedModule::lm_head}) {
    const bool held = module == TrainedModule::embed ? shard.embedding : shard.output && model.has_output;
    if (!trains(module) || !held) continue;
    modules.add({.rows = model.vocab, .cols = embedding / max(model.vocab, 1)});
    trained.copied_elements += embedding;
    Bytes& moment = module == TrainedModule::embed ? trained.late_gradients : trained.head_gradients;
    moment += base * embedding;
  }
  take_optimizer(modules.needs(), modules.needs().elements, trained);

  trained.elements = trained.adapter_elements + trained.copied_elements;
  trained.gradients = sizes.gradient * trained.adapter_elements + base * trained.copied_elements;
  trained.masters = sizes.master * trained.adapter_elements;
  trained.added_weights = sizes.weight * trained.adapter_elements;
  if (profile.copies_trained_modules) trained.added_weights += base * trained.copied_elements;
  trained.largest_gradient = trained.copied_elements ? base * embedding : Bytes();
  return trained;
}

}  // namespace

TrainedSizes trained_sizes(const Scenario& scenario, const TrainingProfile& profile) {
  const TrainingSettings& training = scenario.training;
  TrainedSizes sizes{training.weight_bytes, training.gradient_bytes, training.master_bytes, training.state_bytes};
  if (!training.autocast || sizes.weight != Count(2) || sizes.master) return sizes;
  if (has_frozen_base(scenario.task)) return sizes;
  // Accelerate stores what FSDP shards in fp32 and gathers it in 16 bit; DeepSpeed's engine keeps an fp32 master.
  if (profile.upcasts_sharded && training.sharding == Sharding::fsdp) sizes = {4, 4, 0, 4};
  if (is_zero(training.sharding)) sizes = {2, sizes.gradient, 4, 4};
  return sizes;
}

TrainedParameters trained_parameters(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                     const StageWeights& stage) {
  return has_frozen_base(scenario.task) ? beside_frozen(scenario, shard, profile, stage)
                                        : full(scenario, shard, profile, stage);
}

}  // namespace vram
