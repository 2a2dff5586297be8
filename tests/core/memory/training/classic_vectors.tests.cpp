// Layers of the GPT-2, ViT, BERT and Gemma families against closed forms.
#include <catch2/catch_test_macros.hpp>

#include "core/memory/training/layer_activations.h"
#include "core/model/tensors.h"

namespace vram {
namespace {

/// A layer with LayerNorm, biases and a plain MLP of four times the width.
Model classic(Count hidden, Count heads, Count ffn, bool fused_qkv, bool causal) {
  Model model;
  model.hidden = hidden;
  model.vocab = 1000;
  model.norm = NormKind::layer;
  model.positions = 4096;
  Attention attention;
  attention.heads = attention.kv_heads = heads;
  attention.head_dim = attention.value_dim = hidden / heads;
  attention.q_bias = attention.k_bias = attention.v_bias = attention.o_bias = true;
  attention.fused_qkv = fused_qkv;
  attention.causal = causal;
  Mlp mlp{.size = ffn, .gated = false, .bias = true};
  mlp.activation = Activation::gelu;
  Layer layer;
  layer.mixer = attention;
  layer.feed_forward = mlp;
  model.kinds = {layer};
  model.order = {0};
  derive_tensors(model);
  return model;
}

ActivationRecipe sixteen_bit(Count batch, Count sequence, AttentionKernel kernel) {
  ActivationRecipe recipe;
  recipe.batch = batch;
  recipe.sequence = sequence;
  recipe.attention = kernel;
  return recipe;
}

}  // namespace

TEST_CASE("A layer of GPT-3 keeps what Korthikanti et al. count", "[memory][training]") {  // T-7.01, arXiv:2205.05198
  const Model model = classic(12288, 96, 4 * 12288, true, true);
  ActivationRecipe recipe = sixteen_bit(1, 2048, AttentionKernel::eager);
  recipe.dropout = recipe.attention_dropout = true;
  // Beside the paper's 34 s b h + 5 a s^2 b: statistics of two norms, 16 bytes a token, and the scale, 2 bytes.
  const Bytes statistics = 16 * 2048;
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(2868903936) + statistics + 2);
  recipe.tensor = 8;
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(578813952) + statistics + 2);
  recipe.sequence_parallel = true;
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(358612992) + statistics / 8 + 2);
  // Selective recomputation drops the scores; a fused kernel keeps their log-sums instead, 4 bytes a head and token.
  CHECK(layer_activations_without_scores(model, 0, recipe) == Bytes(106954752) + statistics / 8 + 4 * 12 * 2048);
  recipe.tensor = 1;
  recipe.sequence_parallel = false;
  CHECK(checkpoint_activations(model, recipe) == Bytes(50331648));
}

TEST_CASE("A pre-norm block in fp32 keeps e (8h + 2f) and its attention", "[memory][training]") {  // T-7.13
  const Model model = classic(128, 4, 512, true, false);
  ActivationRecipe recipe = sixteen_bit(2, 64, AttentionKernel::flash);
  recipe.compute = recipe.residual = 4;
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(1052672));
  recipe.attention = AttentionKernel::eager;
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(1181696) + 4);  // and the scale
}

TEST_CASE("Twelve blocks of ViT-B/16 keep their bytes per image", "[memory][training]") {  // T-7.14
  const Model model = classic(768, 12, 3072, true, false);
  ActivationRecipe recipe = sixteen_bit(1, 197, AttentionKernel::flash);
  recipe.compute = recipe.residual = 4;
  CHECK(12 * layer_activations(model, 0, recipe).total() == Bytes(116346624));
  recipe.compute = 2;
  recipe.autocast = recipe.fp32_weights = true;
  CHECK(12 * layer_activations(model, 0, recipe).activations == Bytes(65511168));
}

TEST_CASE("A layer of BERT-base under autocast keeps activations and weight copies", "[memory][training]") {  // T-7.17
  const Model model = classic(768, 12, 3072, false, false);
  ActivationRecipe recipe = sixteen_bit(32, 128, AttentionKernel::eager);
  recipe.residual = 4;
  recipe.autocast = recipe.fp32_weights = true;
  recipe.dropout = recipe.attention_dropout = true;
  const SavedActivations saved = layer_activations(model, 0, recipe);
  CHECK(saved.activations == Bytes(176226304));
  CHECK(saved.weight_casts == Bytes(14155776));
}

TEST_CASE("A layer of Gemma 2 keeps four norms and the soft-capped scores", "[memory][training]") {  // T-7.19
  Model model;
  model.hidden = 2304;
  model.vocab = 256000;
  model.post_norms = true;
  Attention attention;
  attention.heads = 8;
  attention.kv_heads = 4;
  attention.head_dim = attention.value_dim = 256;
  attention.softcap = true;
  Layer layer;
  layer.mixer = attention;
  layer.norms = 4;
  layer.feed_forward = Mlp{.size = 9216};
  model.kinds = {layer};
  model.order = {0};
  derive_tensors(model);
  CHECK(layer_activations(model, 0, sixteen_bit(1, 2048, AttentionKernel::eager)).total() == Bytes(622923776));
}

TEST_CASE("Encoders without a word on positions are trained as BERT is", "[memory][training]") {
  Model model = classic(768, 12, 3072, false, false);
  ActivationRecipe recipe = sixteen_bit(8, 128, AttentionKernel::eager);
  const Bytes known = layer_activations(model, 0, recipe).total();
  model.positions = 0;
  CHECK(layer_activations(model, 0, recipe).total() != known);
  model.kind = ModelKind::embedding;
  CHECK(layer_activations(model, 0, recipe).total() == known);
}

}  // namespace vram
