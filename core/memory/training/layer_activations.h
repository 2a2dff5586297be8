// What one layer keeps for the backward pass: the walk over its parts.
#pragma once

#include <cstddef>

#include "core/base/count.h"
#include "core/memory/training/activation_recipe.h"
#include "core/model/model.h"

namespace vram {

/// Kept from forward to backward.
struct SavedActivations {
  Bytes activations;
  Bytes weight_casts;  ///< 16-bit copies of fp32 weights that autocast makes

  [[nodiscard]] constexpr Bytes total() const { return activations + weight_casts; }
  friend constexpr SavedActivations operator+(SavedActivations a, SavedActivations b) {
    return {a.activations + b.activations, a.weight_casts + b.weight_casts};
  }
};

/// Bytes that a layer of kind model.kinds[kind] in the middle of the model keeps without checkpointing. Equal to the byte to PyTorch 2.6 under CUDA
/// dispatch where has_exact_activations() holds (oracle section 2). Llama-3.1-8B, flash attention, bf16: 200,840 a token.
SavedActivations layer_activations(const Model& model, std::size_t kind, const ActivationRecipe& recipe);

/// A layer under full checkpointing keeps its input only: er * T * h. F-7.8.
Bytes checkpoint_activations(const Model& model, const ActivationRecipe& recipe);

/// A layer under selective ("op") checkpointing keeps its input, the attention's output and every second matrix product:
/// 2h + 2 nh hd + 4 nh + 2 (nh hd + nkv hd + f + h) per token (F-7.8). Compiled code does not keep the last product, which
/// nothing in the backward pass reads.
Bytes selective_activations(const Model& model, std::size_t kind, const ActivationRecipe& recipe, bool compiled);

/// The same where `selective` recomputes the attention core only (Megatron): all but the scores of eager attention.
Bytes layer_activations_without_scores(const Model& model, std::size_t kind, const ActivationRecipe& recipe);

/// Largest transient of a layer's backward pass: T * e * (2f + 2h); eager attention at least 8 * b * nh * s^2. F-7.8.
Bytes backward_transient(const Model& model, std::size_t kind, const ActivationRecipe& recipe);

/// True when every layer has a form that was checked against PyTorch to the byte: softmax attention and a dense MLP or
/// Mixtral-like experts, in the arrangement of Llama, Gemma, GPT-2 or BERT.
bool has_exact_activations(const Model& model);

}  // namespace vram
