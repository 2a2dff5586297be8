// A model's weights in a storage format, added up the way GPUs share them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/count.h"
#include "core/format/quantiser.h"
#include "core/format/storage_format.h"
#include "core/model/model.h"

namespace vram {

/// Elements of a group of tensors and the bytes they take.
struct Stored {
  Count elements;
  Bytes bytes;

  friend constexpr Stored operator+(Stored a, Stored b) { return {a.elements + b.elements, a.bytes + b.bytes}; }
  constexpr Stored& operator+=(Stored other) { return *this = *this + other; }
};

/// One layer, by how tensor and expert parallelism treat its tensors.
struct LayerWeights {
  Stored split;           ///< matrices that tensor parallelism divides
  Stored replicated;      ///< norms, routers, biases of row-parallel layers, MLA's down projections
  Stored experts;         ///< routed experts: divided by expert parallelism as well
  Bytes quantised_bytes;  ///< of all three, what is stored quantised
  Count quantised_elements;
  [[nodiscard]] Stored total() const { return split + replicated + experts; }
};

struct StoredWeights {
  std::vector<LayerWeights> kinds;     ///< per distinct (layer kind, type choice)
  std::vector<std::uint16_t> order;    ///< for each layer its index in `kinds`
  std::vector<std::uint16_t> encoder;  ///< encoder layers (encoder-decoder models)
  std::vector<std::uint16_t> mtp;
  Stored token_embedding;
  Stored output;       ///< the head's own matrix; tied models: nothing
  Stored tied_output;  ///< tied models: the same matrix again, for engines that hold a second copy
  Stored other;        ///< positions, final and embedding norms, poolers, relative biases
  Stored towers;       ///< vision and audio towers with projectors
  Stored per_layer_embedding;
  Count largest_matrix;  ///< elements of the largest single matrix inside the layers; fused experts: of one expert
  Count largest_quantised_matrix;  ///< the same among quantised matrices: what must be dequantised at once
  Stored total;                    ///< everything a checkpoint holds, MTP layers excluded

  [[nodiscard]] const LayerWeights& layer(std::size_t index) const { return kinds[order[index]]; }
};

/// Walks the tensors of each kind of layer once per choice of types (derive_tensors() must have run). `context` is filled
/// from the model by quantiser_context().
StoredWeights store(const Model& model, const WeightFormat& format, const QuantiserContext& context);

/// The quantisers' view of a model.
QuantiserContext quantiser_context(const Model& model);

}  // namespace vram
