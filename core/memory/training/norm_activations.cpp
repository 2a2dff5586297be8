#include "core/memory/training/norm_activations.h"

namespace vram {
namespace {

/// Llama code: x in fp32 (the residual itself, or its fp32 copy), rsqrt, and x * rsqrt in the input's dtype.
Bytes rms(const ActivationRecipe& recipe, Count rows, Count width, Count input_bytes) {
  if (recipe.fused_kernels) return rows * width * input_bytes + 4 * rows;  // F-7.2 Liger: input and row statistic
  const Count normalised = recipe.adapters.active ? Count() : input_bytes;
  return rows * width * (4 + normalised) + 4 * rows;
}

}  // namespace

Bytes norm_activations(const Model& model, const ActivationRecipe& recipe, Count rows, Count width) {
  if (model.norm != NormKind::rms) return rows * width * recipe.residual + 8 * rows;  // mean and rstd, fp32 on CUDA
  if (model.post_norms && !recipe.fused_kernels) {
    // Gemma multiplies by 1 + w in fp32: an fp32 normalised copy where w is trained, and 1 + w itself in any case.
    const Count normalised = recipe.adapters.active ? 0 : 4;
    return rows * width * (4 + normalised) + 4 * rows + 4 * width;
  }
  return rms(recipe, rows, width, recipe.residual);
}

Bytes head_norm_activations(const ActivationRecipe& recipe, Count rows, Count width) {
  return rms(recipe, rows, width, recipe.compute);
}

}  // namespace vram
