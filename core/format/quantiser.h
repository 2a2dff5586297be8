// Which tensor of a model gets which type, and the bytes that takes.
#pragma once

#include "core/base/count.h"
#include "core/format/mix_places.h"
#include "core/format/quantiser_context.h"
#include "core/format/storage_format.h"
#include "core/format/tensor.h"

namespace vram {

/// True when the scheme stores this tensor quantised.
bool is_quantised(const WeightFormat& format, const Tensor& tensor, LayerPlace place, const QuantiserContext& context);

/// A tensor as stored.
struct StoredTensor {
  Bytes bytes;  ///< scales, zeros and indices included
  bool quantised = false;
};
StoredTensor stored_tensor(const WeightFormat& format, const Tensor& tensor, LayerPlace place,
                           const QuantiserContext& context);

/// Bytes of the tensor as stored, scales, zeros and indices included.
inline Bytes stored_bytes(const WeightFormat& format, const Tensor& tensor, LayerPlace place,
                          const QuantiserContext& context) {
  return stored_tensor(format, tensor, place, context).bytes;
}

/// True for the matrices of linear layers (nn.Linear) inside layers: attention, mixers, MLP, experts; not routers,
/// embeddings, heads, convolutions.
bool is_linear(const Tensor& tensor);

/// True for a list of "other" parameters longer than any vector: matrices that the model's description does not name.
constexpr bool holds_unnamed_matrices(const Tensor& tensor) {
  return tensor.role == TensorRole::attn_other && tensor.is_vector() && tensor.cols > Count(1U << 18U);
}

}  // namespace vram
