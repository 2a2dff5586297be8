#include "core/memory/training/outer_activations.h"

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/norm_activations.h"

namespace vram {
namespace {

bool is_masked(const Model& model) {
  if (!is_classic(model)) return false;
  const auto* attention = std::get_if<Attention>(&model.kinds.front().mixer);
  return attention != nullptr && !attention->causal;
}

}  // namespace

Count rotary_dim(const Model& model) {
  if (model.positions || model.relative_biases) return {};
  for (const Layer& layer : model.kinds) {
    if (const auto* attention = std::get_if<Attention>(&layer.mixer)) return attention->head_dim;
    if (const auto* latent = std::get_if<LatentAttention>(&layer.mixer)) return latent->rope_dim;
  }
  return {};
}

SavedActivations embedding_activations(const Model& model, const ActivationRecipe& recipe) {
  const Count tokens = recipe.tokens();
  const Count replicated = recipe.replicated_tokens();
  SavedActivations saved;
  if (!recipe.adapters.active) {
    saved.activations += 8 * tokens;  // ids, int64
    if (model.positions) saved.activations += 8 * recipe.sequence;
    if (model.token_types) saved.activations += 8 * tokens;
  }
  if (model.embedding_norm) saved.activations += norm_activations(model, recipe, replicated, model.hidden);
  if (recipe.dropout) saved.activations += replicated * model.hidden;
  saved.activations += 2 * recipe.sequence * rotary_dim(model) * recipe.residual;
  if (model.post_norms) saved.activations += recipe.residual;  // the embedding's scale, a tensor without dimensions
  return saved;
}

SavedActivations head_activations(const Model& model, const ActivationRecipe& recipe, HeadInput input) {
  const Count elements = recipe.replicated_tokens() * model.hidden;
  SavedActivations saved;
  if (is_masked(model)) {
    // BERT's transform: its input, its output (GELU's input), and a norm that autocast runs in fp32.
    const Count square = model.hidden * model.hidden;
    saved.activations += 2 * recipe.compute * elements;
    saved.activations +=
        (recipe.casts_inputs() ? Count(4) : recipe.compute) * elements + 8 * recipe.replicated_tokens();
    if (recipe.casts_weights()) saved.weight_casts += 2 * square;
  } else if (model.final_norm) {
    saved.activations += norm_activations(model, recipe, recipe.replicated_tokens(), model.hidden);
  }
  if (!model.has_output || input == HeadInput::fused) return saved;
  if (input == HeadInput::kept) saved.activations += recipe.compute * elements;
  if (recipe.casts_weights()) saved.weight_casts += 2 * recipe.share(model.vocab) * model.hidden;
  return saved;
}

}  // namespace vram
