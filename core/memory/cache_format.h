// How one element of a cached key or value is stored.
#pragma once

#include "core/base/count.h"
#include "core/scenario/choices.h"

namespace vram {

/// Blocks of elements along a row, plus scales that belong to a whole head.
struct CacheFormat {
  Count block_elements = 1;
  Bytes block_bytes = 2;
  Bytes head_bytes = 0;  ///< scales per token and head

  /// Bytes of one token's row of `heads` vectors of `dim` elements; the last block of a row is padded.
  [[nodiscard]] constexpr Bytes row(Count heads, Count dim) const {
    return ceil_div(heads * dim, block_elements) * block_bytes + heads * head_bytes;
  }
  friend constexpr bool operator==(const CacheFormat&, const CacheFormat&) = default;
};

/// The format of a request's `kv_cache`. ggml types by their block layout (F-3.1); ExLlama's q8, q6, q4 hold one fp16 scale
/// per 32 elements (F-4.7). Worked number: q8_0, 8 heads of 128 -> 1,088 bytes.
CacheFormat cache_format(CacheType type);

/// vLLM's 8-bit cache with one fp32 scale per token and head (F-4.6): 8 heads of 128 -> 1,056 bytes.
inline constexpr CacheFormat kCacheInt8PerHead = {1, 1, 4};
/// vLLM's NVFP4 cache, 16 elements in 9 bytes (F-4.6): 8 heads of 128 -> 576 bytes.
inline constexpr CacheFormat kCacheNvfp4 = {16, 9, 0};
/// vLLM's packed fp8 row of sparse MLA per token and layer (F-4.3).
inline constexpr Bytes kPackedSparseLatent = 656;
/// Row of a sparse-attention indexer per token and layer: 128 fp8 elements and one fp32 scale (F-4.3).
constexpr Bytes indexer_row(Count indexer_dim) { return indexer_dim + 4; }

}  // namespace vram
