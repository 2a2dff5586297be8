#include <catch2/catch_test_macros.hpp>

#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/llama_compute_buffer.h"
#include "core/memory/runtimes/serving.h"
#include "core/memory/runtimes/sglang.h"
#include "core/memory/runtimes/tensorrt_llm.h"
#include "core/memory/runtimes/vllm_profile.h"
#include "tests/core/memory/cache_vectors.h"

namespace vram {
namespace {

using namespace testing;

std::shared_ptr<const Model> model_of(const json::Value& row) {
  auto model = find_model(text_in(row, "model"));
  if (model != nullptr) return model;
  Model by_hand;
  by_hand.hidden = count_in(row, "hidden");
  by_hand.vocab = count_in(row, "vocab");
  return std::make_shared<const Model>(std::move(by_hand));
}

}  // namespace

TEST_CASE("llama.cpp's compute buffer matches the logged sizes", "[compute_buffer][vectors]") {
  REQUIRE(cache_vectors("compute_buffer").size() == 4);
  for (const json::Value& row : cache_vectors("compute_buffer")) {
    INFO(text_in(row, "id"));
    const auto model = model_of(row);
    ComputeBufferCase use;
    use.ubatch = count_in(row, "ubatch");
    use.cells = count_in(row, "cells");
    use.flash_attention = flag_in(row, "flash");
    CHECK(llama_compute_buffer(*model, all_layers(*model), use).expected() == count_in(row, "expected"));
  }
}

TEST_CASE("the attention phase decides at long contexts and large batches", "[compute_buffer]") {
  // GLM-4.5-Air, 131,072 cells, u = 4,096: 3,584.09 MiB logged; its floor of the logits is 2,432 MiB.
  const auto model = find_model("glm-4.5-air");
  REQUIRE(model != nullptr);
  ComputeBufferCase use;
  use.ubatch = 4096;
  use.cells = 131072;
  const ComputeBuffer buffer = llama_compute_buffer(*model, all_layers(*model), use);
  CHECK(buffer.vocabulary == 2432 * kMiB);
  CHECK(buffer.expected() == 3584 * kMiB);
  // A GPU without the head has no logits; a head in system memory is copied beside them.
  use.output = false;
  CHECK(llama_compute_buffer(*model, all_layers(*model), use).vocabulary == Bytes(0));
  use.output = true;
  use.copied_matrix = kGiB;
  use.copies_output = true;
  CHECK(llama_compute_buffer(*model, all_layers(*model), use).vocabulary == 2432 * kMiB + kGiB);
}

TEST_CASE("several GPUs hold four copies of each input", "[compute_buffer]") {
  // Llama-3-8B without flash attention on two or more GPUs: 640 MiB each logged, 560 on one.
  const auto model = find_model("meta-llama-3-8b");
  REQUIRE(model != nullptr);
  ComputeBufferCase use;
  use.cells = 8192;
  use.flash_attention = false;
  use.pipelined = true;
  const ComputeBuffer buffer = llama_compute_buffer(*model, all_layers(*model), use);
  CHECK(buffer.copies == 72 * kMiB);
  CHECK(buffer.expected() == 587204608 + 72 * kMiB);
}

TEST_CASE("prefill holds the widest layer once", "[activations][vectors]") {
  REQUIRE(cache_vectors("prefill").size() == 1);
  for (const json::Value& row : cache_vectors("prefill")) {
    const auto model = model_of(row);
    const Count width = live_elements(*model, all_layers(*model), 1, ExpertDispatch::loop);
    CHECK(count_in(row, "tokens") * count_in(row, "bytes") * width == count_in(row, "expected"));
    CHECK(live_elements(*model, model->kinds[0], 1, ExpertDispatch::loop).mixer == Count(23552));
  }
}

TEST_CASE("vLLM's profile run matches its start-up logs", "[vllm][vectors]") {
  REQUIRE(cache_vectors("sampler").size() == 1);
  for (const json::Value& row : cache_vectors("sampler")) {
    const auto model = model_of(row);
    const ResolvedConstants constants =
        shipped_constants().resolve(RuntimeId::vllm, parse_version(text_in(row, "version")), GpuGeneration::hopper);
    ProfileRun run;
    run.sampled_rows = count_in(row, "rows");
    CHECK(profile_sampler(*model, run, constants).expected == count_in(row, "expected"));
  }
  struct Reading {
    const char* model;
    double mib;
    double tolerance;
  };
  // Logged activation peaks, B = 8192, R = 1024, vLLM 0.19 on H100 (F-5.2).
  constexpr Reading kReadings[] = {{"llama-3.1-8b", 1935.4, 0.02}, {"qwen2.5-7b", 2263.0, 0.02},
                                   {"qwen3-8b", 2263.0, 0.02},     {"phi-4", 1556.5, 0.02},
                                   {"gemma-2-27b", 3747.8, 0.03},  {"gpt-oss-20b", 2938.9, 0.02}};
  const ResolvedConstants constants =
      shipped_constants().resolve(RuntimeId::vllm, parse_version("0.19.0"), GpuGeneration::hopper);
  for (const Reading& reading : kReadings) {
    INFO(reading.model);
    const auto model = find_model(reading.model);
    REQUIRE(model != nullptr);
    const Bytes peak = max(profile_layers(*model, all_layers(*model), {}, constants).expected,
                           profile_sampler(*model, {}, constants).expected);
    const double ratio = peak.as_double() / (reading.mib * kMiB.as_double());
    CHECK(ratio > 1 - reading.tolerance);
    CHECK(ratio < 1 + reading.tolerance);
  }
}

TEST_CASE("vLLM's profile run holds three widths of each kind", "[vllm]") {
  // F-5.2: B * e * (3 h + 3 f / t) without its factor of 1.1.
  const auto model = find_model("llama-3.1-8b");
  REQUIRE(model != nullptr);
  ResolvedConstants constants;
  constants.factors[static_cast<std::size_t>(Constant::profile_activations)] = {1, 1, 1};
  ProfileRun run;
  CHECK(profile_layers(*model, all_layers(*model), run, constants).expected ==
        Bytes(8192) * 2 * (3 * 4096 + 3 * 14336));
  run.tensor = 4;
  CHECK(profile_layers(*model, all_layers(*model), run, constants).expected ==
        Bytes(8192) * 2 * (3 * 4096 + 3 * 14336 / 4));
}

TEST_CASE("vLLM captures 51 batch sizes up to 512", "[vllm]") {
  CHECK(captured_sizes(256) == Count(51));
  CHECK(captured_sizes(1024) == Count(51));
  CHECK(captured_sizes(128) == Count(35));
  CHECK(captured_sizes(16) == Count(7));
  CHECK(captured_sizes(1) == Count(2));
}

TEST_CASE("TensorRT-LLM's activations follow NVIDIA's calibration", "[tensorrt][vectors]") {
  REQUIRE(cache_vectors("tensorrt").size() == 1);
  for (const json::Value& row : cache_vectors("tensorrt")) {
    const auto model = model_of(row);
    CHECK(tensorrt_activations(*model, all_layers(*model), count_in(row, "tokens"), count_in(row, "tensor"), 1) ==
          count_in(row, "expected"));
    CHECK(tensorrt_activations(*model, all_layers(*model), 1, 1, 1) == 70 * kMiB);
  }
}

TEST_CASE("SGLang derives its static share from the card", "[sglang][vectors]") {
  REQUIRE(cache_vectors("sglang").size() == 1);
  for (const json::Value& row : cache_vectors("sglang")) {
    const double fraction = sglang_static_fraction(count_in(row, "card_mib") * kMiB, count_in(row, "chunk"),
                                                   count_in(row, "graph_sequences"), 1, 1);
    CHECK(scaled(1000, fraction) == count_in(row, "expected_thousandths"));
  }
  // Above 60 GiB at least 10 GiB stay free.
  CHECK(scaled(1000, sglang_static_fraction(81559 * kMiB, 8192, 256, 1, 1)) == Count(835));
  CHECK(sglang_static_fraction(Bytes(0), 8192, 256, 1, 1) == 0.0);
}

}  // namespace vram
