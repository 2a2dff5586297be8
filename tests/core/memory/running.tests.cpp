// Running models through resolve() and estimate(), engine by engine.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/memory/estimate.h"
#include "core/memory/runtimes/runtime.h"
#include "core/scenario/resolve.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace testing;

Ledger ledger_of(const std::string& words) {
  const Result<Scenario> scenario = resolve(request_of(words), shipped_catalog().facts);
  if (!scenario) FAIL(words << ": " << scenario.error().where << " " << scenario.error().expected);
  return estimate(*scenario);
}

/// Expected bytes of a device's items of that id, or of those that begin with it when it ends in a dot.
Bytes bytes_of_item(const DeviceLedger& device, std::string_view id) {
  Bytes sum;
  for (const Item& item : device.items) {
    const std::string_view name = item.id;
    if (name == id || (id.back() == '.' && name.substr(0, id.size()) == id)) sum += item.bytes.expected;
  }
  return sum;
}

Bytes need(const Ledger& ledger) { return peak_memory(ledger.devices[busiest(ledger)]).need.expected; }

constexpr const char* kH100 = " gpu=h100-80gb-sxm5";

}  // namespace

TEST_CASE("llama.cpp holds its buffers and nothing more", "[running][llama.cpp]") {
  const Ledger ledger =
      ledger_of("model=meta-llama-3-8b framework=llama.cpp framework_version=b9000 weights=q4_k_m context=8192");
  REQUIRE(ledger.devices.size() == 1);
  const DeviceLedger& device = ledger.devices[0];
  // Parts of T-3.14: layers 4,186,439,680 and output 430,956,544 with the final norm; the embedding stays in RAM.
  CHECK(bytes_of_item(device, "weights.layers") == Bytes(4186439680));
  CHECK(bytes_of_item(device, "weights.output") + bytes_of_item(device, "weights.other") == Bytes(430956544));
  CHECK(bytes_of_item(device, "weights.embedding") == Bytes(0));
  CHECK(bytes_of_item(device, "kv_cache.k") == Bytes(536870912));
  CHECK(bytes_of_item(device, "kv_cache.") == Bytes(1073741824));
  CHECK(bytes_of_item(device, "compute_buffer") == Bytes(271056896));
  const Memory memory = peak_memory(device);
  CHECK(memory.allocated == memory.reserved);
  CHECK(memory.device.expected > memory.reserved.expected);
  CHECK(ledger.host.ram.expected >= Bytes(295501824));
  CHECK_FALSE(ledger.reservation.applies);
  // A tied model's output is a second copy on the card.
  const Ledger tied = ledger_of("model=llama-3.2-3b framework=llama.cpp weights=fp16 context=8192");
  CHECK(bytes_of_item(tied.devices[0], "weights.output") == Bytes(2) * 128256 * 3072);
}

TEST_CASE("layers outside gpu_layers and experts on the CPU leave the card", "[running][llama.cpp]") {
  const std::string base = "model=llama-3.1-8b framework=llama.cpp weights=q4_k_m context=8192 gpu_layers=";
  const Ledger all = ledger_of(base + "all");
  const Ledger half = ledger_of(base + "16");
  CHECK(bytes_of_item(half.devices[0], "kv_cache.") * 2 == bytes_of_item(all.devices[0], "kv_cache."));
  CHECK(bytes_of_item(half.devices[0], "weights.output") == Bytes(0));
  CHECK(half.host.ram.expected > all.host.ram.expected + kGiB);
  CHECK(need(half) < need(all));
  const std::string moe = "model=qwen3-30b-a3b framework=llama.cpp weights=q4_k_m context=8192 cpu_experts=";
  const Ledger on_gpu = ledger_of(moe + "false");
  const Ledger on_cpu = ledger_of(moe + "true");
  const Bytes experts = bytes_of_item(on_gpu.devices[0], "weights.experts");
  CHECK(experts > 10 * kGiB);
  CHECK(bytes_of_item(on_cpu.devices[0], "weights.experts") == Bytes(0));
  CHECK(on_cpu.host.ram.expected == on_gpu.host.ram.expected + experts);
}

TEST_CASE("several cards of one llama.cpp process each have their own ledger", "[running][llama.cpp]") {
  const Ledger one = ledger_of("model=llama-3.1-70b framework=llama.cpp weights=q4_k_m context=8192 gpu=rtx-a6000");
  const Ledger four =
      ledger_of("model=llama-3.1-70b framework=llama.cpp weights=q4_k_m context=8192 gpu=rtx-a6000 gpu_count=4");
  Bytes weights, cache;
  std::size_t cards = 0;
  for (const DeviceLedger& device : four.devices) {
    weights += bytes_of_item(device, "weights.") * device.gpus.size();
    cache += bytes_of_item(device, "kv_cache.") * device.gpus.size();
    cards += device.gpus.size();
    CHECK(bytes_of_item(device, "runtime.context") > Bytes(0));
  }
  CHECK(cards == 4);
  CHECK(weights == bytes_of_item(one.devices[0], "weights."));
  CHECK(cache == bytes_of_item(one.devices[0], "kv_cache."));
}

TEST_CASE("vLLM's reservation leaves the cache its start-up log names", "[running][vllm]") {
  // H100, utilisation 0.95, vLLM 0.19: 59,504.6 MiB of cache, 476,016 tokens; TP4 2,209,792 tokens.
  const std::string base = std::string(
                               "task=serving framework=vllm framework_version=0.19.0 model=llama-3.1-8b "
                               "weights=bf16 context=8192 users=8 memory_fraction=0.95 max_sequences=1024 "
                               "prefill_tokens=8192") +
                           kH100;
  const Ledger one = ledger_of(base);
  REQUIRE(one.reservation.applies);
  const double ratio = one.reservation.cache_tokens.as_double() / 476016.0;
  CHECK(ratio > 0.98);
  CHECK(ratio < 1.02);
  CHECK(one.reservation.sequences == one.reservation.cache_tokens / 8192);
  const Ledger four = ledger_of(base + " gpu_count=4");
  const double ratio_of_four = four.reservation.cache_tokens.as_double() / 2209792.0;
  CHECK(ratio_of_four > 0.98);
  CHECK(ratio_of_four < 1.02);
  // Eight KV heads: one for each of eight GPUs, and repeated on sixteen.
  const Bytes cache = bytes_of_item(one.devices[0], "kv_cache.");
  CHECK(cache == Bytes(8) * 8192 * 131072);
  CHECK(bytes_of_item(ledger_of(base + " gpu_count=8").devices[0], "kv_cache.") * 8 == cache);
  CHECK(bytes_of_item(ledger_of(base + " gpu_count=16").devices[0], "kv_cache.") * 8 == cache);
}

TEST_CASE("paged caches come in the engine's pages", "[running][vllm][exllama]") {
  const struct {
    const char* words;
    std::uint64_t tokens;
  } rows[] = {
      {"framework=vllm context=1000", 1008},  // 63 blocks of 16
      {"framework=sglang context=1000", 1000},
      {"framework=tensorrt-llm context=1001", 1024},               // 32 blocks of 32
      {"framework=exllama weights=exl3-4.00 context=1100", 1280},  // 5 pages of 256
  };
  for (const auto& row : rows) {
    INFO(row.words);
    const Ledger ledger = ledger_of("model=llama-3.1-8b batch=1 " + std::string(row.words));
    CHECK(bytes_of_item(ledger.devices[0], "kv_cache.") == Bytes(row.tokens) * 131072);
  }
}

TEST_CASE("every degree of parallelism has a communicator", "[running][vllm]") {
  const std::string base = "task=serving framework=vllm model=llama-3.1-8b gpu=h100-80gb-sxm5";
  const auto communicators = [&](const std::string& words) {
    const Scenario scenario = *resolve(request_of(base + words), shipped_catalog().facts);
    const Bytes one = scenario.constants().band(Constant::communicator).expected;
    REQUIRE(one > Bytes(0));
    return bytes_of_item(estimate(scenario).devices[0], "communication.communicator") / one;
  };
  CHECK(communicators("") == Count(0));
  CHECK(communicators(" gpu_count=2") == Count(1));
  CHECK(communicators(" gpu_count=8") == Count(1));
  CHECK(communicators(" gpu_count=4 tensor_parallel=2 pipeline_parallel=2") == Count(2));
}

TEST_CASE("MLA's latent cache is on every tensor-parallel GPU in full", "[running][vllm]") {
  const std::string base =
      std::string("task=serving framework=vllm model=deepseek-v3 weights=fp8 context=4096 users=4 gpu_count=8") + kH100;
  const Ledger ledger = ledger_of(base);
  CHECK(bytes_of_item(ledger.devices[0], "kv_cache.latent") == Bytes(4) * 4096 * 70272);
  // Transformers expands the heads instead.
  const Ledger expanded =
      ledger_of(std::string("model=deepseek-v3 weights=fp8 framework=transformers context=4096") + kH100);
  CHECK(bytes_of_item(expanded.devices[0], "kv_cache.k") > bytes_of_item(expanded.devices[0], "kv_cache.latent"));
  CHECK(bytes_of_item(expanded.devices[0], "kv_cache.") == Bytes(4096) * 4997120);
}

TEST_CASE("a common prompt is kept once by paged servers", "[running][vllm]") {
  const std::string base = "task=serving framework=vllm model=llama-3.1-8b context=8192 users=16";
  const Bytes apart = bytes_of_item(ledger_of(base).devices[0], "kv_cache.");
  const Bytes shared = bytes_of_item(ledger_of(base + " prefix_share_percent=50").devices[0], "kv_cache.");
  CHECK(shared == apart / 16 * 17 / 2);
  const Bytes average = bytes_of_item(ledger_of(base + " context_average=2048").devices[0], "kv_cache.");
  CHECK(average * 4 == apart);
}

TEST_CASE("growth adds sequences", "[running][serving]") {
  for (const char* framework : {"vllm", "sglang", "tensorrt-llm", "llama.cpp", "transformers"}) {
    const std::string base =
        std::string("task=serving model=llama-3.1-8b context=4096 users=10 framework=") + framework;
    INFO(base);
    const Bytes now = bytes_of_item(ledger_of(base).devices[0], "kv_cache.");
    CHECK(bytes_of_item(ledger_of(base + " growth_percent=50").devices[0], "kv_cache.") == now / 10 * 15);
  }
}

TEST_CASE("older Transformers keep the whole prompt's logits and the whole cache", "[running][transformers]") {
  const std::string base = "model=gemma-2-9b framework=transformers weights=bf16 context=32768 framework_version=";
  const Ledger old = ledger_of(base + "4.44");
  const Ledger recent = ledger_of(base + "4.57");
  const auto logits = [](const Ledger& ledger) {
    for (const Item& item : ledger.devices[0].items) {
      if (std::string_view(item.id) == "logits" && item.phases.has(Phase::prefill)) return item.bytes.expected;
    }
    return Bytes();
  };
  // The layers' peak outweighs the last position's logits: they are not alive together.
  CHECK(logits(recent) == Bytes(0));
  CHECK(logits(old) == Bytes(32768) * 256000 * 6);
  CHECK(logits(ledger_of(base + "4.30")) == Bytes(32768) * 256000 * 2);  // no copy in fp32 yet
  CHECK(logits(ledger_of(base + "4.45")) == Bytes(0));
  // Every second layer sees 4,096 tokens.
  CHECK(bytes_of_item(recent.devices[0], "kv_cache.") * 16 == bytes_of_item(old.devices[0], "kv_cache.") * 9);
}

TEST_CASE("llama.cpp's buffer since July 2026 holds the outputs' logits and an unpacked cache",
          "[running][llama.cpp]") {
  // Logged by builds 10472 and later, Qwen3.8-27B, q4_0 cache, flash attention: 472.27, 616.27, 777.57 MiB at 256 tokens a
  // batch and 406.27 at 64; the rest of a MiB is inputs.
  const auto buffer = [](const char* words) {
    return bytes_of_item(ledger_of("model=qwen3.5-27b framework=llama.cpp weights=q2_k kv_cache=q4_0 attention=flash " +
                                   std::string(words))
                             .devices[0],
                         "compute_buffer") /
           kMiB;
  };
  CHECK(buffer("context=98304 ubatch=256") == Bytes(472));
  CHECK(buffer("context=131072 ubatch=256") == Bytes(616));
  CHECK(buffer("context=98304 ubatch=64") == Bytes(406));
  // Earlier ones hold the logits of the whole batch: 512 * 248,320 * 4.
  CHECK(buffer("context=98304 ubatch=512 framework_version=b9627") >= Bytes(485));
}

TEST_CASE("llama.cpp kept every token of every layer before May 2025", "[running][llama.cpp]") {
  // Gemma 3 1B, 8,192 tokens: 208 MiB logged.
  const std::string base = "model=gemma-3-1b framework=llama.cpp weights=q8_0 context=8192 framework_version=";
  CHECK(bytes_of_item(ledger_of(base + "b5400").devices[0], "kv_cache.") == 208 * kMiB);
  CHECK(bytes_of_item(ledger_of(base + "b5500").devices[0], "kv_cache.") < 64 * kMiB);
  // DeepSeek-V3 in build 5331, 16,384 tokens: 2,074 MiB, keys of 576 and values of 512.
  const std::string latent =
      "model=deepseek-v3 framework=llama.cpp weights=q2_k context=16384 gpu_count=8 gpu=h100-80gb-sxm5";
  const auto total = [&](const std::string& words) {
    Bytes sum;
    for (const DeviceLedger& device : ledger_of(latent + words).devices) sum += bytes_of_item(device, "kv_cache.");
    return sum;
  };
  CHECK(total(" framework_version=b5331") == 2074 * kMiB);
  CHECK(total("") == Bytes(61) * 16384 * 1152);
}

TEST_CASE("a tuple of past keys stands twice while it grows, a cache allocated ahead does not",
          "[running][transformers]") {
  const std::string base = "model=llama-2-7b weights=fp16 context=4096 prefill_tokens=1 framework=";
  const Bytes cache = bytes_of_item(ledger_of(base + "transformers").devices[0], "kv_cache.");
  CHECK(cache == Bytes(4096) * 524288);
  const auto previous = [&](const std::string& words) {
    return bytes_of_item(ledger_of(base + words).devices[0], "temporary.previous_cache");
  };
  CHECK(previous("transformers framework_version=4.35") == cache);
  CHECK(previous("transformers framework_version=4.36") == Bytes(0));
  CHECK(previous("autoawq framework_version=0.1.6") == Bytes(0));
}

TEST_CASE("every engine explains every line it writes", "[running]") {
  for (const RuntimeRules& rules : runtime_rules()) {
    if (rules.inference == nullptr) continue;
    const std::string name(name_in(kRuntimeNames, rules.id));
    for (const char* model : {"llama-3.1-8b", "deepseek-v3", "qwen3.5-35b-a3b", "gpt-oss-20b", "flan-t5-large"}) {
      const Result<Scenario> scenario =
          resolve(request_of("framework=" + name + " context=4096 gpu_count=8 model=" + std::string(model)),
                  shipped_catalog().facts);
      if (!scenario) continue;
      INFO(name << " " << model);
      const Ledger ledger = estimate(*scenario);
      REQUIRE(!ledger.devices.empty());
      CHECK(ledger.host.checkpoint == scenario->stored->total.bytes);
      for (const DeviceLedger& device : ledger.devices) {
        REQUIRE(!device.items.empty());
        for (const Item& item : device.items) {
          INFO(item.id);
          CHECK(std::string_view(item.formula).substr(0, 2) == "F-");
          CHECK(!item.phases.empty());
          CHECK(item.bytes.low <= item.bytes.expected);
          CHECK(item.bytes.expected <= item.bytes.high);
          CHECK(item.bytes.high > Bytes(0));
        }
      }
    }
  }
}

TEST_CASE("more context, users, bits or tokens per step never need less", "[running][property]") {
  struct Ladder {
    const char* field;
    std::vector<const char*> steps;
  };
  const std::vector<Ladder> kLadders = {
      {"context", {"256", "1000", "4096", "8192", "20000", "32768", "100000"}},
      {"users", {"1", "2", "5", "16", "64", "300"}},
      {"prefill_tokens", {"512", "2048", "8192", "16384"}},
  };
  for (const char* framework : {"vllm", "sglang", "tensorrt-llm", "llama.cpp", "exllama", "transformers"}) {
    for (const char* model :
         {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3", "qwen3.5-35b-a3b", "gpt-oss-20b", "mamba2-2.7b"}) {
      for (const Ladder& ladder : kLadders) {
        Band before{};
        for (const char* step : ladder.steps) {
          const std::string words = std::string("task=serving gpu_count=4 framework=") + framework + " model=" + model +
                                    " " + ladder.field + "=" + step;
          const Result<Scenario> scenario = resolve(request_of(words), shipped_catalog().facts);
          if (!scenario) continue;
          INFO(words);
          const Ledger ledger = estimate(*scenario);
          const Band now = peak_memory(ledger.devices[busiest(ledger)]).need;
          CHECK(now.expected >= before.expected);
          CHECK(now.high >= before.high);
          before = now;
        }
      }
    }
  }
  Bytes before;
  for (const char* weights : {"q2_k", "q3_k_m", "q4_k_m", "q5_k_m", "q6_k", "q8_0", "fp16", "fp32"}) {
    const Bytes now = need(ledger_of(std::string("model=llama-3.1-8b framework=llama.cpp weights=") + weights));
    CHECK(now > before);
    before = now;
  }
}

}  // namespace vram
