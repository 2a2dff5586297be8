#include "core/memory/training/activation_plan.h"

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/layer_activations.h"
#include "core/memory/training/mlp_activations.h"
#include "core/memory/training/outer_activations.h"
#include "core/memory/training/trained_parameters.h"
#include "core/memory/training/weight_casts.h"

namespace vram {
namespace {

bool is_low_rank(Adapter kind) { return kind == Adapter::lora || kind == Adapter::rslora || kind == Adapter::dora; }

bool gathers_in_16_bit(const Scenario& scenario) {
  const Sharding sharding = scenario.training.sharding;
  return scenario.training.autocast && scenario.parallel.data * scenario.parallel.context > Count(1) &&
         (sharding == Sharding::fsdp || sharding == Sharding::zero3);
}

bool trains_head(const Scenario& scenario) {
  if (!has_frozen_base(scenario.task)) return true;
  const TrainingSettings& training = scenario.training;
  return (training.trained_modules >> static_cast<unsigned>(TrainedModule::lm_head) & 1U) != 0 ||
         (training.lora_targets & target_bit(LoraTarget::lm_head)) != 0;
}

AdapterActivations adapter_activations(const Scenario& scenario, const TrainingProfile& profile) {
  const TrainingSettings& training = scenario.training;
  AdapterActivations adapters;
  adapters.fused_qkv = profile.fuses_adapters;
  adapters.dropout = profile.adapter_dropout && is_low_rank(training.adapter);
  adapters.keeps_inputs = profile.keeps_frozen_inputs && scenario.weights.scheme == WeightScheme::bnb4;
  adapters.active = true;
  adapters.targets = training.lora_targets;
  adapters.rank = is_low_rank(training.adapter) ? training.lora_rank : Count();
  adapters.bytes = training.adapter_bytes;
  adapters.scales_outputs = training.adapter == Adapter::adapter_v2;
  adapters.casts_inputs = profile.casts_adapter_inputs && training.adapter_bytes == Count(4);
  if (is_zero(training.sharding)) {  // the engine casts adapters with everything else
    adapters.bytes = training.compute_bytes;
    adapters.casts_inputs = false;
  }
  return adapters;
}

}  // namespace

ActivationRecipe activation_recipe(const Scenario& scenario, const TrainingProfile& profile) {
  const TrainingSettings& training = scenario.training;
  ActivationRecipe recipe;
  recipe.batch = training.batch;
  // The chosen and the rejected answer run as one batch.
  const bool pairs = training.preference == Preference::dpo || training.preference == Preference::orpo;
  if (pairs) recipe.batch *= 2;
  recipe.sequence = ceil_div(training.sequence, scenario.parallel.context);  // F-9.6
  recipe.compute = training.compute_bytes;
  recipe.residual = training.residual_bytes;
  recipe.autocast = training.autocast;
  recipe.fp32_weights = scenario.weights.scheme == WeightScheme::plain && scenario.weights.base == TensorType::f32;
  // FSDP and ZeRO-3 gather fp32 parameters in 16 bit: nothing is left for autocast to convert.
  if (gathers_in_16_bit(scenario)) {
    recipe.residual = training.compute_bytes;
    recipe.fp32_weights = false;
  }
  // DeepSpeed's engine runs the module in 16 bits, without autocast.
  if (is_zero(training.sharding) && recipe.compute == Count(2)) {
    recipe.autocast = recipe.fp32_weights = false;
    recipe.residual = 2;
  }
  // The k-bit preparation makes embeddings and norms fp32, and with them the residual stream (F-8.3).
  if (training.kbit_upcast) {
    recipe.residual = 4;
    if (profile.k_bit_computes_in_fp32 && !recipe.autocast) recipe.compute = 4;
  }
  recipe.attention = training.attention;
  recipe.expands_kv = profile.expands_kv;
  recipe.copies_attention_output = profile.copies_attention_output;
  recipe.fused_kernels = profile.fused_kernels;
  recipe.keeps_rotated = profile.keeps_rotated;
  recipe.dropout = recipe.attention_dropout = profile.default_dropout && is_classic(*scenario.model);
  recipe.tensor = scenario.parallel.tensor;
  recipe.sequence_parallel = scenario.parallel.sequence;
  if (has_frozen_base(scenario.task)) recipe.adapters = adapter_activations(scenario, profile);
  return recipe;
}

Count chunks_in_flight(const Scenario& scenario, const Shard& shard) {
  const Parallel& parallel = scenario.parallel;
  const Count behind = parallel.pipeline - Count(shard.stage);
  if (parallel.interleave == Count(1)) return max(1, min(scenario.training.accumulation, behind));
  const Count warm_up = 2 * (behind - 1) + (parallel.interleave - 1) * parallel.pipeline + 1;
  return max(1, min(scenario.training.accumulation * parallel.interleave, warm_up));
}

namespace {

/// What `count` layers of a kind keep from forward to backward, and what the largest group has to make again.
struct KeptLayers {
  Bytes kept;
  Bytes again;
};

KeptLayers kept_layers(const Scenario& scenario, const TrainingProfile& profile, const ActivationRecipe& recipe,
                       std::size_t kind, Count count) {
  const Model& model = *scenario.model;
  const TrainingSettings& training = scenario.training;
  const SavedActivations whole = layer_activations(model, kind, recipe);
  const Bytes checkpoint = checkpoint_activations(model, recipe);
  const Count every = training.checkpoint_every;
  switch (training.checkpointing) {
    case Checkpointing::none: return {whole.activations * count, {}};
    case Checkpointing::full: return {checkpoint * ceil_div(count, every), min(every, count) * whole.total()};
    case Checkpointing::selective: break;
  }
  if (every > Count(1)) {  // every n-th layer is checkpointed, the others keep everything
    const Count checkpointed = count / every;
    return {checkpoint * checkpointed + whole.activations * (count - checkpointed), whole.total()};
  }
  const Bytes chosen = profile.op_checkpointing ? selective_activations(model, kind, recipe, training.compile)
                                                : layer_activations_without_scores(model, kind, recipe);
  const Bytes kept = min(whole.activations, chosen);
  return {kept * count, whole.total() - kept};
}

/// Rows that the router sends to experts, alive at once.
Bytes routed_rows(const Scenario& scenario, const ActivationRecipe& recipe, std::size_t kind, Count count) {
  const auto* experts = std::get_if<Experts>(&scenario.model->kinds[kind].feed_forward);
  if (experts == nullptr || scenario.parallel.expert == Count(1)) return {};
  const Bytes one = expert_activations(*scenario.model, *experts, recipe);
  return scenario.training.checkpointing == Checkpointing::none ? one * count : one;
}

}  // namespace

ActivationPlan plan_activations(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                const ActivationRecipe& recipe, const StageWeights& stage) {
  const Model& model = *scenario.model;
  const TrainingSettings& training = scenario.training;
  const Bytes checkpoint = checkpoint_activations(model, recipe);
  ActivationPlan plan;
  plan.in_flight = chunks_in_flight(scenario, shard);
  plan.casts_outlive_forward = training.checkpointing == Checkpointing::none;

  const std::size_t first_kind = shard.layers() > 0 ? model.order[shard.first_layer] : model.kinds.size();
  for (std::size_t kind = 0; kind < stage.layers.size(); ++kind) {
    if (stage.layers[kind] == 0) continue;
    const SavedActivations whole = layer_activations(model, kind, recipe);
    const KeptLayers layers = kept_layers(scenario, profile, recipe, kind, stage.layers[kind]);
    plan.layers += layers.kept;
    plan.recompute = max(plan.recompute, layers.again);
    plan.imbalance = max(plan.imbalance, routed_rows(scenario, recipe, kind, stage.layers[kind]));
    plan.casts +=
        stage.layers[kind] * (plan.casts_outlive_forward ? whole.weight_casts : autocast_cache(model, kind, recipe));
    plan.transient = max(plan.transient, backward_transient(model, kind, recipe));
    if (kind == first_kind) plan.first_layer = whole.total();
  }
  plan.layers = mul_div(plan.layers, plan.in_flight, scenario.parallel.interleave);
  plan.stream = recipe.residual * recipe.replicated_tokens() * model.hidden;

  if (training.checkpointing == Checkpointing::full &&
      (profile.offloads_checkpoints || training.offload == Offload::activations)) {
    plan.host = plan.layers;
    plan.layers = min(plan.layers, 2 * checkpoint);  // on its way, and the last one
  }
  const bool fsdp = training.sharding == Sharding::fsdp && scenario.parallel.data > Count(1);
  if (profile.retains_frozen_inputs && recipe.adapters.active && fsdp &&
      training.checkpointing == Checkpointing::full) {
    plan.retained_inputs = checkpoint * (Count(shard.layers()) - 2);
  }
  if (shard.embedding) plan.embedding = embedding_activations(model, recipe).activations;
  if (shard.output) {
    HeadInput input = trains_head(scenario) ? HeadInput::kept : HeadInput::frozen;
    if (loss_head_of(scenario, profile) == LossHead::fused_linear) input = HeadInput::fused;
    const SavedActivations head = head_activations(model, recipe, input);
    plan.head = head.activations;
    plan.head_cast = head.weight_casts;
    if (input != HeadInput::fused) plan.held_hidden = checkpoint;
  }
  return plan;
}

LossHead loss_head_of(const Scenario& scenario, const TrainingProfile& profile) {
  if (!scenario.model->has_output) return LossHead::none;
  return profile.losses[static_cast<std::size_t>(scenario.training.loss)];
}

LossMemory stage_loss(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                      const ActivationRecipe& recipe) {
  if (!shard.output) return {};
  LossRecipe loss;
  loss.head = loss_head_of(scenario, profile);
  loss.batch = recipe.batch;
  loss.sequence = recipe.sequence;
  loss.hidden = scenario.model->hidden;
  loss.vocab = recipe.share(scenario.model->vocab);
  loss.compute = recipe.compute;
  loss.autocast = recipe.autocast;
  loss.holds_logits = profile.holds_logits;
  loss.softcap = scenario.model->final_softcap;
  loss.trains_head = trains_head(scenario);
  return loss_memory(loss);
}

}  // namespace vram
