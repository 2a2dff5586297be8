#include "core/memory/kv_cache.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/format/storage_format.h"
#include "core/memory/recurrent_state.h"
#include "tests/core/memory/cache_vectors.h"

namespace vram {
namespace {

using namespace testing;

CacheType type_named(std::string_view name) {
  for (std::size_t i = 0; i < kCacheTypeNames.size(); ++i) {
    if (kCacheTypeNames[i] == name) return static_cast<CacheType>(i);
  }
  FAIL("no cache type " << name);
  return {};
}

SpanRule rule_named(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"growing", "windowed", "llama_cells", "pages", "ratio"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SpanRule>(i);
  }
  FAIL("no rule " << name);
  return {};
}

CacheSize cache_of(const json::Value& row) {
  const auto model = find_model(text_in(row, "model"));
  REQUIRE(model != nullptr);
  CacheLayout layout;
  layout.k = layout.v = cache_format(type_named(text_in(row, "type")));
  layout.tensor = count_in(row, "tensor", 1);
  layout.expand_latent = flag_in(row, "expanded");
  layout.pack_sparse_latent = flag_in(row, "packed");
  layout.keep_indexer = flag_in(row, "indexer");
  CacheSpans spans;
  spans.rule = rule_named(text_in(row, "rule"));
  spans.tokens = count_in(row, "tokens");
  spans.sequences = count_in(row, "sequences", 1);
  spans.step = count_in(row, "step");
  spans.page = count_in(row, "page", 1);
  return kv_cache(*model, all_layers(*model), layout, spans, count_in(row, "encoder"));
}

/// All layers attend to everything, with these heads.
Model uniform_model(Count layers, Attention attention) {
  Model model;
  model.kinds = {Layer{}};
  model.kinds[0].mixer = attention;
  model.order.assign(static_cast<std::size_t>(layers.value()), 0);
  return model;
}

}  // namespace

TEST_CASE("the cache of real models is exact to the byte", "[kv_cache][vectors]") {
  REQUIRE(cache_vectors("cache").size() == 26);
  for (const json::Value& row : cache_vectors("cache")) {
    INFO(text_in(row, "id"));
    CHECK(cache_of(row).total() == count_in(row, "expected"));
  }
}

TEST_CASE("vLLM's scaled cache formats are exact per token and layer", "[kv_cache][vectors]") {
  REQUIRE(cache_vectors("rows").size() == 2);
  for (const json::Value& row : cache_vectors("rows")) {
    INFO(text_in(row, "id"));
    Attention attention;
    attention.heads = attention.kv_heads = count_in(row, "kv_heads");
    attention.head_dim = count_in(row, "head_dim");
    CacheLayout layout;
    layout.k = layout.v = text_in(row, "format") == "nvfp4" ? kCacheNvfp4 : kCacheInt8PerHead;
    CHECK(cache_row(attention, layout).total() == count_in(row, "expected"));
  }
}

TEST_CASE("cache and state add up to what llama.cpp logs for hybrids", "[kv_cache][state][vectors]") {
  REQUIRE(cache_vectors("cache_and_state").size() == 2);
  for (const json::Value& row : cache_vectors("cache_and_state")) {
    INFO(text_in(row, "id"));
    const auto model = find_model(text_in(row, "model"));
    REQUIRE(model != nullptr);
    CacheSpans spans;
    spans.rule = SpanRule::llama_cells;
    spans.tokens = count_in(row, "cells");
    spans.step = 512;
    const Bytes cache = kv_cache(*model, all_layers(*model), {}, spans, 0).total();
    const Bytes state = recurrent_state(*model, all_layers(*model), {}, 1, 1).total();
    CHECK(cache + state == count_in(row, "expected"));
  }
}

TEST_CASE("ggml cache types follow the block layouts of the weight formats", "[kv_cache][format]") {
  constexpr std::array kPairs = {
      std::pair{CacheType::q8_0, TensorType::q8_0}, std::pair{CacheType::q5_1, TensorType::q5_1},
      std::pair{CacheType::q5_0, TensorType::q5_0}, std::pair{CacheType::q4_1, TensorType::q4_1},
      std::pair{CacheType::q4_0, TensorType::q4_0}, std::pair{CacheType::iq4_nl, TensorType::iq4_nl},
      std::pair{CacheType::f16, TensorType::f16},   std::pair{CacheType::fp8, TensorType::fp8}};
  for (const auto& [cache, tensor] : kPairs) {
    for (const unsigned heads : {1U, 2U, 8U}) {
      CHECK(cache_format(cache).row(heads, 128) == bytes_of(tensor, 1, heads * 128));
    }
  }
}

TEST_CASE("layers without a cache of their own keep nothing", "[kv_cache]") {
  Attention attention;
  attention.heads = 8;
  attention.kv_heads = 8;
  attention.head_dim = 64;
  CHECK(cache_row(attention, {}).total() == Bytes(2048));
  Attention shared = attention;
  shared.shares_cache = true;
  CHECK(cache_row(shared, {}).total() == Bytes(0));
  Attention encoder = attention;
  encoder.causal = false;
  CHECK(cache_row(encoder, {}).total() == Bytes(0));
  // One projection for keys and values saves weights, not cache.
  Attention one_projection = attention;
  one_projection.value_is_key = true;
  CHECK(cache_row(one_projection, {}).total() == Bytes(2048));
}

TEST_CASE("llama.cpp pads cells, and slots repeat or share the window", "[kv_cache][llama.cpp]") {
  CacheSpans spans;
  spans.rule = SpanRule::llama_cells;
  spans.tokens = 900;  // not a multiple of 128 either
  spans.sequences = 4;
  spans.step = 512;
  CHECK(spans.kept(0, 0) == Count(4 * 1024));
  CHECK(spans.kept(1024, 0) == Count(4 * 1024));
  spans.tokens = 32768;
  CHECK(spans.kept(1024, 0) == Count(4 * 1536));
  spans.unified = true;
  // 4 * 1024 + 512 = 4,608 cells in one stream.
  CHECK(spans.kept(1024, 0) == Count(4608));
}

TEST_CASE("pages round each sequence up and keep a common beginning once", "[kv_cache][vllm]") {
  CacheSpans spans;
  spans.rule = SpanRule::pages;
  spans.page = 16;
  spans.tokens = 1000;
  spans.sequences = 10;
  CHECK(spans.kept(0, 0) == Count(10 * 1008));
  spans.shared = 500;
  // 31 whole pages in common, 32 of each sequence's own.
  CHECK(spans.kept(0, 0) == Count((31 + 10 * 32) * 16));
  spans.shared = 1000;
  CHECK(spans.kept(0, 0) == Count((62 + 10) * 16));
  // A chunk has no extra page.
  spans.step = 128;
  spans.tokens = 65536;
  spans.sequences = 1;
  CHECK(spans.kept(0, 8192) == Count(8192 + 128));
  CHECK(spans.kept(8192, 0) == Count(8192 + 128 + 16));
}

TEST_CASE("SGLang's windowed pool holds eight tenths of the full one", "[kv_cache][sglang]") {
  CacheSpans spans;
  spans.rule = SpanRule::ratio;
  spans.tokens = 1000;
  spans.sequences = 2;
  CHECK(spans.kept(0, 0) == Count(2000));
  CHECK(spans.kept(128, 0) == Count(1600));
}

TEST_CASE("without flash attention every layer's values are as wide as the widest", "[kv_cache][llama.cpp]") {
  Attention narrow;
  narrow.heads = 8;
  narrow.kv_heads = 2;
  narrow.head_dim = 128;
  Model model = uniform_model(4, narrow);
  Attention wide = narrow;
  wide.kv_heads = 8;
  model.kinds.push_back({});
  model.kinds[1].mixer = wide;
  model.order = {0, 0, 0, 1};
  CacheLayout layout;
  layout.padded_values = widest_value_row(model, 1);
  CHECK(layout.padded_values == Count(1024));
  CacheSpans spans;
  spans.tokens = 10;
  const CacheSize size = kv_cache(model, all_layers(model), layout, spans, 0);
  CHECK(size.k == Bytes(10 * 2 * (3 * 256 + 1024)));
  CHECK(size.v == Bytes(10 * 2 * 4 * 1024));
}

TEST_CASE("more tokens, sequences, layers or bits never need less cache", "[kv_cache][property]") {
  for (const char* id : {"llama-3.1-8b", "gemma-3-27b", "gpt-oss-20b", "deepseek-v3", "qwen3.5-27b", "llama-4-scout"}) {
    const auto model = find_model(id);
    if (model == nullptr) continue;
    INFO(id);
    for (const SpanRule rule :
         {SpanRule::growing, SpanRule::windowed, SpanRule::llama_cells, SpanRule::pages, SpanRule::ratio}) {
      Bytes before;
      for (std::uint64_t tokens = 1; tokens < 200000; tokens += 1 + tokens / 7) {
        CacheSpans spans;
        spans.rule = rule;
        spans.tokens = tokens;
        spans.step = 2048;
        spans.page = rule == SpanRule::pages ? 16 : 1;
        const Bytes now = kv_cache(*model, all_layers(*model), {}, spans, 0).total();
        INFO("rule " << static_cast<int>(rule) << ", tokens " << tokens);
        REQUIRE(now >= before);
        before = now;
        spans.sequences = 3;
        REQUIRE(kv_cache(*model, all_layers(*model), {}, spans, 0).total() >= now);
        REQUIRE(kv_cache(*model, {1, model->layer_count()}, {}, spans, 0).total() <=
                kv_cache(*model, all_layers(*model), {}, spans, 0).total());
      }
    }
    Bytes fewer_bits;
    for (const CacheType type :
         {CacheType::q4_0, CacheType::q4_1, CacheType::q5_0, CacheType::q5_1, CacheType::q8_0, CacheType::f16}) {
      CacheLayout layout;
      layout.k = layout.v = cache_format(type);
      CacheSpans spans;
      spans.tokens = 4096;
      const Bytes now = kv_cache(*model, all_layers(*model), layout, spans, 0).total();
      CHECK(now > fewer_bits);
      fewer_bits = now;
    }
  }
}

TEST_CASE("absurd requests saturate instead of wrapping", "[kv_cache]") {
  const auto model = find_model("llama-3.1-8b");
  REQUIRE(model != nullptr);
  CacheSpans spans;
  spans.tokens = Count::max();
  spans.sequences = Count::max();
  CHECK(kv_cache(*model, all_layers(*model), {}, spans, 0).k.is_saturated());
}

}  // namespace vram
