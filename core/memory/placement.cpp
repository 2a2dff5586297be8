#include "core/memory/placement.h"

#include <algorithm>

#include "core/memory/cache_items.h"
#include "core/memory/kv_cache.h"

namespace vram {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 50;  ///< more than any machine has; sums stay far from overflow

std::int64_t bounded(Bytes bytes) {
  return static_cast<std::int64_t>(min(bytes, Bytes(static_cast<std::uint64_t>(kMost))).value());
}

/// Weights and cache of every layer that is on a GPU.
std::vector<Bytes> layer_bytes(const Scenario& scenario, std::uint32_t first) {
  const Model& model = *scenario.model;
  const InferenceSettings& settings = scenario.inference;
  CacheLayout layout;
  layout.k = cache_format(settings.cache_k);
  layout.v = cache_format(settings.cache_v);
  CacheSpans spans;
  spans.tokens = settings.context;
  spans.sequences = sequences_per_copy(scenario);
  // Of one layer of each kind of the model; the stored kinds are finer, since a mix gives layers different types.
  std::vector<Bytes> cache(model.kinds.size(), Bytes::max());
  std::vector<Bytes> bytes;
  for (std::size_t layer = first; layer < model.layer_count(); ++layer) {
    Bytes& kept = cache[model.order[layer]];
    if (kept.is_saturated()) kept = kv_cache(model, {layer, layer + 1}, layout, spans, 0).total();
    const LayerWeights& weights = scenario.stored->layer(layer);
    bytes.push_back(weights.total().bytes - (settings.cpu_experts ? weights.experts.bytes : Bytes(0)) + kept);
  }
  return bytes;
}

/// Room of each GPU for layers, in bytes; below 0 where even the rest does not fit.
std::vector<std::int64_t> room_for_layers(const Scenario& scenario, const Ledger& ledger,
                                          const std::vector<Bytes>& layers, std::uint32_t first) {
  std::vector<std::int64_t> room(scenario.gpus.size());
  for (const DeviceLedger& device : ledger.devices) {
    Bytes held;
    for (std::uint32_t layer = device.first_layer; layer < device.layer_end; ++layer) held += layers[layer - first];
    const Bytes rest = peak_memory(device).need.expected - held;
    for (const std::uint32_t gpu : device.gpus) {
      const GpuSlot& slot = scenario.gpus[gpu];
      const Bytes taken = rest + slot.display.expected + slot.margin;
      room[gpu] = bounded(slot.usable) - bounded(taken);
    }
  }
  return room;
}

/// Layers per GPU when each may exceed its room by `extra`; the last takes the rest. False when some are left over.
bool fill(const std::vector<std::int64_t>& room, const std::vector<Bytes>& layers, std::int64_t extra,
          std::vector<std::uint32_t>& counts) {
  std::size_t next = 0;
  for (std::size_t gpu = 0; gpu < room.size(); ++gpu) {
    std::int64_t left = room[gpu] + extra;
    counts[gpu] = 0;
    while (next < layers.size() && bounded(layers[next]) <= left) {
      left -= bounded(layers[next]);
      ++counts[gpu];
      ++next;
    }
  }
  return next == layers.size();
}

}  // namespace

bool moves_layers_itself(const Scenario& scenario) {
  if (!scenario.parallel.split_layers || scenario.rules != RuntimeId::llama_cpp) return false;
  if (!scenario.parallel.layer_counts.empty()) return false;
  return scenario.runtime == RuntimeId::ollama || scenario.version.at_least(7400);
}

Bytes largest_shortage(const Scenario& scenario, const Ledger& ledger, Bytes margin) {
  Bytes largest;
  for (const DeviceLedger& device : ledger.devices) {
    const Bytes need = peak_memory(device).need.expected;
    for (const std::uint32_t gpu : device.gpus) {
      const GpuSlot& slot = scenario.gpus[gpu];
      largest = max(largest, need + slot.display.expected + margin - slot.usable);
    }
  }
  return largest;
}

bool holds_together(const Scenario& scenario, const Ledger& ledger) {
  Bytes need, usable;
  for (const GpuSlot& slot : scenario.gpus) {
    need += slot.display.expected;
    usable += slot.usable;
  }
  for (const DeviceLedger& device : ledger.devices) need += device.gpus.size() * peak_memory(device).need.expected;
  return need <= usable;
}

std::vector<std::uint32_t> balanced_layers(const Scenario& scenario, const Ledger& ledger) {
  const auto all = static_cast<std::uint32_t>(scenario.model->layer_count());
  const auto on_gpu = static_cast<std::uint32_t>(scenario.inference.gpu_layers.value());
  const std::uint32_t first = all - std::min(all, on_gpu);
  const std::vector<Bytes> layers = layer_bytes(scenario, first);
  const std::vector<std::int64_t> room = room_for_layers(scenario, ledger, layers, first);
  std::vector<std::uint32_t> counts(room.size());
  // The smallest excess that places every layer: between "all room is left over" and "the whole model on one GPU".
  std::int64_t low = -kMost, high = kMost;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    (fill(room, layers, middle, counts) ? high : low) = middle;
  }
  (void)fill(room, layers, high, counts);
  return counts;
}

}  // namespace vram
