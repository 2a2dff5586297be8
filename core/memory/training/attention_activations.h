// What the attention core keeps: queries, keys, values, scores or their log-sums, output.
#pragma once

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Heads on one GPU as the attention kernel sees them.
struct AttentionShape {
  Count heads, kv_heads;
  Count key_dim, value_dim;
  bool softcap = false;
  bool classic = false;  ///< GPT-2 and BERT code: softmax in the compute dtype, no expansion, no copy of the output
  bool fused_qkv = false;
};

/// True for models in the style of GPT-2 and BERT: learned positions and LayerNorm; their code keeps the softmax in the
/// compute dtype (F-7.4).
inline bool is_classic(const Model& model) {
  if (model.norm == NormKind::rms || model.kinds.empty()) return false;
  const auto* mlp = std::get_if<Mlp>(&model.kinds.front().feed_forward);
  return model.positions || (model.kind == ModelKind::embedding && mlp != nullptr && !mlp->gated);
}

/// Bytes kept between the projections; the output is included except in Llama-style eager code, where it is the output
/// projection's input (keeps_output() is false then).
Bytes attention_core_activations(const ActivationRecipe& recipe, const AttentionShape& shape);

/// True when the core itself keeps its output, so that the output projection's input costs nothing more.
constexpr bool keeps_output(const ActivationRecipe& recipe, const AttentionShape& shape) {
  return shape.classic || recipe.attention != AttentionKernel::eager;
}

/// Elements of one score matrix per head and sequence: b * heads * s^2.
constexpr Count score_elements(const ActivationRecipe& recipe, Count heads) {
  return recipe.batch * heads * recipe.sequence * recipe.sequence;
}

}  // namespace vram
