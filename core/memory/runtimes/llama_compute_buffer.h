// llama.cpp's compute buffer: the largest set of fp32 intermediates alive at once in one physical batch (F-5.5).
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/model/model.h"

namespace vram {

/// What decides the buffer of one GPU.
struct ComputeBufferCase {
  Count ubatch = 512;  ///< tokens of a physical batch, already at most the context
  Count cells;         ///< of the widest cache a layer reads
  bool flash_attention = true;
  bool output = true;          ///< this GPU computes the logits
  Count outputs;               ///< rows of logits; 0 = every token of the batch
  bool half_mask = false;      ///< the mask arrives in fp16; else it is cast from fp32
  Bytes unpacked_cache;        ///< fp16 copy of one layer's quantised keys and values
  Bytes copied_matrix;         ///< largest matrix that stays in system memory and is copied over for a batch; 0 = none
  bool copies_output = false;  ///< that matrix is the head's: it stands beside the logits, else beside a layer
  bool pipelined = false;      ///< several GPUs, everything offloaded: four copies of each input
};

struct ComputeBuffer {
  Bytes vocabulary;  ///< logits phase: 4 u (V + h)
  Bytes layer;       ///< the widest layer's phase
  Bytes copies;      ///< additional input copies of pipelined GPUs
  Bytes masks;       ///< fp32 mask and its fp16 copy: 6 B per cell and token, which some builds hold through the logits
  Bytes every_output;  ///< what the logits of the whole batch take beyond those of the outputs

  [[nodiscard]] constexpr Bytes expected() const { return max(vocabulary, layer) + copies; }
  [[nodiscard]] constexpr Bytes high() const { return max(vocabulary + every_output + masks, layer) + copies; }
};

/// Worked numbers, u = 512: Llama-3-8B with flash attention 271,056,896 (T-5.10), without at 8,192 cells 587,204,608
/// (T-5.11).
ComputeBuffer llama_compute_buffer(const Model& model, LayerRange range, const ComputeBufferCase& use);

}  // namespace vram
