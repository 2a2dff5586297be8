// What the other parts of the core compute from the descriptor must come out of it: cache and state by layer.
#include <catch2/catch_test_macros.hpp>

#include "core/model/tensors.h"
#include "tests/core/model/shipped_models.h"

using namespace vram;
using namespace vram::testing;

namespace {

struct CacheElements {
  Count unbounded;  ///< per token, layers that keep every token
  Count windowed;   ///< per token, layers with a window or chunk
  Count state;      ///< per sequence, recurrent layers (F-4.8)
};

void add(const Layer& layer, const Mixer& mixer, Count hidden, CacheElements& sum) {
  if (const auto* a = std::get_if<Attention>(&mixer); a != nullptr && a->causal && !a->shares_cache) {
    const Count elements = a->kv_heads * (a->head_dim + a->value_dim);
    (a->window || a->chunk ? sum.windowed : sum.unbounded) += elements;
  } else if (const auto* m = std::get_if<LatentAttention>(&mixer)) {
    sum.unbounded += m->kv_rank + m->rope_dim;
  } else if (const auto* g = std::get_if<GatedDeltaNet>(&mixer)) {
    const Count values = g->value_heads * g->value_dim;
    sum.state += (g->conv_kernel - 1) * (g->key_heads * g->key_dim * 2 + values) + values * g->key_dim;
  } else if (const auto* s = std::get_if<Mamba2>(&mixer)) {
    sum.state += (s->conv_kernel - 1) * (s->inner() + s->groups * s->state * 2) + s->inner() * s->state;
  } else if (const auto* r = std::get_if<Rwkv>(&mixer)) {
    sum.state += r->token_shifts * hidden + hidden * r->head_size;
  }
  (void)layer;
}

CacheElements cache_of(const Model& model) {
  CacheElements sum;
  for (std::size_t i = 0; i < model.layer_count(); ++i) add(model.layer(i), model.layer(i).mixer, model.hidden, sum);
  return sum;
}

}  // namespace

TEST_CASE("cache elements per token follow from the layers", "[model][layers]") {
  // 16-bit bytes per token: issue "the spine", done when 3; T-4.01, T-4.03.
  const struct {
    std::string_view id;
    std::uint64_t bytes, windowed;
  } rows[] = {
      {"mistral-small-3.2-24b", 163'840, 0}, {"qwen3-0.6b", 114'688, 0},
      {"llama-3.1-8b", 131'072, 0},          {"deepseek-v3", 70'272, 0},
      {"gpt-oss-120b", 36'864, 36'864},      {"qwen3.5-27b", 65'536, 0},
      {"gemma-3-27b", 81'920, 425'984},      {"mistral-7b-v0.1", 0, 131'072},
      {"nemotron-3-nano-30b-a3b", 6'144, 0}, {"llama-4-scout-17b-16e", 49'152, 147'456},
      {"gemma-3n-e4b", 8'192, 32'768},       {"bert-base-uncased", 0, 0},
  };
  for (const auto& row : rows) {
    INFO(row.id);
    const CacheElements cache = cache_of(shipped_model(row.id));
    CHECK(cache.unbounded * 2 == Count(row.bytes));
    CHECK(cache.windowed * 2 == Count(row.windowed));
  }
}

TEST_CASE("recurrent state follows from the layers", "[model][layers]") {
  // f32 bytes per sequence: T-4.19 (149.62 MiB), T-4.14, T-4.15 (there the convolution is 16-bit), F-4.8 for RWKV.
  const struct {
    std::string_view id;
    std::uint64_t bytes;
  } rows[] = {
      {"qwen3.5-27b", 156'893'184},
      {"qwen3.5-35b-a3b", 65'863'680},
      {"nemotron-3-nano-30b-a3b", 49'930'240},
      {"rwkv-7-world-0.1b", 2'433'024},
      {"llama-3.1-8b", 0},
  };
  for (const auto& row : rows) {
    INFO(row.id);
    CHECK(cache_of(shipped_model(row.id)).state * 4 == Count(row.bytes));
  }
}

TEST_CASE("layers of mixed models are in their places", "[model][layers]") {
  const Model& qwen = shipped_model("qwen3.5-27b");
  REQUIRE(qwen.layer_count() == 64);
  std::size_t full = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    const bool attention = std::holds_alternative<Attention>(qwen.layer(i).mixer);
    CHECK(attention == (i % 4 == 3));
    full += attention ? 1 : 0;
  }
  CHECK(full == 16);

  const Model& deepseek = shipped_model("deepseek-v3");
  REQUIRE(deepseek.layer_count() == 61);
  for (std::size_t i = 0; i < 61; ++i) {
    CHECK(std::holds_alternative<Mlp>(deepseek.layer(i).feed_forward) == (i < 3));
  }

  const Model& gpt_oss = shipped_model("gpt-oss-20b");
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(std::get<Attention>(gpt_oss.layer(i).mixer).window == Count(i % 2 == 0 ? 128 : 0));
  }

  const Model& jamba = shipped_model("jamba-v0.1");
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(std::holds_alternative<Attention>(jamba.layer(i).mixer) == (i % 8 == 4));
    CHECK(std::holds_alternative<Experts>(jamba.layer(i).feed_forward) == (i % 2 == 1));
  }

  const Model& llama_vision = shipped_model("llama-3.2-11b-vision");
  REQUIRE(llama_vision.layer_count() == 40);
  for (std::size_t i = 0; i < 40; ++i) {
    const Layer& layer = llama_vision.layer(i);
    CHECK(static_cast<bool>(layer.cross_attention.heads) == (i % 5 == 3));
    CHECK((layer.mixer.index() == 0) == (i % 5 == 3));
  }

  const Model& whisper = shipped_model("whisper-large-v3-turbo");
  CHECK(whisper.layer_count() == 4);
  CHECK(whisper.encoder.size() == 32);
  CHECK(whisper.layer(0).cross_attention.heads == Count(20));
  CHECK(whisper.kinds[whisper.encoder[0]].cross_attention.heads == Count(0));

  const Model& falcon_h1 = shipped_model("falcon-h1-0.5b");
  CHECK(std::holds_alternative<Attention>(falcon_h1.layer(0).mixer));
  CHECK(std::holds_alternative<Mamba2>(falcon_h1.layer(0).parallel_mixer));
}

TEST_CASE("a prediction layer has its parts and stays out of the total", "[model][layers]") {
  // T-2.32: the unique part of DeepSeek V3's MTP layer.
  const Model& model = shipped_model("deepseek-v3");
  REQUIRE(model.mtp.size() == 1);
  Count sum;
  for (const Tensor& tensor : model.kind_tensors[model.mtp[0]]) sum += tensor.elements();
  CHECK(sum == Count(11'610'068'224));
  CHECK(model.parameters == Count(671'026'419'200));
}

TEST_CASE("tensors carry exact roles and shapes", "[model][tensors]") {
  using R = TensorRole;
  const struct Row {
    std::string_view id;
    std::size_t layer;
    std::vector<Tensor> expected;
  } rows[] = {
      {"llama-3.1-8b",
       0,
       {{R::norm, kNoLayer, 1, 4096, 1},
        {R::norm, kNoLayer, 1, 4096, 1},
        {R::attn_q, kNoLayer, 4096, 4096, 1},
        {R::attn_k, kNoLayer, 1024, 4096, 1},
        {R::attn_v, kNoLayer, 1024, 4096, 1},
        {R::attn_output, kNoLayer, 4096, 4096, 1},
        {R::mlp_gate, kNoLayer, 14336, 4096, 1},
        {R::mlp_up, kNoLayer, 14336, 4096, 1},
        {R::mlp_down, kNoLayer, 4096, 14336, 1}}},
      {"phi-4",
       0,
       {{R::norm, kNoLayer, 1, 5120, 1},
        {R::norm, kNoLayer, 1, 5120, 1},
        {R::attn_qkv, kNoLayer, 7680, 5120, 1},
        {R::attn_output, kNoLayer, 5120, 5120, 1},
        {R::mlp_up, kNoLayer, 35840, 5120, 1},
        {R::mlp_down, kNoLayer, 5120, 17920, 1}}},
      {"deepseek-v3",
       3,
       {{R::norm, kNoLayer, 1, 7168, 1},
        {R::norm, kNoLayer, 1, 7168, 1},
        {R::attn_q_down, kNoLayer, 1536, 7168, 1},
        {R::norm, kNoLayer, 1, 1536, 1},
        {R::attn_q_up, kNoLayer, 24576, 1536, 1},
        {R::attn_kv_down, kNoLayer, 576, 7168, 1},
        {R::norm, kNoLayer, 1, 512, 1},
        {R::attn_kv_up, kNoLayer, 32768, 512, 1},
        {R::attn_output, kNoLayer, 7168, 16384, 1},
        {R::router, kNoLayer, 256, 7168, 1},
        {R::router, kNoLayer, 1, 256, 1},
        {R::expert_gate, kNoLayer, 2048, 7168, 256},
        {R::expert_up, kNoLayer, 2048, 7168, 256},
        {R::expert_down, kNoLayer, 7168, 2048, 256},
        {R::shared_gate, kNoLayer, 2048, 7168, 1},
        {R::shared_up, kNoLayer, 2048, 7168, 1},
        {R::shared_down, kNoLayer, 7168, 2048, 1}}},
      {"nemotron-3-super-120b-a12b",
       1,
       {{R::norm, kNoLayer, 1, 4096, 1},
        {R::router, kNoLayer, 512, 4096, 1},
        {R::router, kNoLayer, 1, 512, 1},
        {R::expert_latent, kNoLayer, 1024, 4096, 1},
        {R::expert_latent, kNoLayer, 4096, 1024, 1},
        {R::expert_up, kNoLayer, 2688, 1024, 512},
        {R::expert_down, kNoLayer, 1024, 2688, 512},
        {R::shared_up, kNoLayer, 5376, 4096, 1},
        {R::shared_down, kNoLayer, 4096, 5376, 1}}},
  };
  for (const Row& row : rows) {
    INFO(row.id);
    const Model& model = shipped_model(row.id);
    REQUIRE(row.layer < model.layer_count());
    const std::vector<Tensor>& tensors = model.kind_tensors[model.order[row.layer]];
    REQUIRE(tensors.size() == row.expected.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      INFO(i);
      CHECK(tensors[i].role == row.expected[i].role);
      CHECK(tensors[i].rows == row.expected[i].rows);
      CHECK(tensors[i].cols == row.expected[i].cols);
      CHECK(tensors[i].matrices == row.expected[i].matrices);
    }
  }
}

TEST_CASE("adapters of all linear modules have the sizes PEFT prints", "[model][adapters]") {
  // F-8.1, T-8.01: sum of rank * (in + out).
  const auto adapter = [](std::string_view id, Count rank, auto&& wanted) {
    const Model& model = shipped_model(id);
    Count sum;
    for (std::size_t i = 0; i < model.layer_count(); ++i) {
      std::vector<Tensor> modules;
      append_linear_modules(model, model.layer(i), modules);
      for (const Tensor& module : modules) {
        if (wanted(module.role)) sum += rank * (module.rows + module.cols);
      }
    }
    return sum;
  };
  const auto all = [](TensorRole) { return true; };
  const auto q_v = [](TensorRole role) { return role == TensorRole::attn_q || role == TensorRole::attn_v; };
  const auto q = [](TensorRole role) { return role == TensorRole::attn_q; };
  CHECK(adapter("llama-3.1-8b", 16, all) == Count(41'943'040));
  CHECK(adapter("llama-3.1-8b", 8, q_v) == Count(3'407'872));
  CHECK(adapter("qwen2.5-3b", 16, q_v) == Count(3'686'400));
  CHECK(adapter("llama-3.2-1b", 8, q) == Count(524'288));
}
