// Walks a flat graph at a resolution: shapes, parameters, what is kept for the backward pass, and the peaks.
#pragma once

#include <array>
#include <vector>

#include "core/memory/vision/tape.h"
#include "core/model/vision/operation.h"

namespace vram::vision {

/// How normalisations of the backbone run (oracle section 7): with batch statistics; with stored ones, still keeping their
/// input (norm_eval of OpenMMLab); or as a fixed scale and shift that keeps only the scale (FrozenBatchNorm2d).
enum class BackboneNorm : std::uint8_t { batch, stored, affine };

struct WalkSettings {
  Count batch = 1, height = 224, width = 224, frames = 1;
  bool training = true;
  bool autocast = false;     ///< CUDA autocast over fp32 weights
  std::uint8_t element = 4;  ///< bytes of weights and of activations outside autocast
  int frozen_stages = -1;    ///< stages up to this one are not trained and run their norms with stored statistics
  BackboneNorm backbone_norm = BackboneNorm::batch;
  bool frozen = false;  ///< nothing is trained but what `adapter_rank` adds
  Count adapter_rank;   ///< LoRA on linear layers of attention; 0 = none
  std::uint8_t adapter_element = 4;
  bool checkpointing = false;    ///< units are recomputed
  bool accumulates = false;      ///< gradients of parameters exist before the step
  bool eager_attention = false;  ///< softmax of all pairs instead of a fused kernel
  Count boxes;                   ///< of the image with most of them; what a detector's targets are assigned from
  Count text_tokens;             ///< rows of `queries .given` with n = 0
};

/// A place of the network for the chart of memory along it.
struct FeatureMap {
  std::uint32_t operation = 0;
  Shape shape;
  Bytes bytes;
};

struct Footprint {
  Count parameters;  ///< all
  Count trained;
  Count cast_parameters;  ///< elements that autocast copies
  Count adapters;         ///< parameters of adapters
  Bytes buffers;          ///< statistics of normalisations
  Bytes input;            ///< the images
  Bytes saved_forward;    ///< kept when the network's own forward pass ends, losses not counted
  TapeResult tape;
  Bytes largest_output;
  Count units;                        ///< recomputable units seen
  std::array<FeatureMap, 16> maps{};  ///< the largest ones, in order of execution
  std::size_t map_count = 0;
};

/// Linear in the number of operations; allocates a few arrays.
Footprint walk(const Graph& graph, const WalkSettings& settings);

}  // namespace vram::vision
