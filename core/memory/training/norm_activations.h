// What normalisations keep for the backward pass.
#pragma once

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Bytes one normalisation of `rows` vectors of `width` keeps, its output excluded (that is the next linear's input).
/// RMSNorm as Llama code writes it: the fp32 input, the row's rsqrt and, where the weight is trained, the normalised
/// vector; 16-bit, rows T, width h: 6Th + 4T. LayerNorm: the input and two fp32 statistics per row. Oracle section 2.
Bytes norm_activations(const Model& model, const ActivationRecipe& recipe, Count rows, Count width);

/// The same for the norm of queries or keys, whose input has the compute dtype.
Bytes head_norm_activations(const ActivationRecipe& recipe, Count rows, Count width);

}  // namespace vram
