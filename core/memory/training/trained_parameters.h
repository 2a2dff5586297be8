// What is trained on one GPU and what it costs before data-parallel ranks divide it (F-6.1, F-6.2, F-8).
#pragma once

#include "core/base/count.h"
#include "core/memory/shard.h"
#include "core/memory/training/stage_weights.h"
#include "core/memory/training/training_profile.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Adapters are trained, the model itself is not.
constexpr bool has_frozen_base(Task task) { return is_adapter_training(task) || task == Task::development; }

constexpr bool is_zero(Sharding sharding) {
  return sharding == Sharding::zero1 || sharding == Sharding::zero2 || sharding == Sharding::zero3;
}

/// Bytes unless said otherwise; gradients by the order in which the backward pass makes them (F-1.2).
struct TrainedParameters {
  Count elements;         ///< parameters that get gradients
  Count expert_elements;  ///< routed experts among them
  Bytes added_weights;    ///< adapters and copies of trained modules, which the base does not contain
  Count adapter_elements;
  Count copied_elements;   ///< trained modules beside adapters
  Bytes gradients;         ///< all
  Bytes head_gradients;    ///< of head and final norm: the first to exist
  Bytes late_gradients;    ///< of the embedding and of the first layer but for its last matrix: the last to exist
  Bytes tied_transient;    ///< tied embedding: its dense gradient and the sum of both
  Bytes masters;           ///< fp32 master copies
  Bytes states;            ///< optimizer states
  Bytes pageable_states;   ///< of them in managed memory
  Bytes step;              ///< temporaries of the optimizer step
  Bytes largest_gradient;  ///< of one matrix
  Bytes unit_gradient;     ///< in the weights' dtype, of the head and of one layer, on their way to the main gradients
};

/// Element sizes of what is trained, after the framework's own rules.
struct TrainedSizes {
  Count weight = 2, gradient = 2, master, state = 2;
};
TrainedSizes trained_sizes(const Scenario& scenario, const TrainingProfile& profile);

TrainedParameters trained_parameters(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                                     const StageWeights& stage);

}  // namespace vram
