// Which part of the model each GPU holds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/count.h"
#include "core/model/stored_weights.h"
#include "core/scenario/scenario.h"

namespace vram {

/// The part of the model on one GPU, or on several that hold the same amounts.
struct Shard {
  std::vector<std::uint32_t> gpus;  ///< indexes into Scenario::gpus
  std::uint32_t first_layer = 0;    ///< decoder layers [first_layer, layer_end)
  std::uint32_t layer_end = 0;
  bool encoder = true;    ///< holds the encoder layers (encoder-decoder)
  bool embedding = true;  ///< holds the token embedding
  bool output = true;     ///< holds the head and computes logits
  bool towers = true;
  std::uint32_t stage = 0;  ///< pipeline stage, 0-based

  [[nodiscard]] std::uint32_t layers() const { return layer_end - first_layer; }
};

/// The shards of a scenario, equal ones merged. Tensor, data, context and expert parallelism make equal shards; pipeline
/// stages and layer splits make different ones. Layer splits follow layer counts in llama.cpp and bytes elsewhere, in GPU
/// order, each card in proportion to its free memory (F-5.6), or Parallel::layer_counts. Layers outside gpu_layers belong
/// to no shard.
std::vector<Shard> shards(const Scenario& scenario);

/// Weights of a shard on one of its GPUs after tensor and expert parallelism: what `split` and `experts` divide by.
Stored shard_weights(const Scenario& scenario, const Shard& shard);

}  // namespace vram
