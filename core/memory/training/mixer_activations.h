// What sequence mixers keep, the norm before them excluded.
#pragma once

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Bytes kept by a mixer with the inputs of its linears. Exact for softmax attention of the Llama, Gemma, GPT-2 and BERT
/// kinds (oracle section 2); from the sizes of the intermediate tensors for the others (F-7.6 and its like).
Bytes mixer_activations(const Model& model, const Mixer& mixer, const ActivationRecipe& recipe);

/// The same for attention to an encoder's output of as many tokens.
Bytes cross_attention_activations(const Model& model, const Attention& attention, const ActivationRecipe& recipe);

}  // namespace vram
