// States of layers that remember without a cache: per sequence, whatever its length (F-4.8).
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/model/model.h"

namespace vram {

/// Elements one layer keeps per sequence on one GPU.
struct StateElements {
  Count conv;    ///< last inputs of the short convolutions; RWKV: token shifts
  Count matrix;  ///< the recurrent state itself

  [[nodiscard]] constexpr Count total() const { return conv + matrix; }
};

/// Zero for attention. `hidden` is the model's; heads are divided by `tensor`.
StateElements state_elements(const Mixer& mixer, Count hidden, Count tensor);

/// Bytes per element.
struct StateFormat {
  Count conv_bytes = 4;
  Count matrix_bytes = 4;        ///< of delta nets, which every engine keeps in fp32
  Count mamba_matrix_bytes = 4;  ///< of Mamba and linear attention
};

/// What the layers of a range keep on one GPU for all sequences.
struct StateSize {
  Bytes conv, matrix;
  Count layers;
  [[nodiscard]] constexpr Bytes total() const { return conv + matrix; }
};

/// Worked number: Qwen3.5-35B-A3B in llama.cpp (all fp32), one sequence -> 65,863,680 bytes (T-4.14).
StateSize recurrent_state(const Model& model, LayerRange range, StateFormat format, Count tensor, Count sequences);

}  // namespace vram
