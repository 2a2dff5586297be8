// Activations of a whole stage through a step: what is kept, what is recomputed, what passes.
#pragma once

#include "core/base/count.h"
#include "core/memory/shard.h"
#include "core/memory/training/activation_recipe.h"
#include "core/memory/training/stage_weights.h"
#include "core/memory/training/training_profile.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Bytes on one GPU.
struct ActivationPlan {
  Bytes layers;  ///< kept by the stage's layers from forward to backward, all micro-batches in flight
  Bytes casts;   ///< 16-bit weight copies kept with them
  bool casts_outlive_forward = false;  ///< kept by autograd until backward; else only by the autocast cache
  Bytes embedding;                     ///< ids, rotary tables
  Bytes head;                          ///< final norm and the head's input
  Bytes head_cast;                     ///< 16-bit copy of the head's weight
  Bytes held_hidden;                   ///< the last hidden states while the loss is computed
  Bytes recompute;                     ///< what checkpointing has to make again at a time
  Bytes first_layer;                   ///< the first layer's full set
  Bytes transient;                     ///< of one layer's backward pass
  Bytes stream;                        ///< gradient of the residual stream: T * h
  Bytes imbalance;                     ///< of the routed experts' rows that are alive at once, were they balanced
  Bytes retained_inputs;               ///< gradients of layer inputs that FSDP1 retains
  Bytes host;                          ///< checkpoints moved to system memory
  Count in_flight = 1;                 ///< micro-batches whose activations are kept (1F1B), or chunks if interleaved
};

/// What autograd keeps by scenario and framework.
ActivationRecipe activation_recipe(const Scenario& scenario, const TrainingProfile& profile);

/// Micro-batches times model chunks whose activations a stage keeps (F-9.5): 1F1B min(M, p - stage); interleaved in v
/// chunks min(M v, 2 (p - stage - 1) + (v - 1) p + 1). p 4, v 2, first stage: 11 (T-9.07).
Count chunks_in_flight(const Scenario& scenario, const Shard& shard);

ActivationPlan plan_activations(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                const ActivationRecipe& recipe, const StageWeights& stage);

/// The head's input by how the loss is carried out.
LossHead loss_head_of(const Scenario& scenario, const TrainingProfile& profile);

/// The loss of the stage that has the head; nothing on the others.
LossMemory stage_loss(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                      const ActivationRecipe& recipe);

}  // namespace vram
