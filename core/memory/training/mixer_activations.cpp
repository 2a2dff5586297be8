#include "core/memory/training/mixer_activations.h"

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/linear_activations.h"
#include "core/memory/training/norm_activations.h"

namespace vram {
namespace {

constexpr std::uint32_t kQkvTargets = target_bit(LoraTarget::q) | target_bit(LoraTarget::k) | target_bit(LoraTarget::v);
constexpr std::uint32_t kOutputTarget = target_bit(LoraTarget::o);

/// Input of the projections from the residual stream.
Bytes input(const Model& model, const ActivationRecipe& recipe, Count readers) {
  return linear_input_activations(
      recipe,
      {.tokens = recipe.replicated_tokens(), .width = model.hidden, .readers = readers, .targets = kQkvTargets});
}

Bytes output_input(const ActivationRecipe& recipe, Count width, bool kept) {
  return linear_input_activations(recipe, {.tokens = recipe.tokens(),
                                           .width = width,
                                           .targets = kOutputTarget,
                                           .in_compute_dtype = true,
                                           .kept_anyway = kept});
}

Bytes adapters(const ActivationRecipe& recipe, Count matrices) {
  if (!recipe.adapters.active) return {};
  const Count targeted =
      matrices == Count(1) ? min(adapters_among(recipe, kQkvTargets), 1) : adapters_among(recipe, kQkvTargets);
  return (targeted + adapters_among(recipe, kOutputTarget)) * adapter_product_activations(recipe, recipe.tokens());
}

/// Tensor parallelism divides heads; key heads are repeated when there are fewer of them than GPUs (F-9.4).
AttentionShape shape_of(const Model& model, const Attention& attention, const ActivationRecipe& recipe) {
  return {.heads = recipe.share(attention.heads),
          .kv_heads = recipe.share(attention.kv_heads),
          .key_dim = attention.head_dim,
          .value_dim = attention.value_dim ? attention.value_dim : attention.head_dim,
          .softcap = attention.softcap,
          .classic = is_classic(model),
          .fused_qkv = attention.fused_qkv};
}

Bytes query_key_norms(const Attention& attention, const AttentionShape& shape, const ActivationRecipe& recipe) {
  const Count tokens = recipe.tokens();
  switch (attention.qk_norm) {
    case QkNorm::none: return {};
    case QkNorm::per_head:
      return head_norm_activations(recipe, tokens * shape.heads, shape.key_dim) +
             head_norm_activations(recipe, tokens * shape.kv_heads, shape.key_dim);
    case QkNorm::full: break;
  }
  return head_norm_activations(recipe, tokens, shape.heads * shape.key_dim) +
         head_norm_activations(recipe, tokens, shape.kv_heads * shape.key_dim);
}

Bytes softmax_attention(const Model& model, const Attention& attention, const ActivationRecipe& recipe) {
  const AttentionShape shape = shape_of(model, attention, recipe);
  const Count tokens = recipe.tokens();
  const bool one_adapter = recipe.adapters.active && recipe.adapters.fused_qkv;
  const Count readers = attention.fused_qkv || one_adapter ? 1 : 3;
  Bytes bytes = input(model, recipe, readers) + query_key_norms(attention, shape, recipe);
  bytes += attention_core_activations(recipe, shape);
  bytes += output_input(recipe, shape.heads * shape.value_dim, keeps_output(recipe, shape));
  if (recipe.keeps_rotated) bytes += recipe.compute * tokens * (shape.heads + shape.kv_heads) * shape.key_dim;
  if (attention.output_gate) bytes += 2 * recipe.compute * tokens * shape.heads * shape.value_dim;
  return bytes + adapters(recipe, readers);
}

/// Multi-head latent attention: two compressed vectors with their norms, then full-width heads.
Bytes latent_attention(const Model& model, const LatentAttention& attention, const ActivationRecipe& recipe) {
  const Count tokens = recipe.tokens();
  const Count heads = recipe.share(attention.heads);
  const AttentionShape shape{.heads = heads,
                             .kv_heads = heads,
                             .key_dim = attention.nope_dim + attention.rope_dim,
                             .value_dim = attention.value_dim};
  Bytes bytes = input(model, recipe, 2) + attention_core_activations(recipe, shape);
  for (const Count rank : {attention.q_rank, attention.kv_rank}) {
    if (!rank) continue;
    bytes += head_norm_activations(recipe, tokens, rank);
    bytes += linear_input_activations(
        recipe, {.tokens = tokens, .width = rank, .targets = kQkvTargets, .in_compute_dtype = true});
  }
  return bytes + output_input(recipe, heads * shape.value_dim, keeps_output(recipe, shape)) + adapters(recipe, 3);
}

/// Mixers with a projection in, a short convolution, a scan in chunks with a state each, a gate and a projection out.
struct ScanSizes {
  Count in = 0;     ///< width of the input projections' result
  Count conv = 0;   ///< width of the convolution's result
  Count rates = 0;  ///< fp32 values per token (time steps, decays)
  Count out = 0;    ///< width of the scan's result, which the gate multiplies
  Count state = 0;  ///< fp32 elements of one chunk's state
  Count chunk = 64;
};

/// F-7.6: 2(in) + 2(conv) + 4(rates) + 2 * 2(out) per token, and a state in fp32 for every chunk.
Bytes scan(const Model& model, const ActivationRecipe& recipe, const ScanSizes& sizes) {
  const Count tokens = recipe.tokens();
  const Count per_token = recipe.compute * (sizes.in + sizes.conv + 2 * sizes.out) + 4 * sizes.rates;
  const Bytes states = recipe.batch * ceil_div(recipe.sequence, sizes.chunk) * sizes.state * 4;
  return input(model, recipe, 2) + ceil_div(tokens * per_token + states, recipe.tensor);
}

struct MixerWalk {
  const Model& model;
  const ActivationRecipe& recipe;

  Bytes operator()(const std::monostate&) const { return {}; }
  Bytes operator()(const Attention& attention) const { return softmax_attention(model, attention, recipe); }
  Bytes operator()(const LatentAttention& attention) const { return latent_attention(model, attention, recipe); }
  Bytes operator()(const GatedDeltaNet& net) const {
    const Count keys = net.key_heads * net.key_dim;
    const Count values = net.value_heads * net.value_dim;
    return scan(model, recipe,
                {.in = 2 * keys + 2 * values + 2 * net.value_heads,
                 .conv = 2 * (2 * keys + values),  // before and after its SiLU
                 .rates = 2 * net.value_heads,
                 .out = 2 * values,  // the scan's, and its gated norm's
                 .state = net.value_heads * net.key_dim * net.value_dim});
  }
  Bytes operator()(const KimiDelta& delta) const {
    const Count width = delta.heads * delta.head_dim;
    return scan(model, recipe,
                {.in = 5 * width,
                 .conv = 6 * width,
                 .rates = width + delta.heads,
                 .out = 2 * width,
                 .state = width * delta.head_dim});
  }
  Bytes operator()(const Mamba1& mamba) const {
    return scan(model, recipe,
                {.in = 2 * mamba.inner,
                 .conv = mamba.inner + mamba.dt_rank + 2 * mamba.state,
                 .rates = mamba.inner,
                 .out = mamba.inner,
                 .state = mamba.inner * mamba.state,
                 .chunk = 2048});
  }
  Bytes operator()(const Mamba2& mamba) const {
    const Count conv = mamba.inner() + 2 * mamba.groups * mamba.state;
    return scan(model, recipe,
                {.in = mamba.inner() + conv + mamba.heads,
                 .conv = conv,
                 .rates = mamba.heads,
                 .out = mamba.inner(),
                 .state = mamba.inner() * mamba.state,
                 .chunk = 256});
  }
  Bytes operator()(const ShortConv&) const {
    return scan(model, recipe, {.in = 3 * model.hidden, .conv = 2 * model.hidden, .out = model.hidden});
  }
  Bytes operator()(const LinearAttention& attention) const {
    const Count width = attention.heads * attention.head_dim;
    return scan(
        model, recipe,
        {.in = 4 * width, .conv = 3 * width, .out = 2 * width, .state = width * attention.head_dim, .chunk = 256});
  }
  Bytes operator()(const Rwkv& rwkv) const {
    return scan(model, recipe,
                {.in = (4 + rwkv.token_shifts) * model.hidden,
                 .conv = 4 * model.hidden,
                 .rates = model.hidden,
                 .out = 2 * model.hidden,
                 .state = model.hidden * rwkv.head_size});
  }
};

}  // namespace

Bytes mixer_activations(const Model& model, const Mixer& mixer, const ActivationRecipe& recipe) {
  return std::visit(MixerWalk{model, recipe}, mixer);
}

Bytes cross_attention_activations(const Model& model, const Attention& attention, const ActivationRecipe& recipe) {
  if (!attention.heads) return {};
  return softmax_attention(model, attention, recipe);
}

}  // namespace vram
