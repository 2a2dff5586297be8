#include "core/memory/ledger.h"

namespace vram {

Memory memory_in_phase(const DeviceLedger& device, Phase phase) {
  Band by_level[3] = {};
  Band cached{};
  for (const Item& item : device.items) {
    if (!item.phases.has(phase)) continue;
    by_level[static_cast<std::size_t>(item.level)] += item.bytes;
    if (item.group == Group::cached) cached += item.bytes;
  }
  Memory memory;
  memory.allocated = by_level[0];
  memory.reserved = memory.allocated + by_level[1];
  memory.device = memory.reserved + by_level[2];
  memory.need = {memory.device.low - cached.low, memory.device.expected - cached.expected,
                 memory.device.high - cached.high};
  return memory;
}

Memory peak_memory(const DeviceLedger& device) {
  Memory peak{};
  const Phases present = phases_of(device);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    const auto phase = static_cast<Phase>(i);
    if (!present.has(phase)) continue;
    const Memory memory = memory_in_phase(device, phase);
    peak.allocated = max(peak.allocated, memory.allocated);
    peak.reserved = max(peak.reserved, memory.reserved);
    peak.device = max(peak.device, memory.device);
    peak.need = max(peak.need, memory.need);
  }
  return peak;
}

Phase peak_phase(const DeviceLedger& device) {
  const Phases present = phases_of(device);
  Phase best = Phase::load;
  Bytes most = 0;
  bool any = false;
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    const auto phase = static_cast<Phase>(i);
    if (!present.has(phase)) continue;
    const Bytes need = memory_in_phase(device, phase).need.expected;
    if (any && need <= most) continue;
    any = true;
    best = phase;
    most = need;
  }
  return best;
}

Phases phases_of(const DeviceLedger& device) {
  Phases present;
  for (const Item& item : device.items) present = present | item.phases;
  return present;
}

std::size_t busiest(const Ledger& ledger) {
  std::size_t best = 0;
  Bytes most = 0;
  for (std::size_t i = 0; i < ledger.devices.size(); ++i) {
    const Bytes need = peak_memory(ledger.devices[i]).need.expected;
    if (i != 0 && need <= most) continue;
    best = i;
    most = need;
  }
  return best;
}

}  // namespace vram
