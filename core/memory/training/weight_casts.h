// 16-bit copies of fp32 weights under autocast.
#pragma once

#include <cstddef>

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Copies of the layer's matrices, base and adapters, that autograd keeps from forward to backward: 2 bytes an element.
Bytes weight_casts(const Model& model, std::size_t kind, const ActivationRecipe& recipe);

/// 16-bit copies of the layer's *trained* weights and biases that the autocast cache holds until autocast exits, with
/// checkpointing or without (oracle section 2).
Bytes autocast_cache(const Model& model, std::size_t kind, const ActivationRecipe& recipe);

}  // namespace vram
