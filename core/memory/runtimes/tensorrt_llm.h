// Activation memory of a TensorRT-LLM engine, as NVIDIA's aiconfigurator calibrates it.
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/model/model.h"

namespace vram {

/// 2 * tokens * heads * head_dim * C, C = 10, 6, 5 for 1, 2, more GPUs, at least 70 MiB; experts add their dispatch buffers
/// (F-5.4). Worked number: Llama-3.1-8B, 8,192 tokens -> 671,088,640 bytes (T-5.04).
Bytes tensorrt_activations(const Model& model, LayerRange range, Count tokens, Count tensor, Count expert);

}  // namespace vram
