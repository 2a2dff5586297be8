#include "core/model/stored_weights.h"

#include <span>
#include <variant>

namespace vram {
namespace {

using Role = TensorRole;

enum class Group : std::uint8_t { split, replicated, experts };

/// How parallelism treats a tensor. Biases of column-parallel layers are divided in truth; next to their matrices they
/// are nothing, so all biases count as replicated. F-9: Megatron, vLLM.
Group group_of(Role role) {
  switch (role) {
    case Role::expert_gate:
    case Role::expert_up:
    case Role::expert_down:
    case Role::expert_bias: return Group::experts;
    case Role::norm:
    case Role::bias:
    case Role::router:
    case Role::shared_router:
    case Role::attn_q_down:
    case Role::attn_kv_down:
    case Role::attn_indexer:
    case Role::attn_other:
    case Role::mixer_state:
    case Role::expert_latent:
    case Role::position_embedding: return Group::replicated;
    default: return Group::split;
  }
}

/// What llama.cpp's counters see in one kind of layer.
struct KindCounts {
  std::uint32_t values = 0;      ///< tensors that count as attn_v
  std::uint32_t downs = 0;       ///< ffn_down, ffn_down_exps, ffn_down_shexp
  std::uint16_t place_bits = 0;  ///< LayerPlace bits that belong to the kind
};

/// The tensors of a kind; none when derive_tensors() has not run.
std::span<const Tensor> tensors_of(const Model& model, std::size_t kind) {
  if (kind >= model.kind_tensors.size()) return {};
  return model.kind_tensors[kind];
}

KindCounts counts_of(const Model& model, std::size_t kind) {
  KindCounts counts;
  const Mixer& mixer = model.kinds[kind].mixer;
  if (std::holds_alternative<GatedDeltaNet>(mixer)) {
    counts.place_bits = LayerPlace::kDeltaNet;
    counts.values = 1;
  } else if (std::holds_alternative<Rwkv>(mixer)) {
    counts.place_bits = LayerPlace::kTimeMix;
  }
  for (const Tensor& tensor : tensors_of(model, kind)) {
    if (tensor.is_vector()) continue;
    switch (tensor.role) {
      case Role::attn_v:
      case Role::cross_v:
      case Role::attn_qkv: ++counts.values; break;
      case Role::mlp_down:
      case Role::expert_down:
      case Role::shared_down: ++counts.downs; break;
      default: break;
    }
  }
  return counts;
}

/// Stores layers one after the other and keeps one entry per (kind, place).
class LayerStore {
 public:
  LayerStore(const Model& model, const WeightFormat& format, const QuantiserContext& context, StoredWeights& result)
      : model_(model), format_(format), context_(context), result_(result), places_(format.mix, context) {
    depends_on_place_ = format.scheme == WeightScheme::gguf && !places_.uniform();
    kinds_.reserve(model.kinds.size());
    for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) kinds_.push_back({counts_of(model, kind), kNone});
    result.kinds.reserve(4 * model.kinds.size());
    next_.reserve(4 * model.kinds.size());
  }

  /// Appends the layers' entries to `entries`; their weights go to `total` if there is one.
  void append(const std::vector<std::uint16_t>& layers, std::vector<std::uint16_t>& entries, Stored* total) {
    entries.reserve(layers.size());
    for (const std::uint16_t kind : layers) {
      const std::uint16_t entry = entry_for(kind);
      entries.push_back(entry);
      if (total != nullptr) *total += result_.kinds[entry].total();
    }
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;

  struct Kind {
    KindCounts counts;
    std::uint16_t first = kNone;  ///< head of the list of entries of this kind
  };
  struct Link {
    std::uint16_t bits;
    std::uint16_t next;
  };

  std::uint16_t entry_for(std::uint16_t index) {
    Kind& kind = kinds_[index];
    LayerPlace place;
    if (depends_on_place_) {
      const std::uint32_t ffn = places_.counts_ffn() ? downs_ : layers_;
      const bool shared_follows = places_.counts_ffn() && kind.counts.downs > 1;
      place = places_.at(values_, ffn, ffn + (shared_follows ? 1 : 0));
      values_ += kind.counts.values;
      downs_ += kind.counts.downs;
      ++layers_;
    }
    for (std::uint16_t entry = kind.first; entry != kNone; entry = next_[entry].next) {
      if (next_[entry].bits == place.bits) return entry;
    }
    const auto entry = static_cast<std::uint16_t>(result_.kinds.size());
    next_.push_back({place.bits, kind.first});
    kind.first = entry;
    result_.kinds.push_back(stored_layer(index, place));
    return entry;
  }

  LayerWeights stored_layer(std::uint16_t index, LayerPlace place) {
    place.bits |= kinds_[index].counts.place_bits;
    LayerWeights layer;
    for (const Tensor& tensor : tensors_of(model_, index)) {
      const StoredTensor stored = stored_tensor(format_, tensor, place, context_);
      const Count matrix = tensor.rows * tensor.cols;
      const Stored weights{matrix * tensor.matrices, stored.bytes};
      switch (group_of(tensor.role)) {
        case Group::split: layer.split += weights; break;
        case Group::replicated: layer.replicated += weights; break;
        case Group::experts: layer.experts += weights; break;
      }
      if (tensor.is_vector()) continue;
      result_.largest_matrix = max(result_.largest_matrix, matrix);
      if (!stored.quantised) continue;
      layer.quantised_bytes += weights.bytes;
      layer.quantised_elements += weights.elements;
      result_.largest_quantised_matrix = max(result_.largest_quantised_matrix, matrix);
    }
    return layer;
  }

  const Model& model_;
  const WeightFormat& format_;
  const QuantiserContext& context_;
  StoredWeights& result_;
  MixPlaces places_;
  bool depends_on_place_;
  std::vector<Kind> kinds_;
  std::vector<Link> next_;
  std::uint32_t values_ = 0, downs_ = 0, layers_ = 0;
};

void store_outer(const Model& model, const WeightFormat& format, const QuantiserContext& context,
                 StoredWeights& result) {
  for (const Tensor& tensor : model.outer_tensors) {
    if (tensor.role == Role::token_embedding && tensor.is_vector()) {
      // The layers' own embeddings: per_layer_token_embd, which has the type of token_embd. A layer's part of a row has
      // 256 elements in every model so far, so that no row ends inside a block.
      const Tensor table{Role::token_embedding, kNoLayer, ceil_div(tensor.cols, 256), 256, 1};
      result.per_layer_embedding += {tensor.cols, stored_bytes(format, table, {}, context)};
      continue;
    }
    // What Gemma 3n and 4 hold besides (per_layer_model_proj, altup_proj): llama.cpp and others leave it in 16 bit.
    Tensor kept = tensor;
    if (holds_unnamed_matrices(tensor)) kept.role = Role::projector;
    const Stored weights{tensor.elements(), stored_bytes(format, kept, {}, context)};
    switch (tensor.role) {
      case Role::token_embedding: result.token_embedding += weights; break;
      case Role::output: result.output += weights; break;
      default: result.other += weights; break;
    }
  }
  if (model.tied && model.has_output) result.tied_output = result.token_embedding;
  for (const Tensor& tensor : model.tower_tensors) {
    result.towers += {tensor.elements(), stored_bytes(format, tensor, {}, context)};
  }
}

/// The attention of a layer, if it has one: beside or in place of another mixer.
const Attention* attention_of(const Layer& layer) {
  const auto* attention = std::get_if<Attention>(&layer.mixer);
  return attention != nullptr ? attention : std::get_if<Attention>(&layer.parallel_mixer);
}

/// llama.cpp's n_gqa() looks at the first layer; where a hybrid's converter writes one number for all layers (the delta
/// nets) that is the first attention's, elsewhere a first layer without attention has 0 kv heads.
const Attention* grouping_attention(const Model& model) {
  if (model.order.empty()) return nullptr;
  const Layer& first = model.layer(0);
  if (!std::holds_alternative<GatedDeltaNet>(first.mixer)) return attention_of(first);
  for (const Layer& kind : model.kinds) {
    if (const Attention* attention = attention_of(kind)) return attention;
  }
  return nullptr;
}

/// llama.cpp's "falcon" has rules of its own. Its shape: attention and a plain MLP without biases side by side after a
/// normalisation with bias.
bool is_falcon_shaped(const Model& model) {
  if (!model.parallel_block || model.norm != NormKind::layer || model.linear_bias || model.order.empty()) return false;
  const auto* mlp = std::get_if<Mlp>(&model.layer(0).feed_forward);
  return mlp != nullptr && !mlp->gated && !mlp->bias;
}

}  // namespace

StoredWeights store(const Model& model, const WeightFormat& format, const QuantiserContext& context) {
  StoredWeights result;
  LayerStore layers(model, format, context, result);
  layers.append(model.encoder, result.encoder, &result.total);
  layers.append(model.order, result.order, &result.total);
  layers.append(model.mtp, result.mtp, nullptr);
  store_outer(model, format, context, result);
  result.total += result.token_embedding + result.output + result.other + result.towers + result.per_layer_embedding;
  return result;
}

QuantiserContext quantiser_context(const Model& model) {
  QuantiserContext context;
  context.layers = model.order.size() + model.encoder.size();
  std::vector<std::uint32_t> values(model.kinds.size());
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    values[kind] = counts_of(model, kind).values;
    const Layer& layer = model.kinds[kind];
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
      context.experts = max(context.experts, experts->count);
    }
    if (const auto* latent = std::get_if<LatentAttention>(&layer.mixer)) {
      context.latent_attention = true;
      context.latent_nope = latent->nope_dim;
      context.latent_value = latent->value_dim;
    }
    if (const auto* delta = std::get_if<GatedDeltaNet>(&layer.mixer)) {
      context.delta_gate_rows = delta->value_heads * delta->value_dim;
    }
  }
  std::uint64_t value_tensors = 0;
  for (const std::uint16_t kind : model.order) value_tensors += values[kind];
  for (const std::uint16_t kind : model.encoder) value_tensors += values[kind];
  context.value_tensors = value_tensors;
  if (const Attention* attention = grouping_attention(model)) {
    context.heads = attention->heads;
    context.kv_heads = attention->kv_heads;
  }
  // A file without a head's matrix stores the embedding as if it were one, encoders' too.
  context.tied = model.tied || !model.has_output;
  context.falcon = is_falcon_shaped(model);
  context.large_llama = model.order.size() == 80 && context.heads != context.kv_heads && !context.experts;
  return context;
}

}  // namespace vram
