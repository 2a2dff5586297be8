// Cache and state as lines of the ledger: the same for every engine.
#pragma once

#include "core/memory/kv_cache.h"
#include "core/memory/ledger.h"
#include "core/memory/recurrent_state.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Sequences alive on one copy of the model: the users of a server are shared among data-parallel copies; a batch is each
/// GPU's own.
Count sequences_per_copy(const Scenario& scenario);

/// Layers of the shard.
constexpr LayerRange range_of(const Shard& shard) { return {shard.first_layer, shard.layer_end}; }

/// Appends kv_cache.k, .v, .latent, .index and .cross.
void append_cache(const Model& model, LayerRange range, const CacheSize& size, const CacheSpans& spans, Phases phases,
                  const char* formula, DeviceLedger& device);

/// Appends state.conv and state.recurrent.
void append_state(const StateSize& size, Count sequences, Phases phases, DeviceLedger& device);

}  // namespace vram
