// What linear modules keep of their inputs.
#pragma once

#include <cstdint>

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"

namespace vram {

/// The linears that read one tensor.
struct LinearInput {
  Count tokens = 0;
  Count width = 0;
  Count readers = 1;              ///< matrices that read it; a fused matrix is one
  std::uint32_t targets = 0;      ///< mask over LoraTarget: what adapters call these linears
  bool in_compute_dtype = false;  ///< the tensor has the compute dtype already, not the residual's
  bool kept_anyway = false;       ///< somebody else keeps it (fused attention keeps its output)
};

/// Bytes kept of one tensor that linears read. Full training: once, or one 16-bit copy per linear under autocast; frozen
/// base: only what adapters read, by the adapters' dtype (F-8.4, oracle section 2).
Bytes linear_input_activations(const ActivationRecipe& recipe, const LinearInput& input);

/// A(x) of one adapter: rank elements per token in the dtype the adapter computes in.
Bytes adapter_product_activations(const ActivationRecipe& recipe, Count tokens);

/// Number of adapters among `targets` that are trained.
Count adapters_among(const ActivationRecipe& recipe, std::uint32_t targets);

}  // namespace vram
