#include "core/model/imports/gguf_layer.h"

#include "core/model/limits.h"
#include "core/model/tensors.h"

namespace vram::imports {
namespace {

/// A file's number as far as a model's description can hold it.
Count bounded(Count value, Count most) { return min(value, most); }

void read_qk_norm(const GgufLayer& l, Attention& a) {
  const Count width = l.dimension("attn_q_norm.weight", 0);
  if (!width) return;
  const bool per_head = width == a.head_dim && l.dimension("attn_q_norm.weight", 1) <= Count(1);
  a.qk_norm = per_head ? QkNorm::per_head : QkNorm::full;
}

/// Softmax attention. Shapes tell the sizes; the metadata tells how many heads they are cut into.
Attention read_attention(const GgufLayer& l, Count hidden, bool cross = false) {
  const auto name = [&](std::string_view part) {
    return std::string(cross ? "cross_attn_" : "attn_") + std::string(part);
  };
  Attention a;
  a.heads = bounded(l.number("attention.head_count"), limits::kHeads);
  a.kv_heads = bounded(l.number("attention.head_count_kv", a.heads), limits::kHeads);
  if (!a.kv_heads) a.kv_heads = a.heads;
  const Count fallback = a.heads ? hidden / a.heads : Count();
  a.head_dim = l.number("attention.key_length", fallback);
  a.value_dim = l.number("attention.value_length", a.head_dim);
  const Count queries = l.dimension(name("q.weight"), 1);
  const Count keys = l.dimension(name("k.weight"), 1), values = l.dimension(name("v.weight"), 1);
  if (keys && a.kv_heads) a.head_dim = keys / a.kv_heads;
  if (keys) a.value_dim = values && a.kv_heads ? values / a.kv_heads : a.head_dim;
  if (!keys && queries && a.heads) {
    a.has_kv = false;
    a.shares_cache = true;
  }
  a.value_is_key = keys && !values;
  // Qwen3-Next: the query projection yields a gate of its own width as well.
  a.output_gate = queries && queries == a.heads * a.head_dim * 2;
  a.fused_qkv = l.has(name("qkv.weight"));
  a.q_bias = l.has(name("q.bias")) || l.has(name("qkv.bias"));
  a.k_bias = l.has(name("k.bias")) || l.has(name("qkv.bias"));
  a.v_bias = l.has(name("v.bias")) || l.has(name("qkv.bias"));
  a.o_bias = l.has(name("output.bias")) || l.has(name("o.bias"));
  a.sinks = l.has("attn_sinks.weight");
  a.causal = true;
  read_qk_norm(l, a);
  return a;
}

LatentAttention read_latent(const GgufLayer& l) {
  LatentAttention a;
  a.heads = bounded(l.number("attention.head_count"), limits::kHeads);
  a.q_rank = l.dimension("attn_q_a.weight", 1);
  a.kv_rank = l.number("attention.kv_lora_rank");
  a.rope_dim = l.number("rope.dimension_count");
  // Files for the absorbed form state the compressed lengths and the true ones beside them.
  a.value_dim = l.number("attention.value_length_mla", l.number("attention.value_length"));
  a.nope_dim = l.number("attention.key_length_mla", l.number("attention.key_length")) - a.rope_dim;
  a.indexer_heads = bounded(l.number("attention.indexer.head_count"), limits::kHeads);
  a.indexer_dim = l.number("attention.indexer.key_length");
  if (!l.has("indexer.attn_q_b.weight")) a.indexer_heads = a.indexer_dim = 0;
  return a;
}

Mixer read_state_space(const GgufLayer& l) {
  const Count inner = l.number("ssm.inner_size"), state = l.number("ssm.state_size");
  const Count rank = l.number("ssm.time_step_rank"), groups = l.number("ssm.group_count", 1);
  const Count kernel = l.number("ssm.conv_kernel", 4);
  if (l.has("ssm_x.weight")) {
    Mamba1 m{inner, state, rank, kernel, l.has("ssm_dt_norm.weight") || l.has("ssm_b_norm.weight")};
    return m;
  }
  if (l.has("ssm_beta.weight") || l.has("ssm_ba.weight") || l.has("ssm_alpha.weight")) {
    return GatedDeltaNet{groups, rank, state, rank ? inner / rank : Count(), kernel};
  }
  return Mamba2{rank, rank ? inner / rank : Count(), groups, state, kernel, l.has("ssm_norm.weight")};
}

Rwkv read_rwkv(const GgufLayer& l) {
  Rwkv r;
  r.head_size = l.number("wkv.head_size", 64);
  r.decay_rank = l.dimension("time_mix_w1.weight", 1);
  r.rate_rank = l.dimension("time_mix_a1.weight", 1);
  r.value_rank = l.dimension("time_mix_v1.weight", 1);
  r.gate_rank = l.dimension("time_mix_g1.weight", 1);
  return r;
}

Experts read_experts(const GgufLayer& l) {
  Experts e;
  const bool fused = l.has("ffn_gate_up_exps.weight");
  e.count = bounded(l.dimension("ffn_down_exps.weight", 2), limits::kExperts);
  e.active = max(1, min(e.count, l.number("expert_used_count", 1)));
  e.size = l.dimension("ffn_down_exps.weight", 0);
  e.gated = fused || l.has("ffn_gate_exps.weight");
  e.bias = l.has("ffn_down_exps.bias");
  e.router_bias = l.has("ffn_gate_inp.bias");
  e.correction_bias = l.has("exp_probs_b.bias");
  e.shared_size = l.dimension("ffn_down_shexp.weight", 0);
  e.shared_gate = l.has("ffn_gate_inp_shexp.weight");
  return e;
}

Mlp read_mlp(const GgufLayer& l) {
  Mlp m;
  m.size = l.dimension("ffn_down.weight", 0);
  const Count up = l.dimension("ffn_up.weight", 1);
  m.fused_gate_up = !l.has("ffn_gate.weight") && up == m.size * 2;
  m.gated = m.fused_gate_up || l.has("ffn_gate.weight");
  m.bias = l.has("ffn_down.bias");
  return m;
}

bool is_rwkv(const GgufLayer& l) { return l.has("time_mix_w1.weight") && l.has("time_mix_key.weight"); }

Count described(const Model& model, const Layer& layer) {
  std::vector<Tensor> tensors;
  append_layer_tensors(model, layer, tensors);
  Count sum;
  for (const Tensor& tensor : tensors) sum += tensor.elements();
  return sum;
}

}  // namespace

const FileTensor* GgufLayer::find(std::string_view suffix) const {
  for (const Entry& entry : tensors_) {
    if (entry.suffix == suffix) return entry.tensor;
  }
  return nullptr;
}

Count GgufLayer::dimension(std::string_view suffix, std::size_t axis) const {
  const FileTensor* tensor = find(suffix);
  if (tensor == nullptr) return {};
  if (axis >= tensor->dimensions) return 1;
  return min(tensor->shape[axis], limits::kWidth * 64);
}

Count GgufLayer::number(std::string_view key, Count fallback) const {
  const GgufValue* value = file_->find(std::string(architecture_) + "." + std::string(key));
  if (value == nullptr || value->is_text) return fallback;
  if (!value->is_list) return value->number;
  return index_ < value->list.size() ? Count(value->list[index_]) : fallback;
}

Count GgufLayer::elements() const {
  Count sum;
  for (const Entry& entry : tensors_) sum += entry.tensor->elements;
  return sum;
}

Count GgufLayer::norms(Count hidden) const {
  Count norms;
  for (const Entry& entry : tensors_) {
    const bool is_norm = entry.suffix.ends_with("norm.weight") || entry.suffix.ends_with("norm_2.weight");
    const bool of_heads = entry.suffix.starts_with("attn_q_") || entry.suffix.starts_with("attn_k_") ||
                          entry.suffix.starts_with("attn_kv_") || entry.suffix.starts_with("ssm_");
    if (is_norm && !of_heads && entry.tensor->dimensions == 1 && Count(entry.tensor->shape[0]) == hidden) norms += 1;
  }
  return min(norms, 8);
}

Layer layer_of_gguf(const GgufLayer& l, const Model& model) {
  Layer layer;
  const bool state_space = l.has("ssm_out.weight");
  const bool delta = state_space && (l.has("ssm_beta.weight") || l.has("ssm_ba.weight") || l.has("ssm_alpha.weight"));
  const bool attention = !delta && (l.has("attn_q.weight") || l.has("attn_qkv.weight"));
  if (l.has("attn_kv_a_mqa.weight")) {
    layer.mixer = read_latent(l);
  } else if (attention) {
    layer.mixer = read_attention(l, model.hidden);
    if (state_space) layer.parallel_mixer = read_state_space(l);
  } else if (state_space) {
    layer.mixer = read_state_space(l);
  } else if (l.has("shortconv.conv.weight")) {
    layer.mixer = ShortConv{l.number("shortconv.l_cache", 3)};
  } else if (is_rwkv(l)) {
    layer.mixer = read_rwkv(l);
  }
  if (l.has("cross_attn_q.weight")) {
    layer.cross_attention = read_attention(l, model.hidden, true);
    layer.cross_attention.causal = false;
  }
  if (l.has("ffn_down_exps.weight")) {
    layer.feed_forward = read_experts(l);
  } else if (l.has("ffn_down.weight")) {
    layer.feed_forward = read_mlp(l);
  } else if (l.has("channel_mix_key.weight")) {
    Mlp m;
    m.size = l.dimension("channel_mix_key.weight", 1);
    m.gated = false;
    m.activation = Activation::relu2;
    layer.feed_forward = m;
  }
  layer.norms = static_cast<std::uint8_t>(l.norms(model.hidden).value());
  layer.prediction_head = l.has("nextn.eh_proj.weight");
  layer.extra_parameters = l.elements() - described(model, layer);
  return layer;
}

}  // namespace vram::imports
