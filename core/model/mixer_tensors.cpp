// Tensors of sequence mixers: attention, state-space models, linear attention, short convolutions (formulas.md 2).
#include "core/model/layer_tensors.h"

namespace vram {
namespace {

using enum TensorRole;

void append(std::monostate, Count, TensorList&) {}

void append(const Attention& attention, Count hidden, TensorList& out) {
  append_attention(attention, hidden, false, out);
}

// ATT_MLA and DSA_INDEXER (F-2.1).
void append(const LatentAttention& a, Count hidden, TensorList& out) {
  const Count query_rows = a.heads * (a.nope_dim + a.rope_dim);
  if (a.q_rank) {
    out.matrix(attn_q_down, a.q_rank, hidden);
    out.vector(norm, a.q_rank);
    out.matrix(attn_q_up, query_rows, a.q_rank);
  } else {
    out.matrix(attn_q, query_rows, hidden);
  }
  out.matrix(attn_kv_down, a.kv_rank + a.rope_dim, hidden);
  out.vector(norm, a.kv_rank);
  out.matrix(attn_kv_up, a.heads * (a.nope_dim + a.value_dim), a.kv_rank);
  out.matrix(attn_output, hidden, a.heads * a.value_dim);
  if (a.indexer_heads) {
    out.matrix(attn_indexer, a.indexer_heads * a.indexer_dim, a.q_rank ? a.q_rank : hidden);
    out.matrix(attn_indexer, a.indexer_dim, hidden);
    out.norm(NormKind::layer, a.indexer_dim);
    out.matrix(attn_indexer, a.indexer_heads, hidden);
  }
}

// GDN (F-2.1).
void append(const GatedDeltaNet& g, Count hidden, TensorList& out) {
  const Count keys = g.key_heads * g.key_dim;
  const Count values = g.value_heads * g.value_dim;
  out.matrix(mixer_in, keys * 2 + values * 2, hidden);
  out.matrix(mixer_in, g.value_heads * 2, hidden);
  out.matrix(mixer_conv, keys * 2 + values, g.conv_kernel);
  out.vector(mixer_state, g.value_heads);
  out.vector(mixer_state, g.value_heads);
  out.vector(norm, g.value_dim);
  out.matrix(mixer_out, hidden, values);
}

// KDA: q, k, v with their convolutions; decay and output gate as pairs of rank head_dim; beta (Kimi Linear).
void append(const KimiDelta& k, Count hidden, TensorList& out) {
  const Count width = k.heads * k.head_dim;
  out.matrix(mixer_in, width * 3, hidden);
  out.matrix(mixer_conv, width * 3, k.conv_kernel);
  out.matrix(mixer_in, k.head_dim, hidden);  // decay
  out.matrix(mixer_in, width, k.head_dim);
  out.matrix(mixer_in, k.heads, hidden);     // beta
  out.matrix(mixer_in, k.head_dim, hidden);  // gate
  out.matrix(mixer_in, width, k.head_dim);
  out.vector(mixer_state, k.heads);
  out.vector(mixer_state, width);
  out.vector(norm, k.head_dim);
  out.matrix(mixer_out, hidden, width);
}

// Mamba 1: in, convolution with bias, (dt, B, C) from x, dt up with bias, A, D, out.
void append(const Mamba1& m, Count hidden, TensorList& out) {
  out.matrix(mixer_in, m.inner * 2, hidden);
  out.matrix(mixer_conv, m.inner, m.conv_kernel);
  out.vector(mixer_state, m.inner);
  out.matrix(mixer_in, m.dt_rank + m.state * 2, m.inner);
  out.matrix(mixer_in, m.inner, m.dt_rank);
  out.vector(mixer_state, m.inner);
  out.vector(mixer_state, m.inner * m.state);
  out.vector(mixer_state, m.inner);
  if (m.inner_norms) out.vector(norm, m.dt_rank + m.state * 2);
  out.matrix(mixer_out, hidden, m.inner);
}

// MAMBA2 (F-2.1): A, D and the step bias are one number a head.
void append(const Mamba2& m, Count hidden, TensorList& out) {
  const Count convolved = m.inner() + m.groups * m.state * 2;
  out.matrix(mixer_in, m.inner() + convolved + m.heads, hidden);
  out.matrix(mixer_conv, convolved, m.conv_kernel);
  out.vector(mixer_state, convolved);
  for (int i = 0; i < 3; ++i) out.vector(mixer_state, m.heads);
  if (m.gated_norm) out.vector(norm, m.inner());
  out.matrix(mixer_out, hidden, m.inner());
}

// LFM2: three gates in one projection, a depthwise convolution, a projection back.
void append(const ShortConv& c, Count hidden, TensorList& out) {
  out.matrix(mixer_in, hidden * 3, hidden);
  out.matrix(mixer_conv, hidden, c.conv_kernel);
  out.matrix(mixer_out, hidden, hidden);
}

// Lightning attention: fused q, k, v, an output gate, a norm over the heads' outputs, a projection back.
void append(const LinearAttention& l, Count hidden, TensorList& out) {
  const Count width = l.heads * l.head_dim;
  out.matrix(mixer_in, width * 3, hidden);
  out.matrix(mixer_in, width, hidden);
  out.vector(norm, width);
  out.matrix(mixer_out, hidden, width);
}

// RWKV-7: r, k, v, o; low-rank pairs for decay, rate, value mix and gate; 19 vectors, 18 where no value is mixed, less
// the four of the layer's norms, which are counted there.
void append(const Rwkv& r, Count hidden, TensorList& out) {
  out.matrix(mixer_in, hidden, hidden, 3);
  out.matrix(mixer_out, hidden, hidden);
  for (const Count rank : {r.decay_rank, r.rate_rank, r.value_rank, r.gate_rank}) {
    out.matrix(mixer_in, rank, hidden);
    out.matrix(mixer_in, hidden, rank);
  }
  out.norm(NormKind::layer, hidden);  // over the heads' outputs
  out.vector(mixer_state, hidden * (r.value_rank ? 13 : 12));
  out.vector(mixer_state, r.extra_parameters);
}

}  // namespace

// ATT_GQA (F-2.1).
void append_attention(const Attention& a, Count hidden, bool cross, TensorList& out) {
  const Count queries = a.heads * a.head_dim * (a.output_gate ? 2 : 1);
  const Count keys = a.has_kv ? a.kv_heads * a.head_dim : Count();
  const Count values = a.has_kv && !a.value_is_key ? a.kv_heads * a.value_dim : Count();
  const Count q_bias = a.q_bias ? queries : Count();
  const Count k_bias = a.k_bias ? keys : Count();
  const Count v_bias = a.v_bias ? values : Count();
  if (a.fused_qkv && !cross) {
    out.matrix(attn_qkv, queries + keys + values, hidden);
    out.vector(bias, q_bias + k_bias + v_bias);
  } else {
    out.matrix(cross ? cross_q : attn_q, queries, hidden);
    out.vector(bias, q_bias);
    out.matrix(cross ? cross_k : attn_k, keys, hidden);
    out.vector(bias, k_bias);
    out.matrix(cross ? cross_v : attn_v, values, hidden);
    out.vector(bias, v_bias);
  }
  if (a.qk_norm == QkNorm::per_head) {
    out.vector(norm, a.head_dim);
    if (a.has_kv) out.vector(norm, a.head_dim);
  } else if (a.qk_norm == QkNorm::full) {
    out.vector(norm, a.heads * a.head_dim);
    if (a.has_kv) out.vector(norm, a.kv_heads * a.head_dim);
  }
  if (a.sinks) out.vector(attn_other, a.heads);
  out.matrix(cross ? cross_output : attn_output, hidden, a.heads * a.value_dim);
  if (a.o_bias) out.vector(bias, hidden);
}

void append_mixer(const Mixer& mixer, Count hidden, TensorList& out) {
  std::visit([&](const auto& part) { append(part, hidden, out); }, mixer);
}

}  // namespace vram
