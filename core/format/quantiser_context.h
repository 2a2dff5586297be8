// What the quantisers must know of a model beyond the single tensor.
#pragma once

#include "core/base/count.h"

namespace vram {

/// What the quantisers must know of a model beyond the single tensor.
struct QuantiserContext {
  Count layers;         ///< number of layers, for llama.cpp's "more bits for first and last" rules
  Count value_tensors;  ///< number of tensors that llama.cpp treats as attn_v
  Count heads, kv_heads, experts;
  bool tied = false;
  bool falcon = false;       ///< llama.cpp's rules for its "falcon" architecture, e.g. the output matrix in Q8_0
  bool large_llama = false;  ///< llama.cpp's 70B rule: 80 layers whose kv heads are shared
  bool has_imatrix = false;
  bool latent_attention = false;    ///< MLA: 128 x 128 blocks in fp8, attention left in 16 bit by NVFP4
  Count latent_nope, latent_value;  ///< MLA: the two parts of each head that attn_kv_up yields
  Count delta_gate_rows;            ///< gated delta net: rows of the input projection that yield the output gate
  /// bitsandbytes quantises nn.Linear only: experts fused into 3-D parameters stay in the base type (transformers >= 5).
  bool fused_experts_are_linear = false;
};

}  // namespace vram
