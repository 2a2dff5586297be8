#include "core/format/quantiser.h"

#include "core/format/gguf_mix.h"

namespace vram {
namespace {

using Role = TensorRole;

/// Bits of ExLlama's head: the converters' default, whatever the layers have (F-3.11: "head bits set separately").
constexpr std::uint64_t kExlHeadBitsX100 = 600;

bool is_tower(Role role) { return role == Role::vision || role == Role::vision_small || role == Role::projector; }

bool is_latent_attention(Role role) {
  return role == Role::attn_q || role == Role::attn_output || role == Role::attn_q_down || role == Role::attn_q_up ||
         role == Role::attn_kv_down || role == Role::attn_kv_up || role == Role::attn_indexer;
}

/// Which tensors a scheme other than GGUF quantises. F-3.4, F-3.13: linear layers; never embeddings, norms, routers,
/// towers; heads only in ExLlama.
bool takes(const WeightFormat& format, const Tensor& tensor, const QuantiserContext& context) {
  if (format.scheme == WeightScheme::exl && tensor.role == Role::output) return true;
  if (!is_linear(tensor)) return false;
  switch (format.scheme) {
    case WeightScheme::plain:
    case WeightScheme::gguf: return false;
    case WeightScheme::bnb4:
    case WeightScheme::bnb8: return context.fused_experts_are_linear || !is_routed_expert(tensor.role);
    // T-3.31: gpt-oss checkpoints hold experts in MXFP4 and all else in bf16.
    case WeightScheme::mxfp4: return context.experts == Count(0) || is_routed_expert(tensor.role);
    // F-3.13: NVFP4 checkpoints of DeepSeek leave attention in 16 bit.
    case WeightScheme::nvfp4: return !context.latent_attention || !is_latent_attention(tensor.role);
    case WeightScheme::gptq:
    case WeightScheme::awq:
    case WeightScheme::wna16:
    case WeightScheme::fp8:
    case WeightScheme::exl: return true;
  }
  return false;
}

/// Bytes of one matrix of `out` x `in` that the scheme quantises.
Bytes matrix_bytes(const WeightFormat& format, Role role, Count out, Count in, const QuantiserContext& context) {
  const Count elements = in * out;
  switch (format.scheme) {
    case WeightScheme::plain:
    case WeightScheme::gguf: break;
    case WeightScheme::bnb4: {
      // F-3.4: n/2 + 4 per block of 64; double quantisation: 1 per block + 4 per 256 blocks. The code books
      // (64 + 1024 + 4 bytes per matrix) are left out, as in T-3.20.
      const Count blocks = ceil_div(elements, 64);
      const Bytes scales = format.double_quant ? blocks + 4 * ceil_div(blocks, 256) : 4 * blocks;
      return ceil_div(elements, 2) + scales;
    }
    case WeightScheme::bnb8: return elements + 4 * out;  // F-3.4: one fp32 scale per row
    case WeightScheme::gptq:
    case WeightScheme::awq: {
      // F-3.5, F-3.6: packed values, packed zero points, fp16 scales; GPTQ also the fp32-sized index of each column.
      const Count bits = format.bits;
      const Count scales = ceil_div(in, format.group) * out;
      const Bytes index = format.scheme == WeightScheme::gptq ? 4 * in : Bytes();
      return ceil_div(elements * bits, 8) + ceil_div(scales * bits, 8) + 2 * scales + index;
    }
    case WeightScheme::wna16:  // F-3.7
      return ceil_div(elements * Count(format.bits), 8) + 2 * (ceil_div(in, format.group) * out);
    case WeightScheme::fp8:  // F-3.8: fp32 scales per 128 x 128 block or per output channel
      return elements + 4 * (context.latent_attention ? ceil_div(out, 128) * ceil_div(in, 128) : out);
    case WeightScheme::mxfp4: return bytes_of(TensorType::mxfp4, out, in);      // F-3.10
    case WeightScheme::nvfp4: return bytes_of(TensorType::nvfp4, out, in) + 8;  // F-3.9: two fp32 global scales
    case WeightScheme::exl: {
      // F-3.11: n*B/8 + fp16 vectors for rows and columns.
      const Count rate = role == Role::output ? Count(kExlHeadBitsX100) : Count(format.bits_x100);
      return ceil_div(elements * rate, 800) + 2 * (in + out);
    }
  }
  return bytes_of(format.base, out, in);
}

TensorType unquantised_type(const WeightFormat& format, const Tensor& tensor) {
  // Towers stay in 16 bit unless everything is fp32.
  if (is_tower(tensor.role)) return format.base == TensorType::f32 ? TensorType::f32 : TensorType::f16;
  // T-3.28: fp8 checkpoints keep the router's 1-D score correction in fp32.
  if (format.scheme == WeightScheme::fp8 && tensor.role == Role::router && tensor.is_vector()) return TensorType::f32;
  return format.base;
}

/// One tensor of one type.
StoredTensor gguf_part(GgufMix mix, const Tensor& tensor, LayerPlace place, const QuantiserContext& context) {
  const TensorType type = gguf_type(mix, tensor, place, context);
  return {bytes_of(type, tensor.rows * tensor.matrices, tensor.cols), is_block_format(type)};
}

StoredTensor operator+(StoredTensor a, StoredTensor b) { return {a.bytes + b.bytes, a.quantised || b.quantised}; }

/// A tensor that llama.cpp stores as two is divided first.
StoredTensor gguf_tensor(GgufMix mix, const Tensor& tensor, LayerPlace place, const QuantiserContext& context) {
  const Count head = context.latent_nope + context.latent_value;
  if (tensor.role == Role::attn_kv_up && head && tensor.rows.value() % head.value() == 0) {
    // MLA's up-projection: attn_k_b (transposed: rows of nope elements) and attn_v_b.
    const Count heads = tensor.rows / head;
    Tensor k = tensor, v = tensor;
    k.rows = heads * tensor.cols;
    k.cols = context.latent_nope;
    v.rows = heads * context.latent_value;
    return gguf_part(mix, k, place, context) + gguf_part(mix, v, place, context);
  }
  if (tensor.role == Role::mixer_in && place.has(LayerPlace::kDeltaNet)) {
    // The delta net's projections: attn_qkv, then attn_gate; the small one for decay and step is ssm_ba.
    LayerPlace plain = place;
    plain.bits &= static_cast<std::uint16_t>(~LayerPlace::kDeltaNet);
    if (tensor.rows <= context.delta_gate_rows) return gguf_part(mix, tensor, plain, context);
    Tensor qkv = tensor, gate = tensor;
    gate.rows = context.delta_gate_rows;
    qkv.rows = tensor.rows - gate.rows;
    return gguf_part(mix, qkv, place, context) + gguf_part(mix, gate, plain, context);
  }
  if (holds_unnamed_matrices(tensor)) {
    // Gemma 3n and 4: each layer's inp_gate and proj, to and from 256 elements.
    Tensor matrices = tensor;
    matrices.rows = ceil_div(tensor.cols, 256);
    matrices.cols = 256;
    return gguf_part(mix, matrices, place, context);
  }
  return gguf_part(mix, tensor, place, context);
}

}  // namespace

bool is_linear(const Tensor& tensor) {
  if (tensor.is_vector()) return false;
  switch (tensor.role) {
    case Role::attn_q:
    case Role::attn_k:
    case Role::attn_v:
    case Role::attn_qkv:
    case Role::attn_output:
    case Role::attn_q_down:
    case Role::attn_q_up:
    case Role::attn_kv_down:
    case Role::attn_kv_up:
    case Role::attn_indexer:
    case Role::cross_q:
    case Role::cross_k:
    case Role::cross_v:
    case Role::cross_output:
    case Role::mlp_gate:
    case Role::mlp_up:
    case Role::mlp_down:
    case Role::expert_gate:
    case Role::expert_up:
    case Role::expert_down:
    case Role::expert_latent:
    case Role::shared_gate:
    case Role::shared_up:
    case Role::shared_down:
    case Role::mixer_in:
    case Role::mixer_out: return true;
    case Role::token_embedding:
    case Role::position_embedding:
    case Role::output:
    case Role::norm:
    case Role::bias:
    case Role::attn_other:
    case Role::router:
    case Role::expert_bias:
    case Role::shared_router:
    case Role::mixer_conv:
    case Role::mixer_state:
    case Role::vision:
    case Role::vision_small:
    case Role::projector:
    case Role::classifier: return false;
  }
  return false;
}

bool is_quantised(const WeightFormat& format, const Tensor& tensor, LayerPlace place, const QuantiserContext& context) {
  if (format.scheme == WeightScheme::gguf) return is_block_format(gguf_type(format.mix, tensor, place, context));
  return takes(format, tensor, context);
}

StoredTensor stored_tensor(const WeightFormat& format, const Tensor& tensor, LayerPlace place,
                           const QuantiserContext& context) {
  if (format.scheme == WeightScheme::gguf) return gguf_tensor(format.mix, tensor, place, context);
  if (takes(format, tensor, context)) {
    return {tensor.matrices * matrix_bytes(format, tensor.role, tensor.rows, tensor.cols, context), true};
  }
  return {bytes_of(unquantised_type(format, tensor), tensor.rows * tensor.matrices, tensor.cols), false};
}

}  // namespace vram
