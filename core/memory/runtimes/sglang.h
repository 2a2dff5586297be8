// The share of a card that SGLang gives to weights and pools when nobody sets it.
#pragma once

#include "core/base/count.h"

namespace vram {

/// mem_fraction_static, rounded to thousandths (F-5.3). `chunk`: tokens of a prefill chunk; `graph_sequences`: largest
/// captured batch. Worked number: 24,564 MiB, chunk 2,048, 24 sequences, one GPU -> 0.847.
double sglang_static_fraction(Bytes total, Count chunk, Count graph_sequences, Count tensor, Count pipeline);

}  // namespace vram
