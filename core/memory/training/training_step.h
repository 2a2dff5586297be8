// One training step on a GPU: the items of its phases.
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/memory/training/training_profile.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Appends everything a step holds on a GPU of this shard, by phase (F-1.2): the peak is the largest phase, not the sum.
/// `ledger` receives what is kept in system memory and the size of a checkpoint.
void append_training_step(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                          DeviceLedger& device, Ledger& ledger);

}  // namespace vram
