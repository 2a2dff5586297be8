// What a training job holds outside the step: evaluation, answers it generates to learn from, and models beside the one
// that is trained.
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/memory/training/activation_recipe.h"
#include "core/memory/training/stage_weights.h"
#include "core/memory/training/state_sharding.h"
#include "core/memory/training/training_profile.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Phases beside those of a step: `validate` with an evaluation batch, `decode` where answers are generated (GRPO, PPO).
Phases other_phases(const Scenario& scenario);

struct TrainedStage {
  const TrainingProfile& profile;
  const ActivationRecipe& recipe;
  const DividedStates& states;
  const StageWeights& stage;
};

/// Appends one layer's activations and the logits of an evaluation batch; the cache of the answers in flight (F-10.1); the
/// frozen reference (DPO without adapters, PPO), reward and trained value models (PPO).
void append_other_phases(const Scenario& scenario, const Shard& shard, const TrainedStage& trained,
                         DeviceLedger& device);

}  // namespace vram
