#include "core/memory/training/weight_casts.h"

#include "core/memory/training/adapters.h"

namespace vram {
namespace {

/// Elements of the layer's matrices and, with `biases`, of the vectors added to their products, on one GPU. Norms are not
/// among them: autocast runs them in fp32. Their kind's tensors were derived when the model was read.
Count linear_elements(const Model& model, std::size_t kind, bool biases) {
  Count elements;
  for (const Tensor& tensor : model.kind_tensors[kind]) {
    if (!tensor.is_vector() || (biases && tensor.role == TensorRole::bias)) elements += tensor.elements();
  }
  return elements;
}

bool casts_adapters(const ActivationRecipe& recipe) {
  return recipe.adapters.active && recipe.autocast && recipe.adapters.bytes == Count(4);
}

}  // namespace

Bytes weight_casts(const Model& model, std::size_t kind, const ActivationRecipe& recipe) {
  Bytes bytes;
  if (recipe.casts_weights()) bytes += 2 * ceil_div(linear_elements(model, kind, false), recipe.tensor);
  if (casts_adapters(recipe)) {
    bytes += 2 * low_rank_elements(model, kind, recipe.adapters.targets, recipe.adapters.rank);
  }
  return bytes;
}

Bytes autocast_cache(const Model& model, std::size_t kind, const ActivationRecipe& recipe) {
  if (casts_adapters(recipe)) {
    return 2 * low_rank_elements(model, kind, recipe.adapters.targets, recipe.adapters.rank);
  }
  if (recipe.adapters.active || !recipe.casts_weights()) return {};
  return 2 * ceil_div(linear_elements(model, kind, true), recipe.tensor);
}

}  // namespace vram
