#include "core/memory/training/adapters.h"

#include "core/memory/training/activation_recipe.h"

namespace vram {
namespace {

/// LLaMA-Adapter's prompt length in LitGPT.
constexpr Count kPromptLength = 10;

bool is_low_rank(Adapter kind) { return kind == Adapter::lora || kind == Adapter::rslora || kind == Adapter::dora; }

bool is_linear(const Tensor& tensor) {
  return tensor.matrices == Count(1) && !tensor.is_vector() && tensor.role != TensorRole::router &&
         tensor.role != TensorRole::mixer_conv;
}

Count query_heads(const Model& model, std::size_t kind) {
  const auto* attention = std::get_if<Attention>(&model.kinds[kind].mixer);
  return attention == nullptr ? Count() : attention->heads;
}

/// Calls visit(rows, cols) for each adapter tensor of the layer.
template <class Visit>
void visit_tensors(const Model& model, std::size_t kind, const AdapterChoice& choice, const Visit& visit) {
  const bool low_rank = is_low_rank(choice.kind);
  if (!low_rank) {
    visit(kPromptLength, model.hidden);
    visit(Count(1), query_heads(model, kind));
  }
  for (const Tensor& tensor : model.kind_tensors[kind]) {
    if (choice.kind == Adapter::adapter_v2 && tensor.role == TensorRole::norm) visit(Count(1), tensor.elements());
    if (!is_linear(tensor)) continue;
    if (choice.kind == Adapter::adapter_v2) {
      visit(Count(1), tensor.rows);
      visit(Count(1), tensor.rows);
    }
    if (!low_rank || (targets_of(tensor.role) & choice.targets) == 0) continue;
    visit(choice.rank, tensor.cols);
    visit(tensor.rows, choice.rank);
    if (choice.kind == Adapter::dora) visit(Count(1), tensor.rows);
  }
}

}  // namespace

std::uint32_t targets_of(TensorRole role) {
  constexpr std::uint32_t q = target_bit(LoraTarget::q);
  constexpr std::uint32_t k = target_bit(LoraTarget::k);
  constexpr std::uint32_t v = target_bit(LoraTarget::v);
  switch (role) {
    case TensorRole::attn_q:
    case TensorRole::attn_q_down:
    case TensorRole::attn_q_up:
    case TensorRole::cross_q: return q;
    case TensorRole::attn_k:
    case TensorRole::cross_k: return k;
    case TensorRole::attn_v:
    case TensorRole::cross_v: return v;
    case TensorRole::attn_kv_down:
    case TensorRole::attn_kv_up: return k | v;
    case TensorRole::attn_qkv:
    case TensorRole::mixer_in: return q | k | v;
    case TensorRole::attn_output:
    case TensorRole::cross_output:
    case TensorRole::mixer_out: return target_bit(LoraTarget::o);
    case TensorRole::mlp_gate:
    case TensorRole::shared_gate: return target_bit(LoraTarget::gate);
    case TensorRole::mlp_up:
    case TensorRole::shared_up: return target_bit(LoraTarget::up);
    case TensorRole::mlp_down:
    case TensorRole::shared_down: return target_bit(LoraTarget::down);
    default: return 0;
  }
}

Count adapter_elements(const Model& model, std::size_t kind, const AdapterChoice& choice) {
  Count elements;
  visit_tensors(model, kind, choice, [&elements](Count rows, Count cols) { elements += rows * cols; });
  return elements;
}

Count low_rank_elements(const Model& model, std::size_t kind, std::uint32_t targets, Count rank) {
  return adapter_elements(model, kind, {.kind = Adapter::lora, .rank = rank, .targets = targets});
}

Count outer_adapter_elements(const Model& model, const AdapterChoice& choice) {
  if (!is_low_rank(choice.kind)) return {};
  const Count width = model.embedding_dim ? model.embedding_dim : model.hidden;
  Count elements;
  if ((choice.targets & target_bit(LoraTarget::embed)) != 0) elements += choice.rank * (model.vocab + width);
  if ((choice.targets & target_bit(LoraTarget::lm_head)) != 0 && model.has_output) {
    elements += choice.rank * (model.vocab + model.hidden);
  }
  return elements;
}

void add_adapter_tensors(const Model& model, std::size_t kind, const AdapterChoice& choice, Count layers,
                         OptimizerTally& tally) {
  visit_tensors(model, kind, choice, [&](Count rows, Count cols) {
    tally.add({.rows = rows, .cols = cols, .copies = layers, .in_layer = true});
  });
}

}  // namespace vram
