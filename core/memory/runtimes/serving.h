// What servers that allocate ahead have in common: a paged cache sized to the users, and the share of the card they take.
#pragma once

#include "core/memory/cache_items.h"
#include "core/memory/weights.h"

namespace vram {

/// Cache and state of a paged server on one GPU, for the users asked for and for a single full-length sequence.
struct ServedCache {
  CacheSize asked;  ///< all sequences at their average length
  StateSize asked_state;
  CacheSpans spans;     ///< of `asked`
  Bytes full_sequence;  ///< one sequence of full length, state included
};

struct ServedCacheRules {
  SpanRule rule = SpanRule::pages;
  Count page = 16;
  bool expand_latent = false;
  bool pack_sparse_latent = false;
  Count state_matrix_bytes = 4;
};
ServedCache served_cache(const Scenario& scenario, const Shard& shard, const ServedCacheRules& rules);

/// Appends cache and state lines.
void append_served_cache(const Scenario& scenario, const Shard& shard, const ServedCache& cache, DeviceLedger& device);

/// Enters what the server takes on this GPU and what `pool` bytes of cache hold: full-length sequences, and as many tokens as
/// sequences of that mix of layers give. Of several shards the largest reservation and the smallest capacity count.
void reserve(const Scenario& scenario, const ServedCache& cache, Bytes taken, Bytes pool, Ledger& ledger);

/// Appends the weights under tensor and expert parallelism with what servers hold beside them: rotary tables, the rounding of
/// merged matrices, padded MXFP4 experts. `own_head`: a tied model's head is a matrix of its own. Returns their bytes on one
/// GPU.
Bytes append_served_weights(const Scenario& scenario, const Shard& shard, DeviceLedger& device, bool own_head = false);

/// Captured CUDA graphs: fixed part + layers * part per layer * sizes / 51, more for experts (F-5.2). `sizes` batch sizes are
/// captured. Appends `cuda_graphs`; returns the band.
Band append_cuda_graphs(const Scenario& scenario, const Shard& shard, Count sizes, DeviceLedger& device);

/// Batch sizes vLLM captures for so many sequences: 1, 2, 4, then every 8 up to 256, every 16 up to 512 (51 in all).
Count captured_sizes(Count max_sequences);

/// Appends `runtime.non_torch`: what the engine holds outside the allocator beyond the context. Returns the band.
Band append_non_torch(const Scenario& scenario, const Shard& shard, DeviceLedger& device);

/// System memory of a server: one process per GPU.
void append_server_host(const Scenario& scenario, const Shard& shard, Ledger& ledger);

}  // namespace vram
