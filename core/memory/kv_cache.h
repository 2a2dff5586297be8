// Keys and values of attention layers: how wide a token's row is, and how many tokens an engine keeps (F-4.1 to F-4.9).
#pragma once

#include <cstdint>

#include "core/base/count.h"
#include "core/memory/cache_format.h"
#include "core/model/model.h"

namespace vram {

/// How an engine lays out one token of one layer on one GPU.
struct CacheLayout {
  CacheFormat k, v;
  Count tensor = 1;                 ///< heads are divided among GPUs, and repeated when there are fewer (F-4.2)
  bool expand_latent = false;       ///< keeps MLA's full heads instead of the latent (F-4.3, HF DynamicCache)
  bool latent_values = false;       ///< the latent stands a second time, without its rotary part, as values
  bool pack_sparse_latent = false;  ///< 656-byte rows for MLA with an indexer (vLLM, fp8 cache)
  bool keep_indexer = false;        ///< the keys of MLA's sparse-attention indexer are cached too
  Count padded_values;  ///< v rows are padded to this many elements (llama.cpp without flash attention); 0 = not
};

/// Bytes of one token in one layer on one GPU.
struct CacheRow {
  Bytes k, v;
  Bytes latent;  ///< MLA's compressed vector
  Bytes index;   ///< keys of the sparse-attention indexer

  [[nodiscard]] constexpr Bytes total() const { return k + v + latent + index; }
};

/// Zero for layers that keep nothing: no attention, bidirectional encoders, layers that use an earlier layer's cache.
CacheRow cache_row(const Mixer& mixer, const CacheLayout& layout);
CacheRow cache_row(const Attention& attention, const CacheLayout& layout);

/// Largest number of value elements of any layer on one GPU: what CacheLayout::padded_values takes.
Count widest_value_row(const Model& model, Count tensor);

/// Which tokens an engine keeps for layers that see only a part (F-4.4).
enum class SpanRule : std::uint8_t {
  growing,      ///< every token for every layer: HF DynamicCache of older releases
  windowed,     ///< min(tokens, window): the ideal, and HF's sliding-window layers
  llama_cells,  ///< llama.cpp: padded cells, window + physical batch
  pages,        ///< vLLM: whole blocks, window + tokens of one step
  ratio,        ///< SGLang: the windowed pool holds 0.8 times the tokens of the full one
};

/// Sequences of equal length in one cache.
struct CacheSpans {
  SpanRule rule = SpanRule::windowed;
  Count tokens;  ///< per sequence
  Count sequences = 1;
  Count step;            ///< llama_cells: physical batch; pages: tokens scheduled in one step
  Count limit;           ///< pages: longest sequence the server admits; 0 = tokens
  Count page = 1;        ///< tokens per block
  Count shared;          ///< tokens at the start that all sequences have in common; whole pages of them are kept once
  bool unified = false;  ///< llama_cells: one stream of cells for all sequences

  /// Tokens (cells, slots) that layers with this window and chunk keep, all sequences together. 0 = no window, no chunk.
  [[nodiscard]] Count kept(Count window, Count chunk) const;
};

/// Decoder layers [first, end).
struct LayerRange {
  std::size_t first = 0, end = 0;
};
inline LayerRange all_layers(const Model& model) { return {0, model.layer_count()}; }

/// How often a kind of layer stands in the range.
Count occurrences(const Model& model, LayerRange range, std::size_t kind);

/// What the layers of a range keep on one GPU.
struct CacheSize {
  Bytes k, v, latent, index;
  Bytes cross;                        ///< keys and values of an encoder's output (F-4.9)
  Count full_layers, limited_layers;  ///< with all tokens, and with a window or chunk
  Count full_tokens, limited_tokens;  ///< that such a layer keeps (of the last such kind)
  Bytes row;                          ///< bytes per token of the widest layer

  [[nodiscard]] constexpr Bytes total() const { return k + v + latent + index + cross; }
};

/// Sum over the range. `encoder_tokens` are kept per sequence by layers with cross-attention.
/// Worked number: Llama-3.1-8B, f16, one sequence of 8,192 tokens -> 1,073,741,824 bytes (T-4.01).
CacheSize kv_cache(const Model& model, LayerRange range, const CacheLayout& layout, const CacheSpans& spans,
                   Count encoder_tokens);

/// Tokens of an encoder's output per sequence: the tower's tokens where a tower feeds the cross-attention, else `context`.
Count encoder_tokens(const Model& model, Count context);

}  // namespace vram
