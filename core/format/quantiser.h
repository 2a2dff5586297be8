// Which tensor of a model gets which type, and the bytes that takes.
#pragma once

#include "core/base/count.h"
#include "core/format/storage_format.h"
#include "core/format/tensor.h"

namespace vram {

/// What the quantisers must know of a model beyond the single tensor.
struct QuantiserContext {
  Count layers;        ///< number of layers, for llama.cpp's "more bits for first and last" rules
  Count heads, kv_heads, experts;
  bool tied = false;
  bool falcon_output_q8 = false;   ///< llama.cpp keeps the output matrix of Falcon in Q8_0
  bool large_llama = false;        ///< llama.cpp's 70B rule: 80 layers with 8 kv heads
  bool has_imatrix = false;
  /// bitsandbytes quantises nn.Linear only: experts fused into 3-D parameters stay in the base type (transformers >= 5).
  bool fused_experts_are_linear = false;
};

/// llama.cpp's choice for one tensor of a mix (F-3.3). `layer_position` counts tensors of this role, 0-based.
TensorType gguf_type(GgufMix mix, const Tensor& tensor, std::uint32_t layer_position, const QuantiserContext& context);

/// True when the scheme stores this tensor quantised.
bool is_quantised(const WeightFormat& format, const Tensor& tensor, const QuantiserContext& context);

/// Bytes of the tensor as stored, scales, zeros and indices included.
Bytes stored_bytes(const WeightFormat& format, const Tensor& tensor, std::uint32_t layer_position,
                   const QuantiserContext& context);

}  // namespace vram
