#include "core/memory/training/activation_plan.h"

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/layer_activations.h"
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

AdapterActivations adapter_activations(const TrainingSettings& training, const TrainingProfile& profile) {
  AdapterActivations adapters;
  adapters.active = true;
  adapters.targets = training.lora_targets;
  adapters.rank = is_low_rank(training.adapter) ? training.lora_rank : Count();
  adapters.bytes = training.adapter_bytes;
  adapters.scales_outputs = training.adapter == Adapter::adapter_v2;
  adapters.casts_inputs = profile.casts_adapter_inputs && training.adapter_bytes == Count(4);
  return adapters;
}

}  // namespace

ActivationRecipe activation_recipe(const Scenario& scenario, const TrainingProfile& profile) {
  const TrainingSettings& training = scenario.training;
  ActivationRecipe recipe;
  recipe.batch = training.batch;
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
  // The k-bit preparation makes embeddings and norms fp32, and with them the residual stream (F-8.3).
  if (prepares_k_bit(scenario, profile)) {
    recipe.residual = 4;
    if (profile.k_bit_computes_in_fp32 && !recipe.autocast) recipe.compute = 4;
  }
  recipe.attention = training.attention;
  recipe.expands_kv = profile.expands_kv;
  recipe.copies_attention_output = profile.copies_attention_output;
  recipe.fused_kernels = profile.fused_kernels;
  recipe.fp32_rotary = profile.fp32_rotary;
  recipe.dropout = recipe.attention_dropout = profile.default_dropout && is_classic(*scenario.model);
  recipe.tensor = scenario.parallel.tensor;
  recipe.sequence_parallel = scenario.parallel.sequence;
  if (has_frozen_base(scenario.task)) recipe.adapters = adapter_activations(training, profile);
  return recipe;
}

Count micro_batches_in_flight(const Scenario& scenario, const Shard& shard) {
  const Count stages_behind = scenario.parallel.pipeline - Count(shard.stage);
  return max(1, min(scenario.training.accumulation, stages_behind));
}

ActivationPlan plan_activations(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                const ActivationRecipe& recipe, const StageWeights& stage) {
  const Model& model = *scenario.model;
  const TrainingSettings& training = scenario.training;
  const Bytes checkpoint = checkpoint_activations(model, recipe);
  ActivationPlan plan;
  plan.in_flight = micro_batches_in_flight(scenario, shard);
  plan.casts_outlive_forward = training.checkpointing == Checkpointing::none;

  const std::size_t first_kind = shard.layers() > 0 ? model.order[shard.first_layer] : model.kinds.size();
  for (std::size_t kind = 0; kind < stage.layers.size(); ++kind) {
    if (stage.layers[kind] == 0) continue;
    const SavedActivations whole = layer_activations(model, kind, recipe);
    Bytes kept = whole.activations;
    if (training.checkpointing == Checkpointing::full) kept = checkpoint;
    if (training.checkpointing == Checkpointing::selective) {
      kept = min(kept, profile.op_checkpointing ? selective_activations(model, kind, recipe)
                                                : layer_activations_without_scores(model, kind, recipe));
    }
    plan.layers += kept * stage.layers[kind];
    plan.casts +=
        stage.layers[kind] * (plan.casts_outlive_forward ? whole.weight_casts : autocast_cache(model, kind, recipe));
    plan.layer = max(plan.layer, whole.total());
    plan.recompute = max(plan.recompute, whole.total() - (plan.casts_outlive_forward ? whole.total() : kept));
    plan.transient = max(plan.transient, backward_transient(model, kind, recipe));
    if (kind == first_kind) plan.first_layer = whole.total();
  }
  // Full checkpointing frees the input it recomputes from only afterwards.
  if (training.checkpointing == Checkpointing::full) plan.recompute = plan.layer;
  plan.layers *= plan.in_flight;
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
