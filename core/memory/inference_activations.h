// Activations of a forward pass without gradients: only one layer's are alive at a time (F-5.1).
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/model/model.h"

namespace vram {

/// How a mixture of experts is computed.
enum class ExpertDispatch : std::uint8_t {
  loop,     ///< one expert after the other, each with the tokens routed to it
  grouped,  ///< all experts in one kernel: every token's row once per chosen expert
};

/// Elements per token alive in a layer, the residual stream and the normalised input included.
struct LiveElements {
  Count mixer, feed_forward;
  [[nodiscard]] constexpr Count peak() const { return max(mixer, feed_forward); }
};

/// Heads and feed-forward widths are divided by `tensor`. Worked number: Llama-3.1-8B -> 23,552 and 51,200 (T-5.01).
LiveElements live_elements(const Model& model, const Layer& layer, Count tensor, ExpertDispatch dispatch);

/// The widest mixer and the widest feed-forward part of the range.
LiveElements widest_parts(const Model& model, LayerRange range, Count tensor, ExpertDispatch dispatch);

/// The widest layer of the range.
Count live_elements(const Model& model, LayerRange range, Count tensor, ExpertDispatch dispatch);

/// Width of the feed-forward product that an engine with fused gate and up kernels holds: f, or 1.5 * (k * m + shared) for
/// experts (F-5.2); the largest of the range.
Count widest_feed_forward(const Model& model, LayerRange range);

/// Largest number of query heads of any layer in the range.
Count most_heads(const Model& model, LayerRange range);

/// Bytes a vision tower holds while it encodes one native image: patches * e * max(4 h, 2 h + 2 f) (F-13.3).
Bytes tower_activations(const Model& model, Count element_bytes);

}  // namespace vram
