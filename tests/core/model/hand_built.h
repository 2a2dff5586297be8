// Models written down tensor by tensor, so that tests of storage do not depend on how models are read and derived.
#pragma once

#include <string>
#include <vector>

#include "core/model/model.h"

namespace vram::hand_built {

inline Tensor matrix(TensorRole role, Count rows, Count cols, Count matrices = 1) {
  return {role, kNoLayer, rows, cols, matrices};
}
inline Tensor vector_of(TensorRole role, Count length) { return {role, kNoLayer, 1, length, 1}; }

/// Sizes of a decoder with grouped-query attention or MLA and a gated MLP or experts.
struct Shape {
  Count vocab, hidden, layers, heads, kv_heads, head_dim, ffn;
  bool tied = false;
  bool qk_norm = false;
  bool fused = false;  ///< qkv and gate_up fused, as in Phi-3
  std::uint8_t norms = 2;
  Count experts = 0, active = 0, expert_ffn = 0, shared_ffn = 0, dense_layers = 0;
  bool correction = false;                                       ///< score correction of the router
  bool gpt_oss = false;                                          ///< biases everywhere and sinks
  Count q_rank = 0, kv_rank = 0, nope = 0, rope = 0, value = 0;  ///< MLA when kv_rank > 0
};

inline void add_gqa(const Shape& s, std::vector<Tensor>& t) {
  using R = TensorRole;
  const Count q = s.heads * s.head_dim, kv = s.kv_heads * s.head_dim;
  if (s.fused) {
    t.push_back(matrix(R::attn_qkv, q + kv + kv, s.hidden));
  } else {
    t.push_back(matrix(R::attn_q, q, s.hidden));
    t.push_back(matrix(R::attn_k, kv, s.hidden));
    t.push_back(matrix(R::attn_v, kv, s.hidden));
  }
  t.push_back(matrix(R::attn_output, s.hidden, q));
  if (s.qk_norm) t.insert(t.end(), 2, vector_of(R::norm, s.head_dim));
  if (!s.gpt_oss) return;
  for (const Count length : {q, kv, kv, s.hidden}) t.push_back(vector_of(R::bias, length));
  t.push_back(vector_of(R::attn_other, s.heads));
}

inline void add_mla(const Shape& s, std::vector<Tensor>& t) {
  using R = TensorRole;
  const Count q = s.heads * (s.nope + s.rope);
  if (s.q_rank) {
    t.push_back(matrix(R::attn_q_down, s.q_rank, s.hidden));
    t.push_back(vector_of(R::norm, s.q_rank));
    t.push_back(matrix(R::attn_q_up, q, s.q_rank));
  } else {
    t.push_back(matrix(R::attn_q, q, s.hidden));
  }
  t.push_back(matrix(R::attn_kv_down, s.kv_rank + s.rope, s.hidden));
  t.push_back(vector_of(R::norm, s.kv_rank));
  t.push_back(matrix(R::attn_kv_up, s.heads * (s.nope + s.value), s.kv_rank));
  t.push_back(matrix(R::attn_output, s.hidden, s.heads * s.value));
}

inline void add_mlp(const Shape& s, std::vector<Tensor>& t) {
  using R = TensorRole;
  if (s.fused) {
    t.push_back(matrix(R::mlp_up, 2 * s.ffn, s.hidden));
  } else {
    t.push_back(matrix(R::mlp_gate, s.ffn, s.hidden));
    t.push_back(matrix(R::mlp_up, s.ffn, s.hidden));
  }
  t.push_back(matrix(R::mlp_down, s.hidden, s.ffn));
}

inline void add_experts(const Shape& s, std::vector<Tensor>& t) {
  using R = TensorRole;
  t.push_back(matrix(R::router, s.experts, s.hidden));
  if (s.correction || s.gpt_oss) t.push_back(vector_of(R::router, s.experts));
  t.push_back(matrix(R::expert_gate, s.expert_ffn, s.hidden, s.experts));
  t.push_back(matrix(R::expert_up, s.expert_ffn, s.hidden, s.experts));
  t.push_back(matrix(R::expert_down, s.hidden, s.expert_ffn, s.experts));
  if (s.gpt_oss) {
    t.push_back(matrix(R::expert_bias, 1, 2 * s.expert_ffn, s.experts));
    t.push_back(matrix(R::expert_bias, 1, s.hidden, s.experts));
  }
  if (s.shared_ffn) {
    t.push_back(matrix(R::shared_gate, s.shared_ffn, s.hidden));
    t.push_back(matrix(R::shared_up, s.shared_ffn, s.hidden));
    t.push_back(matrix(R::shared_down, s.hidden, s.shared_ffn));
  }
}

/// Kind 0 has the MLP, kind 1 (if there are experts) the experts.
inline Model decoder(const Shape& s) {
  Model model;
  model.hidden = s.hidden;
  model.vocab = s.vocab;
  model.tied = s.tied;
  const bool moe = static_cast<bool>(s.experts);
  for (int kind = 0; kind < (moe ? 2 : 1); ++kind) {
    Layer layer;
    std::vector<Tensor> tensors;
    if (s.kv_rank) {
      LatentAttention latent;
      latent.heads = s.heads;
      latent.q_rank = s.q_rank;
      latent.kv_rank = s.kv_rank;
      latent.nope_dim = s.nope;
      latent.rope_dim = s.rope;
      latent.value_dim = s.value;
      layer.mixer = latent;
      add_mla(s, tensors);
    } else {
      Attention attention;
      attention.heads = s.heads;
      attention.kv_heads = s.kv_heads;
      attention.head_dim = s.head_dim;
      attention.fused_qkv = s.fused;
      layer.mixer = attention;
      add_gqa(s, tensors);
    }
    for (int i = 0; i < s.norms; ++i) tensors.push_back(vector_of(TensorRole::norm, s.hidden));
    if (kind == 0) {
      Mlp mlp;
      mlp.size = s.ffn;
      layer.feed_forward = mlp;
      add_mlp(s, tensors);
    } else {
      Experts experts;
      experts.count = s.experts;
      experts.active = s.active;
      experts.size = s.expert_ffn;
      layer.feed_forward = experts;
      add_experts(s, tensors);
    }
    model.kinds.push_back(layer);
    model.kind_tensors.push_back(tensors);
  }
  for (Count i = 0; i < s.layers; i += 1) model.order.push_back(moe && i >= s.dense_layers ? 1 : 0);
  model.outer_tensors.push_back(matrix(TensorRole::token_embedding, s.vocab, s.hidden));
  if (!s.tied) model.outer_tensors.push_back(matrix(TensorRole::output, s.vocab, s.hidden));
  model.outer_tensors.push_back(vector_of(TensorRole::norm, s.hidden));
  return model;
}

/// Two state-space layers, then one of attention with a gated MLP, four times over.
inline Model hybrid() {
  using R = TensorRole;
  Shape s{32000, 1024, 4, 16, 4, 64, 2816, true};
  Model model = decoder(s);
  Layer mamba;
  mamba.mixer = Mamba2{};
  model.kinds.push_back(mamba);
  model.kind_tensors.push_back({matrix(R::mixer_in, 4384, 1024), matrix(R::mixer_conv, 2304, 4),
                                vector_of(R::mixer_state, 32), vector_of(R::norm, 2048),
                                matrix(R::mixer_out, 1024, 2048), vector_of(R::norm, 1024)});
  model.order = {1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0};
  return model;
}

// Published shapes: formulas.md 2.4.
inline Model llama3_8b() { return decoder({128256, 4096, 32, 32, 8, 128, 14336}); }
inline Model llama2_13b() { return decoder({32000, 5120, 40, 40, 40, 128, 13824}); }
inline Model llama3_70b() { return decoder({128256, 8192, 80, 64, 8, 128, 28672}); }
inline Model llama3_405b() { return decoder({128256, 16384, 126, 128, 8, 128, 53248}); }
inline Model phi3_mini() {
  Shape s{32064, 3072, 32, 32, 32, 96, 8192};
  s.fused = true;
  return decoder(s);
}
inline Model gemma3_1b() {
  Shape s{262144, 1152, 26, 4, 1, 256, 6912, true, true};
  s.norms = 4;
  return decoder(s);
}
inline Model qwen3_30b_a3b() {
  Shape s{151936, 2048, 48, 32, 4, 128, 0, false, true};
  s.experts = 128;
  s.active = 8;
  s.expert_ffn = 768;
  return decoder(s);
}
inline Model qwen3_235b() {
  Shape s{151936, 4096, 94, 64, 4, 128, 0, false, true};
  s.experts = 128;
  s.active = 8;
  s.expert_ffn = 1536;
  return decoder(s);
}
inline Model mixtral_8x7b() {
  Shape s{32000, 4096, 32, 32, 8, 128, 0};
  s.experts = 8;
  s.active = 2;
  s.expert_ffn = 14336;
  return decoder(s);
}
inline Model gpt_oss(Count layers, Count experts) {
  Shape s{201088, 2880, layers, 64, 8, 64, 0};
  s.gpt_oss = true;
  s.experts = experts;
  s.active = 4;
  s.expert_ffn = 2880;
  return decoder(s);
}
inline Model deepseek_v3() {
  Shape s{129280, 7168, 61, 128, 128, 0, 18432};
  s.q_rank = 1536;
  s.kv_rank = 512;
  s.nope = 128;
  s.rope = 64;
  s.value = 128;
  s.experts = 256;
  s.active = 8;
  s.expert_ffn = 2048;
  s.shared_ffn = 2048;
  s.dense_layers = 3;
  s.correction = true;
  return decoder(s);
}

inline Model qwen3_32b() { return decoder({151936, 5120, 64, 64, 8, 128, 25600, false, true}); }
inline Model command_a() {
  Shape s{256000, 12288, 64, 96, 8, 128, 36864, true};
  s.norms = 1;
  return decoder(s);
}
inline Model glm_32b(Count kv_heads) {
  Shape s{151552, 6144, 61, 48, kv_heads, 128, 23040};
  s.norms = 4;
  return decoder(s);
}
inline Model falcon_7b() {
  Shape s{65024, 4544, 32, 71, 1, 64, 18176, true};
  s.fused = true;
  s.norms = 1;
  Model model = decoder(s);
  model.parallel_block = true;
  model.norm = NormKind::layer;
  std::get<Mlp>(model.kinds[0].feed_forward).gated = false;
  model.kind_tensors[0].erase(model.kind_tensors[0].begin() + 3);  // the fused gate_up
  model.kind_tensors[0].push_back(matrix(TensorRole::mlp_up, 18176, 4544));
  model.kind_tensors[0].push_back(vector_of(TensorRole::norm, 4544));
  model.outer_tensors.push_back(vector_of(TensorRole::norm, 4544));
  return model;
}

}  // namespace vram::hand_built
