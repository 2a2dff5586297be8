// What engines hold beside the checkpoint's own bytes: rotary tables, the allocator's rounding of large tensors, padding that
// a kernel wants.
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// How an engine lays out matrices that belong together.
enum class FusedMatrices : std::uint8_t {
  as_stored,  ///< q, k, v, gate and up are tensors of their own (Transformers)
  merged,     ///< q, k and v are one tensor, gate and up another, a layer's experts two (vLLM, SGLang)
};

/// Elements of one position in the rotary tables: the distinct rotary widths of a range of layers, added up.
Count rotary_width(const Model& model, LayerRange range);

/// Cosine and sine of every position, one table per rotary width, the same on every GPU: positions * width * bytes
/// (vLLM rotary_embedding: cos_sin_cache). Zero for models without rotary attention or with an unknown context.
/// Worked number: Llama-3.1-8B in 16 bit -> 33,554,432.
Bytes rotary_table(const Model& model, LayerRange range, Count element_bytes);

/// F-14.3: a tensor of 10 MiB or more gets a segment of whole 2 MiB; what remains of it is not split off when it is 1 MiB
/// or less, and counts as allocated. Worked number: 10.5 MiB -> 1.5 MiB remain and are split off: 0; 11.5 MiB -> 0.5 MiB.
Bytes unsplit_remainder(Bytes tensor);

/// Sum of the unsplit remainders of a shard's plainly stored weights on one of its GPUs. Zero for other formats.
Bytes unsplit_remainders(const Scenario& scenario, const Shard& shard, FusedMatrices layout);

/// Bytes that MXFP4 experts gain on one GPU when their inner width is padded to 128 and the hidden width to 256: Marlin's
/// tiles (vLLM mxfp4.py, create_weights). Worked number: gpt-oss-20b on one GPU -> 917,471,232.
Bytes padded_experts(const Scenario& scenario, const Shard& shard);

/// Appends `weights.rotary` and `weights.rounding`. Returns their sum.
Bytes append_weight_overheads(const Scenario& scenario, Bytes rotary, Bytes rounding, Phases phases,
                              DeviceLedger& device);

}  // namespace vram
