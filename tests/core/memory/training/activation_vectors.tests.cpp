#include <catch2/catch_test_macros.hpp>

#include "core/memory/training/attention_activations.h"
#include "core/memory/training/layer_activations.h"
#include "core/memory/training/mixer_activations.h"
#include "tests/core/memory/training/training_scenario.h"

namespace vram {
namespace {

using namespace training_test;

constexpr Sizes kToy = {512, 1, 8, 2, 64, 1376, 1000};

ActivationRecipe flash(Count tokens, Count bytes = 2) {
  ActivationRecipe recipe;
  recipe.sequence = tokens;
  recipe.attention = AttentionKernel::flash;
  recipe.compute = recipe.residual = bytes;
  return recipe;
}

Bytes per_token(const Sizes& sizes, const ActivationRecipe& recipe) {
  return layer_activations(llama(sizes), 0, recipe).total() / recipe.tokens();
}

ActivationRecipe adapters(std::uint32_t targets, Count bytes) {
  ActivationRecipe recipe = flash(8192);
  recipe.adapters.active = true;
  recipe.adapters.targets = targets;
  recipe.adapters.rank = 16;
  recipe.adapters.bytes = bytes;
  return recipe;
}

}  // namespace

TEST_CASE("A Llama layer keeps its bytes per token", "[memory][training]") {
  CHECK(per_token(kToy, flash(128)) == Bytes(21800));  // T-7.10
  CHECK(per_token(kToy, flash(128, 4)) == Bytes(39464));
  CHECK(per_token(kLlama31_8b, flash(8192)) == Bytes(200840));  // T-7.11
  CHECK(32 * layer_activations(llama(kLlama31_8b), 0, flash(8192)).total() == Bytes(52649000960));
  ActivationRecipe liger = flash(8192);
  liger.fused_kernels = true;
  CHECK(per_token(kLlama31_8b, liger) == Bytes(139400));  // T-7.12
  ActivationRecipe sdpa = flash(8192);
  sdpa.attention = AttentionKernel::sdpa;
  CHECK(layer_activations(llama(kLlama31_8b), 0, sdpa).total() == Bytes(221320) * 8192 + 16);  // T-7.18
}

TEST_CASE("fp32 attention pads its log-sums to 32 rows", "[memory][training]") {
  ActivationRecipe recipe;
  recipe.sequence = 100;
  recipe.compute = recipe.residual = 4;
  const AttentionShape shape{.heads = 2, .kv_heads = 2, .key_dim = 8, .value_dim = 8};
  // q, k, v and the output of 100 tokens, 2 x 128 log-sums, 16 bytes of random state.
  CHECK(attention_core_activations(recipe, shape) == Bytes(4 * 100 * 4 * 16 + 4 * 2 * 128 + 16));
}

TEST_CASE("A scan keeps its projections, fp32 rates and a state per chunk", "[memory][training]") {  // F-7.6
  Model model;
  model.hidden = 16;
  Mamba2 mamba;
  mamba.heads = 4;
  mamba.head_dim = 8;
  mamba.groups = 1;
  mamba.state = 16;
  const Bytes per_token = 2 * 16 + 2 * (100 + 64 + 2 * 32) + 4 * 4;
  CHECK(mixer_activations(model, mamba, flash(512)) == Bytes(512) * per_token + 2 * 4 * 32 * 16);
}

TEST_CASE("Checkpointing keeps inputs and makes one layer again", "[memory][training]") {  // T-7.16
  const Model model = llama(kLlama31_8b);
  const ActivationRecipe recipe = flash(8192);
  CHECK(32 * checkpoint_activations(model, recipe) == Bytes(2147483648));
  CHECK(layer_activations(model, 0, recipe).total() == Bytes(1645281280));
  CHECK(backward_transient(model, 0, recipe) == Bytes(603979776));
  ActivationRecipe eager = recipe;
  eager.attention = AttentionKernel::eager;
  CHECK(backward_transient(model, 0, eager) == Bytes(8) * 32 * 8192 * 8192);  // F-7.8
  // F-7.8, torchtitan's policy: 2h + 2 nh hd + 4 nh + 2 (nh hd + nkv hd + f + h) per token.
  CHECK(selective_activations(model, 0, recipe, false) ==
        Bytes(8192) * (4 * 4096 + 4 * 4096 + 4 * 32 + 2 * 1024 + 2 * 14336));
  CHECK(selective_activations(model, 0, recipe, true) ==
        Bytes(8192) * (2 * 4096 + 4 * 4096 + 4 * 32 + 2 * 1024 + 2 * 14336));
}

TEST_CASE("A layer beside adapters keeps what they read", "[memory][training][adapters]") {  // T-7.23
  constexpr std::uint32_t kQv = target_bit(LoraTarget::q) | target_bit(LoraTarget::v);
  CHECK(per_token(kLlama31_8b, adapters(kQv, 2)) == Bytes(147656));
  CHECK(per_token(kLlama31_8b, adapters(0x7F, 2)) == Bytes(184680));
  CHECK(per_token(kLlama31_8b, adapters(kQv, 4)) == Bytes(172296));
  CHECK(per_token(kLlama31_8b, adapters(0x7F, 4)) == Bytes(295496));
}

TEST_CASE("Experts keep routed rows", "[memory][training]") {
  Model model = llama({4096, 1, 32, 8, 128, 14336, 32000});
  const Bytes dense = layer_activations(model, 0, flash(4096)).total();
  Experts experts;
  experts.count = 8;
  experts.active = 2;
  experts.size = 14336;
  model.kinds[0].feed_forward = experts;
  derive_tensors(model);
  // T-7.15 replaces gate, act, up and product, and the input of gate and up is the router's.
  const Bytes block = layer_activations(model, 0, flash(4096)).total() - (dense - Bytes(4096) * 8 * 14336);
  CHECK(block / 4096 == Bytes(278624));
}

TEST_CASE("Tensor parallelism with sequence parallelism divides a layer evenly", "[memory][training][sharding]") {
  const Model model = llama(kLlama31_8b);
  ActivationRecipe recipe = flash(8192);
  const Bytes whole = layer_activations(model, 0, recipe).total();
  recipe.tensor = 8;
  recipe.sequence_parallel = true;
  CHECK(layer_activations(model, 0, recipe).total() * 8 == whole);
  recipe.sequence_parallel = false;
  CHECK(layer_activations(model, 0, recipe).total() ==
        Bytes(8192) * (16 * 4096 + 8) + (whole - Bytes(8192) * (16 * 4096 + 8)) / 8);
}

}  // namespace vram
