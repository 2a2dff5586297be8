// Ledgers of networks described as graphs: a forward pass without gradients, and a training step.
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/memory/vision/walk.h"
#include "core/scenario/scenario.h"

namespace vram::vision {

/// Phases of running a network on a batch of images.
inline constexpr Phases kImages = {Phase::load, Phase::forward};

/// How the scenario's framework walks the graph.
WalkSettings walk_settings(const Scenario& scenario, bool training);

/// Appends what one forward pass needs. Requires Scenario::vision.graph.
void append_run(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
/// Appends what one training step needs.
void append_step(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);

}  // namespace vram::vision
