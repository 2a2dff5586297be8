// A weight tensor as the quantisers see it: its role, its place and its shape.
#pragma once

#include <cstdint>

#include "core/base/count.h"

namespace vram {

/// What a tensor does. Quantisers, LoRA targets, tensor parallelism and placement decide by role, never by a model's name.
enum class TensorRole : std::uint8_t {
  token_embedding,
  position_embedding,  ///< positions, token types
  output,              ///< the language-model head
  norm,                ///< every normalisation weight or bias
  bias,                ///< every other 1-D parameter of a linear layer
  attn_q,
  attn_k,
  attn_v,
  attn_qkv,  ///< q, k and v fused in one matrix
  attn_output,
  attn_q_down,   ///< MLA: hidden -> q rank
  attn_q_up,     ///< MLA: q rank -> heads
  attn_kv_down,  ///< MLA: hidden -> kv rank + rope
  attn_kv_up,    ///< MLA: kv rank -> heads * (nope + value)
  attn_indexer,  ///< sparse-attention indexer matrices
  attn_other,    ///< sinks, relative biases and other small parameters
  cross_q,       ///< cross-attention
  cross_k,
  cross_v,
  cross_output,
  mlp_gate,
  mlp_up,
  mlp_down,
  router,
  expert_gate,
  expert_up,
  expert_down,
  expert_latent,  ///< projections around latent experts
  expert_bias,
  shared_gate,  ///< shared expert's gate/up/down matrices
  shared_up,
  shared_down,
  shared_router,  ///< the shared expert's sigmoid gate
  mixer_in,       ///< state-space and linear attention: input projections
  mixer_out,
  mixer_conv,    ///< short convolutions
  mixer_state,   ///< decay, time-step, gate parameters (1-D)
  vision,        ///< a matrix of a vision or audio tower
  vision_small,  ///< 1-D parameters and embeddings of a tower
  projector,     ///< between tower and language model
  classifier,    ///< task heads: pooler, classification
};

/// True for the matrices of routed experts.
constexpr bool is_routed_expert(TensorRole role) {
  return role == TensorRole::expert_gate || role == TensorRole::expert_up || role == TensorRole::expert_down;
}

inline constexpr std::uint32_t kNoLayer = 0xFFFFFFFF;

/// `matrices` matrices of `rows` x `cols` (rows = output features, cols = input features, the dimension that is quantised
/// in blocks). Fused experts are one tensor of many matrices. 1-D parameters have rows 1.
struct Tensor {
  TensorRole role = TensorRole::norm;
  std::uint32_t layer = kNoLayer;  ///< index in the model's layer order, kNoLayer outside the layers
  Count rows = 1;
  Count cols = 1;
  Count matrices = 1;

  [[nodiscard]] constexpr Count elements() const { return rows * cols * matrices; }
  [[nodiscard]] constexpr bool is_vector() const { return rows == Count(1) && matrices == Count(1); }
};

}  // namespace vram
