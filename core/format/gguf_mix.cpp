// llama.cpp's mixes: which tensor gets which type. F-3.3; the rules are those of llama_tensor_get_type_impl() and
// tensor_allows_quantization() in llama.cpp's src/llama-quant.cpp @007dbbf3, where the comments below say nothing else.
#include "core/format/gguf_mix.h"

namespace vram {
namespace {

using Type = TensorType;
using Role = TensorRole;
using Mix = GgufMix;

/// llama.cpp's tensor categories, and `kept`: what it does not quantise.
enum class Category : std::uint8_t {
  kept,
  token_embedding,
  output,
  attn_q,
  attn_k,
  attn_v,
  attn_qkv,
  attn_output,
  ffn_gate,
  ffn_up,
  ffn_down,
  other
};

Category category_of(const Tensor& tensor, LayerPlace place) {
  if (tensor.is_vector()) return Category::kept;
  switch (tensor.role) {
    case Role::token_embedding: return Category::token_embedding;
    case Role::output: return Category::output;
    case Role::attn_q:
    case Role::cross_q: return Category::attn_q;
    case Role::attn_k:
    case Role::cross_k: return Category::attn_k;
    case Role::attn_v:
    case Role::cross_v: return Category::attn_v;
    case Role::attn_qkv: return Category::attn_qkv;
    case Role::attn_output:
    case Role::cross_output: return Category::attn_output;
    // Substring rules: ffn_gate also names ffn_gate_exps and ffn_gate_shexp, and so on.
    case Role::mlp_gate:
    case Role::expert_gate:
    case Role::shared_gate: return Category::ffn_gate;
    case Role::mlp_up:
    case Role::expert_up:
    case Role::shared_up: return Category::ffn_up;
    case Role::mlp_down:
    case Role::expert_down:
    case Role::shared_down: return Category::ffn_down;
    // Qwen3-Next and Qwen3.5 call the delta net's input projection attn_qkv; since 2026 that counts as attn_v. RWKV's
    // time_mix pairs (w1, w2, a1, ...) are not quantised; its r, k and v are one tensor of three matrices here.
    case Role::mixer_in:
      if (place.has(LayerPlace::kDeltaNet)) return Category::attn_v;
      return place.has(LayerPlace::kTimeMix) && tensor.matrices == Count(1) ? Category::kept : Category::other;
    // Never quantised: 1-D, norms, ffn_gate_inp, positions and token types, ssm_conv1d, shortconv.conv, relative biases,
    // biases of experts (2-D, but not called "weight"); nor are mmproj files.
    case Role::position_embedding:
    case Role::norm:
    case Role::bias:
    case Role::router:
    case Role::shared_router:
    case Role::expert_bias:
    case Role::mixer_conv:
    case Role::mixer_state:
    case Role::vision:
    case Role::vision_small:
    case Role::projector: return Category::kept;
    // attn_q_a, attn_q_b, attn_kv_a_mqa, attn_k_b, attn_v_b, indexer, ffn_latent_*, ssm_out, cls; matrices without a
    // role of their own, such as Gemma's inp_gate and proj.
    case Role::attn_other:
    case Role::attn_q_down:
    case Role::attn_q_up:
    case Role::attn_kv_down:
    case Role::attn_kv_up:
    case Role::attn_indexer:
    case Role::expert_latent:
    case Role::mixer_out:
    case Role::classifier: return Category::other;
  }
  return Category::other;
}

constexpr Type base_type(Mix mix) {
  switch (mix) {
    case Mix::f32: return Type::f32;
    case Mix::f16: return Type::f16;
    case Mix::bf16: return Type::bf16;
    case Mix::q4_0: return Type::q4_0;
    case Mix::q4_1: return Type::q4_1;
    case Mix::q5_0: return Type::q5_0;
    case Mix::q5_1: return Type::q5_1;
    case Mix::q8_0: return Type::q8_0;
    case Mix::q2_k:
    case Mix::q2_k_s: return Type::q2_k;
    case Mix::q3_k_s:
    case Mix::q3_k_m:
    case Mix::q3_k_l: return Type::q3_k;
    case Mix::q4_k_s:
    case Mix::q4_k_m: return Type::q4_k;
    case Mix::q5_k_s:
    case Mix::q5_k_m: return Type::q5_k;
    case Mix::q6_k: return Type::q6_k;
    case Mix::iq1_s: return Type::iq1_s;
    case Mix::iq1_m: return Type::iq1_m;
    case Mix::iq2_xxs: return Type::iq2_xxs;
    case Mix::iq2_xs:
    case Mix::iq2_s: return Type::iq2_xs;
    case Mix::iq2_m: return Type::iq2_s;
    case Mix::iq3_xxs: return Type::iq3_xxs;
    case Mix::iq3_xs:
    case Mix::iq3_s:
    case Mix::iq3_m: return Type::iq3_s;
    case Mix::iq4_nl: return Type::iq4_nl;
    case Mix::iq4_xs: return Type::iq4_xs;
    case Mix::tq1_0: return Type::tq1_0;
    case Mix::tq2_0: return Type::tq2_0;
    case Mix::mxfp4_moe: return Type::mxfp4;
    case Mix::nvfp4: return Type::nvfp4;
    case Mix::q1_0: return Type::q1_0;
    case Mix::q2_0: return Type::q2_0;
  }
  return Type::f16;
}

constexpr bool is_iq2_s_or_m(Mix mix) { return mix == Mix::iq2_s || mix == Mix::iq2_m; }

bool divides(Type type, Count cols) { return cols.value() % layout_of(type).block_elements == 0; }

/// For rows that do not fill whole blocks: tensor_type_fallback().
Type fallback(Type type, Count cols) {
  if (divides(type, cols)) return type;
  Type result = Type::f16;
  switch (type) {
    case Type::iq1_s:
    case Type::iq1_m:
    case Type::iq2_xxs:
    case Type::iq2_xs:
    case Type::iq2_s:
    case Type::iq3_xxs:
    case Type::iq3_s:
    case Type::iq4_xs: result = Type::iq4_nl; break;
    // Before 2026 Q2_K and Q3_K became IQ4_NL, which has the size of Q4_0. Q1_0 is an error in llama.cpp.
    case Type::q1_0:
    case Type::q2_0:
    case Type::q2_k:
    case Type::q3_k:
    case Type::tq1_0:
    case Type::tq2_0: result = Type::q4_0; break;
    case Type::q4_k: result = Type::q5_0; break;
    case Type::q5_k: result = Type::q5_1; break;
    case Type::q6_k: result = Type::q8_0; break;
    default: break;  // types with blocks of 32 and 64 have no fallback; we say F16 where llama.cpp gives up
  }
  return divides(result, cols) ? result : Type::f16;
}

Type output_type(Mix mix, Type base, Count cols, const QuantiserContext& context) {
  if (mix == Mix::mxfp4_moe || context.falcon || !divides(base, cols)) return Type::q8_0;
  if (is_one_or_two_bit(mix) || mix == Mix::iq3_xxs) return Type::q5_k;
  return base == Type::q8_0 ? Type::q8_0 : Type::q6_k;
}

Type embedding_type(Mix mix, Type base) {
  switch (mix) {
    case Mix::iq1_s:
    case Mix::iq1_m:
    case Mix::iq2_xxs:
    case Mix::iq2_xs: return Type::q2_k;
    case Mix::iq2_s:
    case Mix::iq2_m:
    case Mix::iq3_xxs: return Type::iq3_s;
    case Mix::tq1_0:
    case Mix::tq2_0:
    case Mix::q2_0: return Type::q4_k;
    default: return base;
  }
}

/// Query heads per kv head.
Count grouping(const QuantiserContext& context) { return context.heads / context.kv_heads; }

Type one_or_two_bit_type(Mix mix, Type base, Category category, Role role, LayerPlace place,
                         const QuantiserContext& context) {
  const Type better = is_iq2_s_or_m(mix) ? Type::iq3_s : Type::q2_k;
  switch (category) {
    case Category::attn_v: return grouping(context) >= Count(4) || context.experts >= Count(4) ? Type::q4_k : better;
    case Category::attn_k: return context.experts == Count(8) ? Type::q4_k : base;
    case Category::ffn_down: {
      const auto bit = role == Role::shared_down ? LayerPlace::kSharedFirst8th : LayerPlace::kFfnFirst8th;
      return place.has(bit) ? better : base;
    }
    case Category::attn_output:
      if (context.experts == Count(8)) return Type::q5_k;
      if (mix == Mix::iq1_s || mix == Mix::iq1_m) return Type::iq2_xxs;
      return is_iq2_s_or_m(mix) ? Type::iq3_s : base;
    default: return base;
  }
}

Type value_type(Mix mix, Type base, LayerPlace place, const QuantiserContext& context) {
  // For 8 experts attn_v is so small that more bits cost next to nothing.
  if (context.experts == Count(8)) return Type::q8_0;
  const bool grouped = grouping(context) >= Count(4);
  Type type = base;
  switch (mix) {
    case Mix::q2_k: type = grouped ? Type::q4_k : Type::q3_k; break;
    case Mix::q2_k_s:
    case Mix::iq3_xs:
    case Mix::iq3_s:
      if (grouped) type = Type::q4_k;
      break;
    case Mix::iq3_xxs: type = grouped ? Type::q4_k : context.has_imatrix ? Type::iq3_xxs : Type::iq3_s; break;
    case Mix::iq3_m: type = Type::q4_k; break;
    case Mix::q3_k_m: type = place.has(LayerPlace::kValueFirst2) ? Type::q5_k : Type::q4_k; break;
    case Mix::q3_k_l: type = Type::q5_k; break;
    case Mix::iq4_nl:
    case Mix::iq4_xs:
      if (grouped) type = Type::q5_k;
      break;
    case Mix::q4_k_m:
    case Mix::q5_k_m:
      if (place.has(LayerPlace::kValueMore)) type = Type::q6_k;
      break;
    case Mix::q4_k_s:
      if (place.has(LayerPlace::kValueFirst4)) type = Type::q5_k;
      break;
    default: break;
  }
  if (context.large_llama && (type == Type::q3_k || type == Type::q4_k)) type = Type::q5_k;
  return type;
}

Type key_or_query_type(Mix mix, Type base, Category category, const QuantiserContext& context) {
  if (category == Category::attn_k && context.experts == Count(8)) return Type::q8_0;
  if (mix == Mix::iq3_xs) return Type::iq3_xxs;
  return mix == Mix::iq3_xxs ? Type::iq2_s : base;
}

Type down_type(Mix mix, Type base, LayerPlace place, const QuantiserContext& context) {
  const bool more = place.has(LayerPlace::kFfnMore);
  const bool first8th = place.has(LayerPlace::kFfnFirst8th);
  const bool first16th = place.has(LayerPlace::kFfnFirst16th);
  switch (mix) {
    case Mix::q2_k: return Type::q3_k;
    case Mix::q2_k_s: return first8th ? Type::q4_k : base;
    case Mix::iq3_xxs: return context.has_imatrix ? base : first8th ? Type::q4_k : Type::q3_k;
    case Mix::q3_k_m: return first16th ? Type::q5_k : !context.falcon || more ? Type::q4_k : Type::q3_k;
    case Mix::iq3_m: return first8th || more ? Type::q4_k : base;
    case Mix::q3_k_l: return context.falcon ? Type::q4_k : Type::q5_k;
    case Mix::q4_k_m:
      if (context.falcon) return first16th ? Type::q6_k : more ? Type::q5_k : Type::q4_k;
      return more ? Type::q6_k : base;
    case Mix::q5_k_m: return more ? Type::q6_k : base;
    case Mix::iq4_nl:
    case Mix::iq4_xs: return first8th ? Type::q5_k : base;
    case Mix::q4_k_s: return first8th && !context.falcon ? Type::q5_k : base;
    case Mix::q4_0: return first8th ? Type::q4_1 : base;
    case Mix::q5_0: return first8th ? Type::q5_1 : base;
    default: return base;
  }
}

Type attn_output_type(Mix mix, Type base, const QuantiserContext& context) {
  if (context.falcon) return mix == Mix::q3_k_l ? Type::q4_k : base;
  if (context.experts == Count(8)) {
    switch (mix) {
      case Mix::q2_k:
      case Mix::iq3_xs:
      case Mix::iq3_xxs:
      case Mix::q3_k_s:
      case Mix::q3_k_m:
      case Mix::iq4_nl:
      case Mix::q4_k_s:
      case Mix::q4_k_m:
      case Mix::iq3_s:
      case Mix::iq3_m:
      case Mix::iq4_xs: return Type::q5_k;
      default: return base;
    }
  }
  switch (mix) {
    case Mix::q2_k: return Type::q3_k;
    case Mix::iq3_xxs: return Type::iq3_s;
    case Mix::q3_k_m:
    case Mix::iq3_m: return Type::q4_k;
    case Mix::q3_k_l: return Type::q5_k;
    default: return base;
  }
}

/// Attention's fused matrix by the rule under which nearly all such files were made (before 2026; F-3.3 @c392e509).
Type fused_type(Mix mix, Type base) {
  switch (mix) {
    case Mix::q3_k_m:
    case Mix::q3_k_l:
    case Mix::iq3_m: return Type::q4_k;
    case Mix::q4_k_m: return Type::q5_k;
    case Mix::q5_k_m: return Type::q6_k;
    default: return base;
  }
}

Type chosen_type(Mix mix, Type base, const Tensor& tensor, LayerPlace place, const QuantiserContext& context) {
  const Category category = category_of(tensor, place);
  if (category == Category::kept) {
    return tensor.role == Role::vision || tensor.role == Role::projector ? Type::f16 : Type::f32;
  }
  if (!is_block_format(base)) return base;
  if (category == Category::output || (context.tied && category == Category::token_embedding)) {
    return output_type(mix, base, tensor.cols, context);
  }
  // Whatever has a third dimension counts as experts here, MLA's attn_k_b and attn_v_b too.
  if (mix == Mix::mxfp4_moe) {
    return is_routed_expert(tensor.role) || tensor.role == Role::attn_kv_up ? Type::mxfp4 : Type::q8_0;
  }
  if (category == Category::token_embedding) return embedding_type(mix, base);
  if (is_one_or_two_bit(mix)) return one_or_two_bit_type(mix, base, category, tensor.role, place, context);
  switch (category) {
    case Category::attn_v: return value_type(mix, base, place, context);
    case Category::attn_k:
    case Category::attn_q: return key_or_query_type(mix, base, category, context);
    case Category::ffn_down: return down_type(mix, base, place, context);
    case Category::attn_output: return attn_output_type(mix, base, context);
    case Category::attn_qkv: return fused_type(mix, base);
    case Category::ffn_gate:
    case Category::ffn_up: return mix == Mix::iq3_xs && place.has(LayerPlace::kFfnMiddle) ? Type::iq3_xxs : base;
    default: return base;
  }
}

}  // namespace

TensorType gguf_type(GgufMix mix, const Tensor& tensor, LayerPlace place, const QuantiserContext& context) {
  return fallback(chosen_type(mix, base_type(mix), tensor, place, context), tensor.cols);
}

}  // namespace vram
