// What the ends of the model keep: embeddings before the first layer, final norm and head behind the last.
#pragma once

#include <cstdint>

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/memory/training/layer_activations.h"
#include "core/model/model.h"

namespace vram {

/// Token and position ids, rotary cosines and sines (2 s hd er, once for all layers), BERT's embedding norm. Oracle section 2.
SavedActivations embedding_activations(const Model& model, const ActivationRecipe& recipe);

/// How the head meets the loss.
enum class HeadInput : std::uint8_t {
  kept,    ///< the head is trained: its input is kept for the weight's gradient
  frozen,  ///< nothing is kept but, under autocast, the weight's copy
  fused,   ///< head and loss are one function that keeps gradients instead (LossHead::fused_linear)
};

/// Final norm, BERT's transform and the head's input, without logits.
SavedActivations head_activations(const Model& model, const ActivationRecipe& recipe, HeadInput input);

/// Head size that rotary embeddings turn; 0 without rotary embeddings.
Count rotary_dim(const Model& model);

}  // namespace vram
