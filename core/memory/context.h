// What a process holds on a GPU outside its tensors: context, libraries, communication buffers (sections 11 and 14).
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// The constants of the shard's GPU.
const ResolvedConstants& constants_of(const Scenario& scenario, const Shard& shard);

/// Appends `runtime.context` of a PyTorch process (F-14.1).
void append_pytorch_context(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends `runtime.cublas`: the workspace that PyTorch takes from its own allocator (F-14.2).
void append_cublas_workspace(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends `runtime.context` of a process without PyTorch and `runtime.kernel_pool`.
void append_bare_context(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends `communication.communicator` and `communication.forward` for the groups of GPUs that exchange activations
/// (F-11.3); nothing on one GPU. Returns their sum.
Band append_communicators(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device);

/// Appends `fragmentation`: the allocator's unavoidable gaps, a share of `bytes` that come in many blocks (F-14.4). Gaps stay
/// once they are there, so the item is in every phase.
void append_inference_fragmentation(const Scenario& scenario, const Shard& shard, Bytes bytes, DeviceLedger& device);

/// Band of a byte amount under a calibrated factor: {amount * low, amount * expected, amount * high}.
constexpr Band times(Bytes amount, const Factor& factor) {
  return {scaled(amount, factor.low), scaled(amount, factor.expected), scaled(amount, factor.high)};
}

}  // namespace vram
