// A model's weights on one GPU, by the parts that engines place differently.
#pragma once

#include "core/base/count.h"
#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// What an engine puts on the GPUs of a shard.
struct WeightPlacement {
  Count tensor = 1;                 ///< matrices, embedding and head are divided among so many GPUs
  Count expert = 1;                 ///< routed experts among so many, where that is more than `tensor`
  bool embedding = true;            ///< the token embedding is on a GPU at all
  bool output = true;               ///< the head is
  bool second_output = false;       ///< a tied model's head is a second copy (llama.cpp, F-5.6)
  bool experts = true;              ///< routed experts are
  bool per_layer_embedding = true;  ///< Gemma 3n's per-layer tables are
};

struct WeightParts {
  Stored layers;  ///< everything in the layers but routed experts
  Stored experts;
  Stored embedding;  ///< token embedding, per-layer tables
  Stored output;     ///< head
  Stored other;      ///< positions, final norm, poolers
  Stored towers;     ///< vision and audio, with projectors

  [[nodiscard]] constexpr Stored total() const { return layers + experts + embedding + output + other + towers; }
};

/// Sums the shard's layers and the outer parts it holds, for one GPU.
WeightParts weight_parts(const Scenario& scenario, const Shard& shard, const WeightPlacement& placement);

/// Appends one item per part that is not empty: weights.layers, .experts, .embedding, .output, .other, .vision.
void append_weights(const Scenario& scenario, const WeightParts& parts, const WeightPlacement& placement,
                    const Shard& shard, Phases phases, DeviceLedger& device);

/// Formula that sizes the tensors of a format: "F-3.1" for plain dtypes, "F-3.3" for GGUF mixes, ...
const char* formula_of(WeightScheme scheme);

/// Bytes of an activation element beside weights of this format: 4 for plain fp32, else 2.
Count compute_bytes(const WeightFormat& format);

}  // namespace vram
