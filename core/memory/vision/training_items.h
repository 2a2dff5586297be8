// The items of a training step over a walked graph, for networks and denoisers alike.
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/memory/vision/walk.h"
#include "core/scenario/scenario.h"

namespace vram::vision {

struct StepParts {
  Bytes weights;   ///< the network as stored
  Bytes resident;  ///< beside it: frozen encoders that stay on the card
  Bytes average;   ///< an averaged copy of the weights
  bool torch_1 = false;
  Terms images;
};

/// Appends weights, states, gradients and activations of one step (F-1.2, F-7.10). Workspaces and context are the caller's.
void append_training_items(const Scenario& scenario, const Shard& shard, const WalkSettings& settings,
                           const Footprint& footprint, const StepParts& parts, DeviceLedger& device);

/// Appends cuBLAS' and cuDNN's workspaces.
void append_library_workspaces(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends gaps and cached blocks of the allocator, shares of the peak so far.
void append_allocator_items(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends an item unless it is empty.
void append_item(DeviceLedger& device, const char* id, Group group, Level level, Phases phases, const Band& bytes,
                 const char* formula, const Terms& terms = {}, const char* source = "");

}  // namespace vram::vision
