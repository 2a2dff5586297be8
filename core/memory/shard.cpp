#include "core/memory/shard.h"

#include <algorithm>

namespace vram {
namespace {

/// GPUs of one shard hold the same bytes only when they are the same card: contexts and workspaces differ by card.
void add_shard(const Scenario& scenario, const Shard& part, std::uint32_t first_gpu, std::uint32_t count,
               std::vector<Shard>& out) {
  for (std::uint32_t gpu = first_gpu; gpu < first_gpu + count; ++gpu) {
    const auto same_card = [&](const Shard& other) {
      return other.stage == part.stage && other.first_layer == part.first_layer && other.layer_end == part.layer_end &&
             other.embedding == part.embedding && other.output == part.output && other.encoder == part.encoder &&
             scenario.gpus[other.gpus.front()].gpu == scenario.gpus[gpu].gpu;
    };
    const auto found = std::find_if(out.begin(), out.end(), same_card);
    if (found != out.end()) {
      found->gpus.push_back(gpu);
    } else {
      out.push_back(part);
      out.back().gpus.push_back(gpu);
    }
  }
}

/// Pipeline stages of equal length; the first ones take what does not divide (F-9.9). Each stage's GPUs hold the same.
std::vector<Shard> stages(const Scenario& scenario) {
  std::vector<Shard> out;
  const auto layers = static_cast<std::uint32_t>(scenario.model->layer_count());
  const auto count = static_cast<std::uint32_t>(scenario.parallel.pipeline.value());
  const auto gpus = static_cast<std::uint32_t>(scenario.gpus.size());
  std::uint32_t next_layer = 0;
  for (std::uint32_t stage = 0; stage < count; ++stage) {
    Shard part;
    part.stage = stage;
    part.first_layer = next_layer;
    next_layer += layers / count + (stage < layers % count ? 1 : 0);
    part.layer_end = next_layer;
    part.embedding = part.encoder = part.towers = stage == 0;
    part.output = stage + 1 == count;
    add_shard(scenario, part, stage * (gpus / count), gpus / count, out);
  }
  return out;
}

/// Places a list of slots (layers, then the output) on GPUs: slot i goes to the first GPU whose cumulative share of free
/// memory (usable, less what the screen keeps) exceeds the slot's position. Positions are slot numbers in llama.cpp (F-5.6) and bytes elsewhere.
class Splitter {
 public:
  Splitter(const Scenario& scenario, Count length) {
    __extension__ using Wide = unsigned __int128;
    const auto free = [](const GpuSlot& slot) { return slot.usable - slot.display.expected; };
    Bytes total;
    for (const GpuSlot& slot : scenario.gpus) total += free(slot);
    Bytes cumulative;
    for (const GpuSlot& slot : scenario.gpus) {
      cumulative += free(slot);
      // position * total / length < cumulative, divided once a GPU instead of once a slot
      const Wide product = static_cast<Wide>(cumulative.value()) * length.value();
      const Wide end = total ? (product + (total.value() - 1)) / total.value() : 0;
      ends_.push_back(static_cast<std::uint64_t>(end));
    }
  }
  /// Of GPU `gpu` and those behind it.
  [[nodiscard]] std::uint32_t gpu_at(Count position, std::uint32_t gpu) const {
    while (gpu + 1 < ends_.size() && position >= ends_[gpu]) ++gpu;
    return gpu;
  }

 private:
  std::vector<Count> ends_;  ///< the first position behind each GPU's share
};

std::vector<Shard> empty_parts(const Scenario& scenario) {
  std::vector<Shard> parts(scenario.gpus.size());
  for (std::uint32_t gpu = 0; gpu < parts.size(); ++gpu) {
    parts[gpu].gpus = {gpu};
    parts[gpu].stage = gpu;
    parts[gpu].embedding = parts[gpu].encoder = parts[gpu].towers = gpu == 0;
    parts[gpu].output = false;
  }
  return parts;
}

/// So many layers on each GPU as layer_counts says; the output follows the last of them.
std::vector<Shard> split_as_told(const Scenario& scenario, std::uint32_t first) {
  std::vector<Shard> parts = empty_parts(scenario);
  const std::vector<std::uint32_t>& counts = scenario.parallel.layer_counts;
  std::size_t last = 0;
  for (std::size_t gpu = 0; gpu < std::min(parts.size(), counts.size()); ++gpu) {
    if (counts[gpu] == 0) continue;
    parts[gpu].first_layer = first;
    parts[gpu].layer_end = first += counts[gpu];
    last = gpu;
  }
  parts[last].output = scenario.inference.output_on_gpu;
  return parts;
}

std::vector<Shard> layer_split(const Scenario& scenario) {
  const StoredWeights& stored = *scenario.stored;
  const auto layers = static_cast<std::uint32_t>(scenario.model->layer_count());
  const auto on_gpu = static_cast<std::uint32_t>(scenario.inference.gpu_layers.value());
  const std::uint32_t first = layers - std::min(layers, on_gpu);
  if (!scenario.parallel.layer_counts.empty()) return split_as_told(scenario, first);
  const bool by_count = scenario.rules == RuntimeId::llama_cpp;
  const bool has_output = scenario.inference.output_on_gpu;
  const auto weight_of = [&](std::uint32_t layer) {
    return by_count ? Count(2) : stored.layer(layer).total().bytes * 2;
  };
  const Count output_weight = by_count ? Count(2) : (stored.output.bytes + stored.tied_output.bytes) * 2;
  Count length = has_output ? output_weight : Count(0);
  for (std::uint32_t layer = first; layer < layers; ++layer) length += weight_of(layer);
  const Splitter splitter(scenario, length);

  std::vector<Shard> by_gpu = empty_parts(scenario);
  Count position = 0;
  std::uint32_t last_gpu = 0;
  const auto place = [&](Count weight) {
    // llama.cpp compares a slot's start; a byte split looks at its middle, so that a heavy layer goes where most of it lies.
    last_gpu = splitter.gpu_at(by_count ? position : position + weight / 2, last_gpu);
    position += weight;
    return last_gpu;
  };
  for (std::uint32_t layer = first; layer < layers; ++layer) {
    Shard& shard = by_gpu[place(weight_of(layer))];
    if (shard.layers() == 0) shard.first_layer = layer;
    shard.layer_end = layer + 1;
  }
  if (has_output) by_gpu[place(output_weight)].output = true;
  return by_gpu;
}

}  // namespace

std::vector<Shard> shards(const Scenario& scenario) {
  const bool running = !is_training(scenario.task);
  const Count layers = scenario.model->layer_count();
  const bool partial = running && (scenario.inference.gpu_layers < layers || !scenario.inference.output_on_gpu);
  if (scenario.parallel.split_layers || (partial && scenario.gpus.size() == 1)) return layer_split(scenario);
  return stages(scenario);
}

Stored shard_weights(const Scenario& scenario, const Shard& shard) {
  const StoredWeights& stored = *scenario.stored;
  const Parallel& parallel = scenario.parallel;
  const Count expert_share = parallel.expert > Count(1) ? parallel.expert : parallel.tensor;
  const auto share = [](Stored part, Count divisor) {
    return Stored{ceil_div(part.elements, divisor), ceil_div(part.bytes, divisor)};
  };
  Stored split, replicated, experts;
  const auto add = [&](const LayerWeights& layer) {
    split += layer.split;
    replicated += layer.replicated;
    experts += layer.experts;
  };
  for (std::uint32_t layer = shard.first_layer; layer < shard.layer_end; ++layer) add(stored.layer(layer));
  if (shard.encoder) {
    for (const std::uint16_t kind : stored.encoder) add(stored.kinds[kind]);
  }
  if (shard.embedding) split += stored.token_embedding;
  if (shard.output) {
    split += stored.output;
    replicated += stored.other;
    // A tied head on another GPU than the embedding is a second copy of the matrix.
    if (!shard.embedding) split += stored.tied_output;
  }
  if (shard.towers) replicated += stored.towers;
  return share(split, parallel.tensor) + replicated + share(experts, expert_share);
}

}  // namespace vram
