#include "core/model/tensors.h"

#include "core/model/layer_tensors.h"

namespace vram {
namespace {

using enum TensorRole;

// MLP_GATED, MLP_PLAIN (F-2.1).
void append(const Mlp& m, Count hidden, TensorList& out) {
  if (m.gated && m.fused_gate_up) {
    out.matrix(mlp_up, m.size * 2, hidden);
    if (m.bias) out.vector(bias, m.size * 2);
  } else {
    if (m.gated) out.matrix(mlp_gate, m.size, hidden);
    if (m.gated && m.bias) out.vector(bias, m.size);
    out.matrix(mlp_up, m.size, hidden);
    if (m.bias) out.vector(bias, m.size);
  }
  out.matrix(mlp_down, hidden, m.size);
  if (m.bias) out.vector(bias, hidden);
}

// MOE (F-2.1); latent experts work between two projections.
void append(const Experts& e, Count hidden, TensorList& out) {
  const Count width = e.latent ? e.latent : hidden;
  out.matrix(router, e.count, hidden);
  if (e.router_bias) out.vector(router, e.count);
  if (e.correction_bias) out.vector(router, e.count);
  if (e.latent) {
    out.matrix(expert_latent, e.latent, hidden);
    out.matrix(expert_latent, hidden, e.latent);
  }
  if (e.gated) out.matrix(expert_gate, e.size, width, e.count);
  out.matrix(expert_up, e.size, width, e.count);
  out.matrix(expert_down, width, e.size, e.count);
  if (e.bias) out.matrix(expert_bias, 1, (e.gated ? e.size * 2 : e.size) + width, e.count);
  if (e.shared_size) {
    if (e.gated) out.matrix(shared_gate, e.shared_size, hidden);
    out.matrix(shared_up, e.shared_size, hidden);
    out.matrix(shared_down, hidden, e.shared_size);
    if (e.shared_gate) out.matrix(shared_router, 1, hidden);
  }
}

void append(std::monostate, Count, TensorList&) {}

bool is_routed(TensorRole role) {
  return role == expert_gate || role == expert_up || role == expert_down || role == expert_bias;
}

/// Elements that work on one token: `active` of the routed experts instead of all (F-2.2).
Count active_elements(const std::vector<Tensor>& tensors, const Layer& layer) {
  const Experts* experts = std::get_if<Experts>(&layer.feed_forward);
  Count sum;
  for (const Tensor& tensor : tensors) {
    sum +=
        experts != nullptr && is_routed(tensor.role) ? tensor.rows * tensor.cols * experts->active : tensor.elements();
  }
  return sum;
}

Count elements(const std::vector<Tensor>& tensors) {
  Count sum;
  for (const Tensor& tensor : tensors) sum += tensor.elements();
  return sum;
}

bool is_adaptable(TensorRole role) {
  switch (role) {
    case attn_q:
    case attn_k:
    case attn_v:
    case attn_qkv:
    case attn_output:
    case attn_q_down:
    case attn_q_up:
    case attn_kv_down:
    case attn_kv_up:
    case attn_indexer:
    case cross_q:
    case cross_k:
    case cross_v:
    case cross_output:
    case mlp_gate:
    case mlp_up:
    case mlp_down:
    case shared_gate:
    case shared_up:
    case shared_down:
    case mixer_in:
    case mixer_out: return true;
    default: return false;
  }
}

/// The stems in front of vision and speech encoders, which are models of their own here.
void append_stems(const Model& m, TensorList& out) {
  if (m.patch) {
    out.matrix(vision, m.hidden, m.patch * m.patch * 3);
    out.vector(vision_small, m.hidden);
    if (m.class_token) out.vector(vision_small, m.hidden);
  }
  if (m.mel_bins) {
    out.matrix(vision, m.hidden, m.mel_bins * 3);
    out.matrix(vision, m.hidden, m.hidden * 3);
    out.vector(vision_small, m.hidden * 2);
  }
}

}  // namespace

void append_layer_tensors(const Model& model, const Layer& layer, std::vector<Tensor>& out) {
  TensorList list(out);
  for (std::uint8_t i = 0; i < layer.norms; ++i) list.norm(model.norm, model.hidden);
  append_mixer(layer.mixer, model.hidden, list);
  append_mixer(layer.parallel_mixer, model.hidden, list);
  if (layer.cross_attention.heads) append_attention(layer.cross_attention, model.hidden, true, list);
  std::visit([&](const auto& part) { append(part, model.hidden, list); }, layer.feed_forward);
  if (layer.prediction_head) {
    list.matrix(mlp_up, model.hidden, model.hidden * 2);
    for (int i = 0; i < 3; ++i) list.norm(model.norm, model.hidden);
  }
  list.vector(attn_other, layer.extra_parameters);
}

void append_outer_tensors(const Model& m, std::vector<Tensor>& out) {
  TensorList list(out);
  const Count width = m.embedding_dim ? m.embedding_dim : m.hidden;
  const int stacks = m.encoder.empty() ? 1 : 2;
  list.matrix(token_embedding, m.vocab, width);
  append_stems(m, list);
  list.matrix(position_embedding, m.positions, m.hidden);
  list.matrix(position_embedding, m.encoder_positions, m.hidden);
  list.matrix(position_embedding, m.token_types, m.hidden);
  if (m.relative_rows) {
    list.matrix(position_embedding, m.relative_rows, m.hidden);
    list.norm(m.norm, m.hidden);
  }
  list.vector(attn_other, m.relative_biases);
  for (int i = 0; i < stacks; ++i) {
    if (m.embedding_norm) list.norm(m.norm, m.hidden);
    if (m.final_norm) list.norm(m.norm, m.hidden);
  }
  if (m.has_output) {
    if (!m.tied) list.matrix(output, m.vocab, width);
    if (m.output_bias) list.vector(bias, m.vocab);
  }
  if (width != m.hidden && m.vocab) list.matrix(projector, m.hidden, width);
  if (m.pooler) {
    list.matrix(classifier, m.hidden, m.hidden);
    list.vector(bias, m.hidden);
  }
  if (m.classes) {
    list.matrix(classifier, m.classes, m.hidden);
    list.vector(bias, m.classes);
  }
  if (m.projection) {
    list.matrix(classifier, m.projection, m.hidden);
    if (m.projection_bias) list.vector(bias, m.projection);
  }
  list.vector(token_embedding, m.per_layer_embedding);
  list.vector(attn_other, m.extra_parameters);
}

void derive_tensors(Model& model) {
  model.kind_tensors.assign(model.kinds.size(), {});
  std::vector<Count> all(model.kinds.size());
  std::vector<Count> active(model.kinds.size());
  for (std::size_t i = 0; i < model.kinds.size(); ++i) {
    append_layer_tensors(model, model.kinds[i], model.kind_tensors[i]);
    all[i] = elements(model.kind_tensors[i]);
    active[i] = active_elements(model.kind_tensors[i], model.kinds[i]);
  }
  model.outer_tensors.clear();
  append_outer_tensors(model, model.outer_tensors);
  for (Tower& tower : model.towers) count_tower(tower);
  model.tower_tensors.clear();
  append_tower_tensors(model, model.tower_tensors);

  model.active_parameters = elements(model.outer_tensors);
  model.parameters = model.active_parameters + elements(model.tower_tensors);
  for (const std::vector<std::uint16_t>* order : {&model.order, &model.encoder}) {
    for (const std::uint16_t kind : *order) {
      model.parameters += all[kind];
      model.active_parameters += active[kind];
    }
  }
}

void append_linear_modules(const Model& model, const Layer& layer, std::vector<Tensor>& out) {
  std::vector<Tensor> tensors;
  append_layer_tensors(model, layer, tensors);
  for (const Tensor& tensor : tensors) {
    if (is_adaptable(tensor.role) && !tensor.is_vector()) out.push_back(tensor);
  }
}

}  // namespace vram
