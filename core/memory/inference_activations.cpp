#include "core/memory/inference_activations.h"

#include <variant>

namespace vram {
namespace {

constexpr Count value_dim(const Attention& attention) {
  return attention.value_dim ? attention.value_dim : attention.head_dim;
}

/// Elements per token beside the residual stream and the normalised input (2 h).
struct MixerElements {
  Count hidden, tensor;

  [[nodiscard]] Count share(Count heads) const { return ceil_div(heads, tensor); }

  Count operator()(const Attention& attention) const {
    // F-5.1: q, k, v, the output, and rotated copies of q and k.
    const Count heads = share(attention.heads);
    const Count kv_heads = max(share(attention.kv_heads), 1);
    const Count queries = heads * attention.head_dim;
    const Count keys = kv_heads * attention.head_dim;
    const Count gate = attention.output_gate ? queries : Count(0);
    return queries + keys + kv_heads * value_dim(attention) + heads * value_dim(attention) + queries + keys + gate;
  }
  Count operator()(const LatentAttention& mla) const {
    const Count heads = share(mla.heads);
    const Count wide = heads * (mla.nope_dim + mla.rope_dim);
    return mla.q_rank + mla.kv_rank + mla.rope_dim + 3 * wide + 2 * heads * mla.value_dim;
  }
  Count operator()(const GatedDeltaNet& net) const {
    // Projections, their convolved copies, gate and output.
    const Count keys = share(net.key_heads) * net.key_dim;
    const Count values = share(net.value_heads) * net.value_dim;
    return 2 * (2 * keys + values) + 3 * values;
  }
  Count operator()(const KimiDelta& net) const { return 8 * share(net.heads) * net.head_dim; }
  Count operator()(const Mamba1& mamba) const { return 5 * share(mamba.inner) + mamba.dt_rank + 2 * mamba.state; }
  Count operator()(const Mamba2& mamba) const {
    const Count inner = share(mamba.heads) * mamba.head_dim;
    return 2 * (inner + 2 * mamba.groups * mamba.state) + 3 * inner;
  }
  Count operator()(const ShortConv&) const { return 4 * hidden; }
  Count operator()(const LinearAttention& attention) const { return 5 * share(attention.heads) * attention.head_dim; }
  Count operator()(const Rwkv&) const { return 6 * hidden; }
  Count operator()(std::monostate) const { return 0; }
};

struct FeedForwardElements {
  Count hidden, tensor;
  ExpertDispatch dispatch;

  static Count width(Count size, bool gated) { return (gated ? 3 : 2) * size; }

  Count operator()(const Mlp& mlp) const { return width(ceil_div(mlp.size, tensor), mlp.gated); }
  Count operator()(const Experts& experts) const {
    const Count input = experts.latent ? experts.latent : hidden;
    const Count inside = width(ceil_div(experts.size, tensor), experts.gated);
    // An expert of the loop sees k/E of the tokens on average; four times that covers uneven routing.
    const Count routed = dispatch == ExpertDispatch::grouped
                             ? experts.active * (2 * input + inside)
                             : mul_div(input + inside, min(4 * experts.active, experts.count), experts.count);
    const Count shared = width(ceil_div(experts.shared_size, tensor), experts.gated);
    return hidden + max(routed, shared);  // the summed output beside either
  }
  Count operator()(std::monostate) const { return 0; }
};

template <class Measure>
Count widest_kind(const Model& model, LayerRange range, Measure measure) {
  Count widest;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    const Count width = measure(model.kinds[kind]);
    if (width > widest && occurrences(model, range, kind)) widest = width;
  }
  return widest;
}

}  // namespace

LiveElements live_elements(const Model& model, const Layer& layer, Count tensor, ExpertDispatch dispatch) {
  const MixerElements mixer{model.hidden, tensor};
  const Count stream = 2 * model.hidden;
  const Count cross = layer.cross_attention.heads ? mixer(layer.cross_attention) : Count(0);
  const Count beside = std::visit(mixer, layer.parallel_mixer);
  return {stream + max(std::visit(mixer, layer.mixer) + beside, cross),
          stream + std::visit(FeedForwardElements{model.hidden, tensor, dispatch}, layer.feed_forward)};
}

LiveElements widest_parts(const Model& model, LayerRange range, Count tensor, ExpertDispatch dispatch) {
  const auto of = [&](const Layer& layer) { return live_elements(model, layer, tensor, dispatch); };
  return {widest_kind(model, range, [&](const Layer& layer) { return of(layer).mixer; }),
          widest_kind(model, range, [&](const Layer& layer) { return of(layer).feed_forward; })};
}

Count live_elements(const Model& model, LayerRange range, Count tensor, ExpertDispatch dispatch) {
  return widest_parts(model, range, tensor, dispatch).peak();
}

Count widest_feed_forward(const Model& model, LayerRange range) {
  return widest_kind(model, range, [](const Layer& layer) {
    if (const auto* mlp = std::get_if<Mlp>(&layer.feed_forward)) return mlp->size;
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
      return (experts->active * experts->size + experts->shared_size) * 3 / 2;
    }
    return Count();
  });
}

Count most_heads(const Model& model, LayerRange range) {
  return widest_kind(model, range, [](const Layer& layer) {
    Count heads = layer.cross_attention.heads;
    for (const Mixer* mixer : {&layer.mixer, &layer.parallel_mixer}) {
      if (const auto* attention = std::get_if<Attention>(mixer)) heads = max(heads, attention->heads);
      if (const auto* mla = std::get_if<LatentAttention>(mixer)) heads = max(heads, mla->heads);
    }
    return heads;
  });
}

Bytes tower_activations(const Model& model, Count element_bytes) {
  Bytes most;
  for (const Tower& tower : model.towers) {
    if (!tower.patch || !tower.image) continue;
    const Count edge = tower.image / tower.patch;
    const Count elements = max(4 * tower.hidden, 2 * tower.hidden + 2 * tower.ffn);
    most = max(most, edge * edge * elements * element_bytes);
  }
  return most;
}

}  // namespace vram
