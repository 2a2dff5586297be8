#include "core/memory/training/linear_activations.h"

#include <bit>

namespace vram {
namespace {

bool computes_in_fp32(const ActivationRecipe& recipe) {
  return recipe.adapters.bytes == Count(4) && recipe.residual == Count(2) && !recipe.autocast;
}

}  // namespace

Count adapters_among(const ActivationRecipe& recipe, std::uint32_t targets) {
  return std::popcount(recipe.adapters.targets & targets);
}

Bytes linear_input_activations(const ActivationRecipe& recipe, const LinearInput& input) {
  const Count elements = input.tokens * input.width;
  const bool cast = recipe.casts_inputs() && !input.in_compute_dtype;
  if (!recipe.adapters.active) {
    if (input.kept_anyway) return {};
    return cast ? input.readers * 2 * elements : recipe.compute * elements;
  }
  // A fused matrix has one adapter, whichever of its parts are named.
  const Count adapters = recipe.adapters.rank ? min(adapters_among(recipe, input.targets), input.readers) : Count();
  const Bytes frozen = recipe.adapters.keeps_inputs ? recipe.compute * elements : Bytes();
  if (!adapters) return frozen;
  const Count mask = recipe.adapters.dropout ? 1 : 0;
  if (recipe.autocast && recipe.adapters.casts_inputs) return adapters * 2 * elements;
  if (computes_in_fp32(recipe)) return adapters * (4 + mask) * elements;
  if (recipe.adapters.dropout) return frozen + adapters * (recipe.compute + 1) * elements;
  if (cast) return adapters * 2 * elements;
  return input.kept_anyway ? frozen : recipe.compute * elements;
}

Bytes adapter_product_activations(const ActivationRecipe& recipe, Count tokens) {
  return (computes_in_fp32(recipe) ? Count(4) : recipe.compute) * tokens * recipe.adapters.rank;
}

}  // namespace vram
