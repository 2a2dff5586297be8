#include "core/memory/training/mlp_activations.h"

#include "core/memory/training/linear_activations.h"

namespace vram {
namespace {

constexpr std::uint32_t kUpTargets = target_bit(LoraTarget::gate) | target_bit(LoraTarget::up);
constexpr std::uint32_t kDownTarget = target_bit(LoraTarget::down);

/// What stays between the first and the last matrix, `elements` wide, without the last matrix's input.
Bytes inner(const ActivationRecipe& recipe, bool gated, Activation activation, Count elements) {
  const Count compute = recipe.compute;
  if (gated) return (recipe.fused_kernels ? 2 : 3) * compute * elements;  // gate, act(gate), up; fused: gate and up
  switch (activation) {
    case Activation::relu:
      return recipe.adapters.active ? compute * elements : Bytes();  // its result is the next input
    case Activation::gelu_new:
      // x, tanh, 0.5x and 1 + tanh; CUDA autocast runs the power in fp32 and keeps an fp32 copy of x.
      return recipe.casts_inputs() ? 14 * elements : 4 * compute * elements;
    default: return compute * elements;
  }
}

Bytes between(const ActivationRecipe& recipe, bool gated, Activation activation, Count tokens, Count size) {
  const LinearInput down{.tokens = tokens, .width = size, .targets = kDownTarget, .in_compute_dtype = true};
  return inner(recipe, gated, activation, tokens * size) + linear_input_activations(recipe, down);
}

}  // namespace

Bytes mlp_activations(const Model& model, const Mlp& mlp, const ActivationRecipe& recipe, bool reads_shared_input) {
  Bytes bytes = between(recipe, mlp.gated, mlp.activation, recipe.tokens(), recipe.share(mlp.size));
  if (!reads_shared_input || recipe.casts_inputs()) {
    const Count readers = mlp.gated && !mlp.fused_gate_up ? 2 : 1;
    bytes += linear_input_activations(
        recipe,
        {.tokens = recipe.replicated_tokens(), .width = model.hidden, .readers = readers, .targets = kUpTargets});
  }
  if (recipe.adapters.active) {
    const Count adapters = adapters_among(recipe, (mlp.gated ? kUpTargets : target_bit(LoraTarget::up)) | kDownTarget);
    bytes += adapters * adapter_product_activations(recipe, recipe.tokens());
  }
  return bytes;
}

Bytes expert_activations(const Model& model, const Experts& experts, const ActivationRecipe& recipe) {
  const Count tokens = recipe.tokens();
  const Count rows = tokens * experts.active;  // routed rows
  const Count width = experts.latent ? experts.latent : model.hidden;
  const Count size = recipe.share(experts.size);
  const Count compute = recipe.compute;
  const bool frozen = recipe.adapters.active;

  Bytes bytes = 4 * tokens * experts.count;            // router softmax, fp32
  bytes += 12 * tokens * experts.active + 4 * tokens;  // top-k indices (int64) and values, their sum
  bytes += 16 * rows;                                  // int64 pairs of expert and token
  bytes += (experts.gated ? 3 : 1) * compute * rows * size;
  bytes += compute * rows * width + recipe.residual * rows + recipe.residual * rows * width;  // output, weight, product
  if (!frozen) {
    const Count readers = recipe.casts_inputs() && experts.gated ? 2 : 1;
    bytes += compute * recipe.replicated_tokens() * model.hidden;  // router input
    bytes += readers * compute * rows * width;                     // gathered rows
    bytes += compute * rows * size;                                // input of the last matrix
    if (experts.latent) bytes += compute * tokens * 2 * width;
  }
  if (experts.shared_size) {
    bytes += between(recipe, experts.gated, experts.activation, tokens, recipe.share(experts.shared_size));
    if (!frozen && recipe.casts_inputs()) bytes += (experts.gated ? 2 : 1) * 2 * tokens * model.hidden;
    if (experts.shared_gate) bytes += compute * tokens * (model.hidden + 1);  // gate and gated output
  }
  return bytes;
}

}  // namespace vram
