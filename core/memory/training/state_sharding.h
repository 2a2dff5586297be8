// How data-parallel ranks divide weights, gradients and states, and the buffers that costs (F-9.1 to F-9.3).
#pragma once

#include "core/base/count.h"
#include "core/memory/shard.h"
#include "core/memory/training/stage_weights.h"
#include "core/memory/training/trained_parameters.h"
#include "core/memory/training/training_profile.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Bytes on one GPU.
struct DividedStates {
  Bytes base;    ///< the model's own weights
  Bytes upcast;  ///< what k-bit preparation adds to them
  Bytes added;   ///< adapters and copied modules
  Bytes masters;
  Bytes gradients, head_gradients, late_gradients;
  Bytes states, pageable_states;
  Bytes step;
  Bytes step_gradients;  ///< fp32 gradients of the partition, at the step only
  Bytes gathered;        ///< units of parameters that are whole for a moment, and the root
  Bytes gathered_gradients;
  Bytes root_gradients;  ///< of what is outside the layers, whole from the head's to the end of the backward pass
  Bytes root_reduction;  ///< and their copy in the dtype they are reduced in, at the end
  Bytes buckets;         ///< buffers of collective operations
  Bytes host;            ///< what was moved to system memory
  Count ranks = 1;       ///< GPUs that divide what is sharded
};

/// N = 7.5e9 on 64 ranks, mixed precision with masters, weights to states: ZeRO-1 31,406,250,000, ZeRO-2 16,640,625,000,
/// ZeRO-3 1,875,000,000 (T-9.01).
DividedStates divide_states(const Scenario& scenario, const TrainingProfile& profile, const StageWeights& stage,
                            const TrainedParameters& trained);

}  // namespace vram
