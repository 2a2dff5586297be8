#include "core/memory/weight_overheads.h"

#include <algorithm>
#include <array>
#include <variant>

#include "core/memory/allocator.h"

namespace vram {
namespace {

using Role = TensorRole;

Count rotary_width(const Mixer& mixer) {
  if (const auto* attention = std::get_if<Attention>(&mixer)) return attention->head_dim;
  if (const auto* mla = std::get_if<LatentAttention>(&mixer)) return mla->rope_dim;
  return {};
}

/// Divided among tensor-parallel GPUs; the others stand whole on each.
bool is_divided(Role role) {
  switch (role) {
    case Role::norm:
    case Role::bias:
    case Role::router:
    case Role::shared_router:
    case Role::attn_q_down:
    case Role::attn_kv_down:
    case Role::attn_indexer:
    case Role::attn_other:
    case Role::mixer_state: return false;
    default: return true;
  }
}

/// Matrices that a merged layout stores with the one before them.
bool continues(Role before, Role role) {
  switch (role) {
    case Role::attn_k:
    case Role::attn_v: return before == Role::attn_q || before == Role::attn_k;
    case Role::mlp_up: return before == Role::mlp_gate;
    case Role::shared_up: return before == Role::shared_gate;
    case Role::expert_up: return before == Role::expert_gate;
    default: return false;
  }
}

}  // namespace

Count rotary_width(const Model& model, LayerRange range) {
  if (model.positions) return {};
  std::array<Count, 4> widths{};
  std::size_t distinct = 0;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    if (!occurrences(model, range, kind)) continue;
    for (const Mixer* mixer : {&model.kinds[kind].mixer, &model.kinds[kind].parallel_mixer}) {
      const Count width = rotary_width(*mixer);
      const auto end = widths.begin() + static_cast<std::ptrdiff_t>(distinct);
      if (!width || distinct == widths.size() || std::find(widths.begin(), end, width) != end) continue;
      widths[distinct++] = width;
    }
  }
  Count elements;
  for (const Count width : widths) elements += width;
  return elements;
}

Bytes rotary_table(const Model& model, LayerRange range, Count element_bytes) {
  return model.context_max * rotary_width(model, range) * element_bytes;
}

Bytes unsplit_remainder(Bytes tensor) {
  if (allocator_block(tensor) < kLargeRequest) return {};
  const Bytes rest = allocator_segment(tensor) - allocator_block(tensor);
  return rest <= kSmallRequest ? rest : Bytes(0);
}

Bytes unsplit_remainders(const Scenario& scenario, const Shard& shard, FusedMatrices layout) {
  if (scenario.weights.scheme != WeightScheme::plain) return {};
  const Model& model = *scenario.model;
  const Count element_bytes = layout_of(scenario.weights.base).block_bytes;
  const Count tensor_parallel = scenario.parallel.tensor;
  const Count expert_parallel = max(scenario.parallel.expert, 1);
  const bool merged = layout == FusedMatrices::merged;
  const auto share = [&](const Tensor& tensor) {
    const bool routed = is_routed_expert(tensor.role);
    const Count parts = routed ? max(tensor_parallel, expert_parallel) : is_divided(tensor.role) ? tensor_parallel : 1;
    const Count matrices = routed && !merged ? Count(1) : tensor.matrices;
    return ceil_div(tensor.rows * tensor.cols * matrices, parts) * element_bytes;
  };
  Bytes sum;
  const LayerRange range{shard.first_layer, shard.layer_end};
  for (std::size_t kind = 0; kind < model.kind_tensors.size(); ++kind) {
    const Count layers = occurrences(model, range, kind);
    if (!layers) continue;
    Bytes pending;
    Role before = Role::norm;
    for (const Tensor& tensor : model.kind_tensors[kind]) {
      if (tensor.is_vector()) continue;
      if (!merged || !continues(before, tensor.role)) {
        sum += layers * unsplit_remainder(pending);
        pending = 0;
      }
      pending += share(tensor);
      before = tensor.role;
      if (is_routed_expert(tensor.role) && !merged) {
        sum += layers * tensor.matrices * unsplit_remainder(pending);
        pending = 0;
      }
    }
    sum += layers * unsplit_remainder(pending);
  }
  for (const Tensor& tensor : model.outer_tensors) {
    if (tensor.is_vector()) continue;
    if (tensor.role == Role::token_embedding ? shard.embedding : shard.output) sum += unsplit_remainder(share(tensor));
  }
  return sum;
}

Bytes padded_experts(const Scenario& scenario, const Shard& shard) {
  if (scenario.weights.scheme != WeightScheme::mxfp4) return {};
  const Model& model = *scenario.model;
  const Count parts = max(scenario.parallel.tensor, 1);
  const bool by_expert = scenario.parallel.expert > Count(1);
  Bytes sum;
  for (std::uint32_t i = shard.first_layer; i < shard.layer_end; ++i) {
    const auto* experts = std::get_if<Experts>(&model.layer(i).feed_forward);
    if (experts == nullptr) continue;
    const Count inner = by_expert ? experts->size : ceil_div(experts->size, parts);
    const Count count = by_expert ? ceil_div(experts->count, scenario.parallel.expert) : experts->count;
    const Count hidden = experts->latent ? experts->latent : model.hidden;
    const Count matrices = count * (experts->gated ? 3 : 2);
    sum += bytes_of(TensorType::mxfp4, matrices * pad(inner, 128), pad(hidden, 256)) -
           bytes_of(TensorType::mxfp4, matrices * inner, hidden);
  }
  return sum;
}

Bytes append_weight_overheads(const Scenario& scenario, Bytes rotary, Bytes rounding, Phases phases,
                              DeviceLedger& device) {
  if (rotary) {
    device.items.push_back({"weights.rotary",
                            Group::weights,
                            Level::allocated,
                            phases,
                            Band::exact(rotary),
                            "F-5.2",
                            {{"positions", scenario.model->context_max}},
                            ""});
  }
  if (rounding) {
    device.items.push_back(
        {"weights.rounding", Group::weights, Level::allocated, phases, Band::exact(rounding), "F-14.3", {}, ""});
  }
  return rotary + rounding;
}

}  // namespace vram
