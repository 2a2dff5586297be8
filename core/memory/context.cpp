#include "core/memory/context.h"

namespace vram {

const ResolvedConstants& constants_of(const Scenario& scenario, const Shard& shard) {
  return shard.gpus.empty() ? scenario.constants() : *scenario.gpus[shard.gpus.front()].constants;
}

void append_pytorch_context(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  device.items.push_back({"runtime.context",
                          Group::runtime,
                          Level::device,
                          phases,
                          constants.band(Constant::context),
                          "F-14.1",
                          {},
                          constants.source(Constant::context)});
}

void append_cublas_workspace(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Band& workspace = constants.band(Constant::cublas_workspace);
  if (!workspace.high) return;
  device.items.push_back({"runtime.cublas",
                          Group::runtime,
                          Level::allocated,
                          phases,
                          workspace,
                          "F-14.2",
                          {},
                          constants.source(Constant::cublas_workspace)});
}

void append_bare_context(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  device.items.push_back({"runtime.context",
                          Group::runtime,
                          Level::device,
                          phases,
                          constants.band(Constant::context_bare),
                          "F-14.1",
                          {},
                          constants.source(Constant::context_bare)});
  device.items.push_back({"runtime.kernel_pool",
                          Group::runtime,
                          Level::device,
                          phases,
                          constants.band(Constant::kernel_pool),
                          "F-5.5",
                          {},
                          constants.source(Constant::kernel_pool)});
}

Band append_communicators(const Scenario& scenario, const Shard& shard, Phases phases, DeviceLedger& device) {
  const Parallel& parallel = scenario.parallel;
  if (parallel.split_layers) return {};
  Count groups;
  for (const Count degree : {parallel.tensor, parallel.pipeline, parallel.context, parallel.expert}) {
    if (degree > Count(1)) groups += 1;
  }
  if (!groups) return {};
  const ResolvedConstants& constants = constants_of(scenario, shard);
  Band sum{};
  const auto append = [&](const char* id, Constant constant, Count times) {
    Band bytes = constants.band(constant);
    bytes = {bytes.low * times, bytes.expected * times, bytes.high * times};
    if (!bytes.high) return;
    device.items.push_back({id,
                            Group::communication,
                            Level::device,
                            phases,
                            bytes,
                            "F-11.3",
                            {{"groups", groups}},
                            constants.source(constant)});
    sum += bytes;
  };
  append("communication.communicator", Constant::communicator, groups);
  // Custom all-reduce and the ring's channels come with the tensor-parallel group alone.
  if (parallel.tensor > Count(1)) append("communication.forward", Constant::communicator_forward, 1);
  return sum;
}

void append_inference_fragmentation(const Scenario& scenario, const Shard& shard, Bytes bytes, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Factor& factor = constants.factor(Constant::fragmentation_inference);
  if (!(factor.high > 0)) return;
  device.items.push_back({"fragmentation",
                          Group::fragmentation,
                          Level::reserved,
                          kRunning,
                          times(bytes, factor),
                          "F-14.4",
                          {{"allocated", bytes}},
                          constants.source(Constant::fragmentation_inference)});
}

}  // namespace vram
