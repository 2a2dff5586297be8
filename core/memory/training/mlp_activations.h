// What dense and expert feed-forward parts keep, the norm before them excluded.
#pragma once

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Bytes kept by a gated MLP (gate, act(gate), up, product: 4eTf), or a plain one (pre-activation and activation), with the
/// input of its linears. `reads_shared_input`: somebody else has counted that input already (parallel blocks).
Bytes mlp_activations(const Model& model, const Mlp& mlp, const ActivationRecipe& recipe, bool reads_shared_input);

/// Bytes kept by a router, its top-k experts and the shared experts, as Hugging Face's loop over experts writes it (F-7.5).
Bytes expert_activations(const Model& model, const Experts& experts, const ActivationRecipe& recipe);

}  // namespace vram
