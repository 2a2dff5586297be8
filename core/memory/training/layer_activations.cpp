#include "core/memory/training/layer_activations.h"

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/mixer_activations.h"
#include "core/memory/training/mlp_activations.h"
#include "core/memory/training/norm_activations.h"
#include "core/memory/training/weight_casts.h"

namespace vram {
namespace {

bool has_mixer(const Layer& layer) { return !std::holds_alternative<std::monostate>(layer.mixer); }

/// The widest tensor between a feed-forward part's matrices, for one token on one GPU.
Count feed_forward_width(const Layer& layer, const ActivationRecipe& recipe) {
  if (const auto* mlp = std::get_if<Mlp>(&layer.feed_forward)) return recipe.share(mlp->size);
  if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
    // One expert's rows at a time: T * k / E (F-7.5), and the shared experts for every token.
    return recipe.share(max(ceil_div(experts->active * experts->size, experts->count), experts->shared_size));
  }
  return {};
}

/// Outputs of the layer's linears for one token, routed experts aside.
Count linear_outputs(const Model& model, std::size_t kind) {
  Count outputs;
  for (const Tensor& tensor : model.kind_tensors[kind]) {
    if (!tensor.is_vector() && tensor.matrices == Count(1)) outputs += tensor.rows;
  }
  return outputs;
}

}  // namespace

SavedActivations layer_activations(const Model& model, std::size_t kind, const ActivationRecipe& recipe) {
  const Layer& layer = model.kinds[kind];
  const Count tokens = recipe.replicated_tokens();
  SavedActivations saved;
  saved.activations += Count(layer.norms) * norm_activations(model, recipe, tokens, model.hidden);
  saved.activations += mixer_activations(model, layer.mixer, recipe);
  saved.activations += mixer_activations(model, layer.parallel_mixer, recipe);
  saved.activations += cross_attention_activations(model, layer.cross_attention, recipe);
  if (const auto* mlp = std::get_if<Mlp>(&layer.feed_forward)) {
    // In a parallel block with one norm, attention and MLP read the same tensor.
    const bool shared = model.parallel_block && layer.norms == 1 && has_mixer(layer) && !recipe.adapters.active;
    saved.activations += mlp_activations(model, *mlp, recipe, shared);
  } else if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
    saved.activations += expert_activations(model, *experts, recipe);
  }
  if (recipe.adapters.scales_outputs)
    saved.activations += recipe.compute * recipe.tokens() * linear_outputs(model, kind);
  if (recipe.dropout) saved.activations += 2 * tokens * model.hidden;  // masks of one byte
  saved.weight_casts = weight_casts(model, kind, recipe);
  return saved;
}

Bytes checkpoint_activations(const Model& model, const ActivationRecipe& recipe) {
  return recipe.residual * recipe.replicated_tokens() * model.hidden;
}

Bytes selective_activations(const Model& model, std::size_t kind, const ActivationRecipe& recipe, bool compiled) {
  const Layer& layer = model.kinds[kind];
  const Count tokens = recipe.tokens();
  Bytes bytes = checkpoint_activations(model, recipe);
  if (!compiled) bytes += recipe.compute * recipe.replicated_tokens() * model.hidden;
  if (const auto* attention = std::get_if<Attention>(&layer.mixer)) {
    const Count heads = recipe.share(attention->heads);
    const Count queries = heads * attention->head_dim;
    const Count keys = recipe.share(attention->kv_heads) * attention->head_dim;
    bytes += tokens * (recipe.compute * (2 * queries + keys) + 4 * heads);
  } else if (has_mixer(layer)) {
    bytes += mixer_activations(model, layer.mixer, recipe) / 2;
  }
  return bytes + recipe.compute * tokens * feed_forward_width(layer, recipe);
}

Bytes layer_activations_without_scores(const Model& model, std::size_t kind, const ActivationRecipe& recipe) {
  ActivationRecipe fused = recipe;
  if (fused.attention == AttentionKernel::eager) fused.attention = AttentionKernel::flash;
  return layer_activations(model, kind, fused).activations;
}

Bytes backward_transient(const Model& model, std::size_t kind, const ActivationRecipe& recipe) {
  const Layer& layer = model.kinds[kind];
  const Count width = feed_forward_width(layer, recipe);
  const Bytes transient =
      recipe.compute * (2 * recipe.tokens() * width + 2 * recipe.replicated_tokens() * model.hidden);
  const auto* attention = std::get_if<Attention>(&layer.mixer);
  if (attention == nullptr || recipe.attention != AttentionKernel::eager) return transient;
  return max(transient, 8 * score_elements(recipe, recipe.share(attention->heads)));
}

bool has_exact_activations(const Model& model) {
  if (model.parallel_block || !model.encoder.empty() || !model.towers.empty()) return false;
  for (const Layer& layer : model.kinds) {
    const auto* attention = std::get_if<Attention>(&layer.mixer);
    if (attention == nullptr || attention->output_gate || attention->sinks || attention->qk_norm == QkNorm::full ||
        attention->value_is_key || attention->shares_cache || layer.cross_attention.heads ||
        layer.parallel_mixer.index() != 0 || layer.norms != (model.post_norms ? 4 : 2)) {
      return false;
    }
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
      if (experts->shared_size || experts->latent || !experts->gated) return false;
    } else if (layer.feed_forward.index() == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace vram
