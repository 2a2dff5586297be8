#include "core/memory/kv_cache.h"

#include <algorithm>
#include <variant>

namespace vram {
namespace {

/// F-4.2: heads per GPU; engines repeat heads when there are more GPUs than heads.
constexpr Count heads_per_gpu(Count heads, Count tensor) { return max(ceil_div(heads, tensor), 1); }

constexpr Count value_dim(const Attention& attention) {
  return attention.value_dim ? attention.value_dim : attention.head_dim;
}

CacheRow latent_row(const LatentAttention& mla, const CacheLayout& layout) {
  CacheRow row;
  if (layout.expand_latent) {
    // F-4.3: full heads, nope + rope for keys.
    const Count heads = heads_per_gpu(mla.heads, layout.tensor);
    row.k = layout.k.row(heads, mla.nope_dim + mla.rope_dim);
    row.v = layout.v.row(heads, mla.value_dim);
    return row;
  }
  // F-4.3: one latent vector per token, the same on every tensor-parallel GPU.
  const bool packed = layout.pack_sparse_latent && mla.indexer_heads;
  row.latent = packed ? kPackedSparseLatent : layout.k.row(1, mla.kv_rank + mla.rope_dim);
  if (layout.latent_values) row.latent += layout.v.row(1, mla.kv_rank);
  return row;
}

/// Tokens for layers that see everything.
Count full_tokens(const CacheSpans& spans) {
  switch (spans.rule) {
    case SpanRule::llama_cells: return pad(spans.tokens, 256) * spans.sequences;
    case SpanRule::pages: {
      // A shared prefix is kept once, in whole pages; the last page of each sequence is rounded up (F-4.12).
      const Count common = min(spans.shared, spans.tokens) / spans.page;
      const Count own = ceil_div(spans.tokens, spans.page) - common;
      return (common + own * spans.sequences) * spans.page;
    }
    default: return spans.tokens * spans.sequences;
  }
}

/// Tokens for layers with a window or chunk of `reach` tokens (F-4.4).
Count limited_tokens(const CacheSpans& spans, Count reach, bool chunked) {
  switch (spans.rule) {
    case SpanRule::growing: return full_tokens(spans);
    case SpanRule::windowed: return min(spans.tokens, reach) * spans.sequences;
    case SpanRule::ratio: return mul_div(spans.tokens * spans.sequences, 4, 5);
    case SpanRule::llama_cells: {
      // pad(min(n_ctx_seq, W * (unified ? n_seq : 1) + n_ubatch), 256) cells per stream.
      const Count together = spans.unified ? spans.sequences : Count(1);
      const Count streams = spans.unified ? Count(1) : spans.sequences;
      return pad(min(pad(spans.tokens, 256) * together, reach * together + spans.step), 256) * streams;
    }
    case SpanRule::pages: {
      // ceil(min(W - 1 + step, limit) / page) + 1 blocks; chunks without the - 1 and the + 1.
      const Count limit = min(spans.limit ? spans.limit : spans.tokens, pad(spans.tokens, spans.page));
      const Count held = chunked ? reach + spans.step : reach + spans.step - 1;
      return (ceil_div(min(held, limit), spans.page) + (chunked ? 0 : 1)) * spans.page * spans.sequences;
    }
  }
  return {};
}

}  // namespace

CacheRow cache_row(const Attention& attention, const CacheLayout& layout) {
  CacheRow row;
  if (!attention.heads || !attention.causal || attention.shares_cache) return row;
  const Count heads = heads_per_gpu(attention.kv_heads, layout.tensor);
  const Count values = value_dim(attention);
  row.k = layout.k.row(heads, attention.head_dim);
  // One projection for both does not mean one cache: engines keep rotated keys and plain values.
  row.v = layout.padded_values ? layout.v.row(1, layout.padded_values) : layout.v.row(heads, values);
  return row;
}

CacheRow cache_row(const Mixer& mixer, const CacheLayout& layout) {
  if (const auto* attention = std::get_if<Attention>(&mixer)) return cache_row(*attention, layout);
  if (const auto* mla = std::get_if<LatentAttention>(&mixer)) {
    CacheRow row = latent_row(*mla, layout);
    if (layout.keep_indexer && mla->indexer_heads) row.index = indexer_row(mla->indexer_dim);
    return row;
  }
  return {};
}

Count widest_value_row(const Model& model, Count tensor) {
  Count widest;
  for (const Layer& layer : model.kinds) {
    for (const Mixer* mixer : {&layer.mixer, &layer.parallel_mixer}) {
      const auto* attention = std::get_if<Attention>(mixer);
      if (attention == nullptr) continue;
      widest = max(widest, heads_per_gpu(attention->kv_heads, tensor) * value_dim(*attention));
    }
  }
  return widest;
}

Count CacheSpans::kept(Count window, Count chunk) const {
  if (window) return limited_tokens(*this, window, false);
  if (chunk) return limited_tokens(*this, chunk, true);
  return full_tokens(*this);
}

Count occurrences(const Model& model, LayerRange range, std::size_t kind) {
  const std::size_t end = std::min(range.end, model.order.size());
  if (range.first >= end) return {};
  if (model.kinds.size() == 1) return end - range.first;
  const auto begin = model.order.begin();
  return std::count(begin + static_cast<std::ptrdiff_t>(range.first), begin + static_cast<std::ptrdiff_t>(end),
                    static_cast<std::uint16_t>(kind));
}

CacheSize kv_cache(const Model& model, LayerRange range, const CacheLayout& layout, const CacheSpans& spans,
                   Count encoder_tokens) {
  CacheSize size;
  const Count every_token = spans.kept(0, 0);
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    const Count layers = occurrences(model, range, kind);
    if (!layers) continue;
    const Layer& layer = model.kinds[kind];
    for (const Mixer* mixer : {&layer.mixer, &layer.parallel_mixer}) {
      const CacheRow row = cache_row(*mixer, layout);
      if (!row.total()) continue;
      Count window, chunk;
      if (const auto* attention = std::get_if<Attention>(mixer)) {
        window = attention->window;
        chunk = attention->chunk;
      }
      const bool limited = window || chunk;
      const Count tokens = limited ? spans.kept(window, chunk) : every_token;
      (limited ? size.limited_layers : size.full_layers) += layers;
      (limited ? size.limited_tokens : size.full_tokens) = tokens;
      size.row = max(size.row, row.total());
      size.k += layers * tokens * row.k;
      size.v += layers * tokens * row.v;
      size.latent += layers * tokens * row.latent;
      size.index += layers * tokens * row.index;
    }
    if (layer.cross_attention.heads) {
      // F-4.9: L_dec * enc_len * 2 * nh * hd * bytes per sequence.
      Attention cross = layer.cross_attention;
      cross.causal = true;
      size.cross += layers * encoder_tokens * spans.sequences * cache_row(cross, layout).total();
    }
  }
  return size;
}

Count encoder_tokens(const Model& model, Count context) {
  for (const Tower& tower : model.towers) {
    if (tower.tokens_per_image) return tower.tokens_per_image;
  }
  return context;
}

}  // namespace vram
