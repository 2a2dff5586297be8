// Runs that others have published, with what they measured. Where a figure holds only a part, the part is compared.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/memory/estimate.h"
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

/// Expected MiB, over all GPUs, of the items whose ids begin with one of the words.
double mib_of(const Ledger& ledger, std::initializer_list<std::string_view> beginnings) {
  Bytes sum;
  for (const DeviceLedger& device : ledger.devices) {
    for (const Item& item : device.items) {
      const std::string_view id = item.id;
      for (const std::string_view beginning : beginnings) {
        if (id.substr(0, beginning.size()) == beginning) sum += item.bytes.expected * Count(device.gpus.size());
      }
    }
  }
  return sum.as_double() / kMiB.as_double();
}

double device_mib(const Ledger& ledger) {
  return peak_memory(ledger.devices[busiest(ledger)]).device.expected.as_double() / kMiB.as_double();
}

bool within(double value, double measured, double share) {
  return value >= measured * (1 - share) && value <= measured * (1 + share);
}

}  // namespace

TEST_CASE("Qwen2.5-7B-1M with 262,144 tokens on two 24 GB cards", "[public][llama.cpp]") {
  // ollama issue 10128: Q4_K_M, flash attention, q8_0 cache: 6,097 + 5,419 MiB, which are 28 layers and their cache.
  const Ledger ledger = ledger_of(
      "model=qwen2.5-7b framework=ollama framework_version=b5050 weights=q4_k_m context=262144 kv_cache=q8_0 "
      "attention=flash gpu=geforce-rtx-3090 gpu_count=2");
  CHECK(within(mib_of(ledger, {"weights.layers", "kv_cache."}), 6097 + 5419, 0.02));
}

TEST_CASE("gemma-3-27b with a long context keeps the window of most layers", "[public][llama.cpp]") {
  // gpustack issue 2101: Q4_K_M, 85,000 tokens, keys in q8_0 and values in f16 (no flash attention): about 32 GB used, while
  // a cache of every token for every layer alone would be 32 GB more.
  const std::string base =
      "model=gemma-3-27b framework=llama.cpp weights=q4_k_m context=85000 kv_cache=q8_0 "
      "kv_cache_v=f16 attention=eager gpu=h200-sxm-141gb framework_version=";
  CHECK(within(device_mib(ledger_of(base + "b6000")), 32e9 / 1048576, 0.05));
  CHECK(device_mib(ledger_of(base + "b5000")) > 50.0 * 1024);
}

TEST_CASE("gpt-oss-120b keeps 73,728 bytes a token below its window", "[public][vllm]") {
  // hf-mem issue 60: vLLM logs 5.38 GiB for 78,384 tokens.
  const Ledger ledger = ledger_of(
      "task=serving users=1 model=gpt-oss-120b framework=vllm weights=mxfp4 context=112 prefill_tokens=16 "
      "gpu=h100-80gb-sxm5");
  CHECK(mib_of(ledger, {"kv_cache."}) * 1048576 / 112 >= 73728);
  CHECK(mib_of(ledger_of("model=gpt-oss-120b framework=transformers weights=mxfp4 context=100 gpu=h200-sxm-141gb"),
               {"kv_cache."}) *
            1048576 ==
        73728.0 * 100);
}

TEST_CASE("embedding models hold scores of a whole batch", "[public][llama.cpp]") {
  // gpustack issue 2443: nomic-embed-text-v1.5 f16, batches of 8,192: 4,158 MiB used, 954 claimed by another tool.
  const Ledger nomic = ledger_of(
      "model=nomic-embed-text-v1.5 framework=llama.cpp framework_version=b5000 weights=gguf_f16 context=8192 "
      "ubatch=8192 "
      "attention=eager gpu=geforce-rtx-3090");
  CHECK(within(device_mib(nomic), 4158, 0.05));
  // gguf-parser issue 2: bge-m3 f16 takes about 6 GB with batches of 8,192, 9.88 claimed.
  const Ledger bge = ledger_of(
      "model=bge-m3 framework=llama.cpp framework_version=b5000 weights=gguf_f16 context=8192 ubatch=8192 "
      "attention=eager "
      "gpu=geforce-rtx-3090");
  CHECK(within(device_mib(bge), 6e9 / 1048576, 0.06));
}

TEST_CASE("hybrids keep a cache for every fourth layer alone", "[public][llama.cpp]") {
  // LM Studio logs full_kv=65536B/token for Qwen3.6-27B, of the same shape; at 262,144 tokens 16 GiB.
  const Ledger ledger = ledger_of(
      "model=qwen3.5-27b framework=llama.cpp weights=q4_k_m context=262144 attention=flash gpu=h200-sxm-141gb");
  CHECK(mib_of(ledger, {"kv_cache."}) == 16.0 * 1024);
  // llama.cpp logs 50.25 MiB of state per sequence for Qwen3.5-9B.
  const Ledger states = ledger_of("model=qwen3.5-9b framework=llama.cpp weights=q5_k_m context=4096 batch=4");
  CHECK(mib_of(states, {"state."}) == 4 * 50.25);
}

TEST_CASE("fused experts stay in 16 bit under bitsandbytes", "[public][transformers]") {
  // unsloth issue 5344: Gemma-4-26B-A4B with load_in_4bit takes about 46 GB; its experts alone are 42.5.
  const Ledger ledger =
      ledger_of("model=gemma-4-26b-a4b framework=transformers weights=nf4 context=512 gpu=h100-80gb-sxm5");
  CHECK(within(device_mib(ledger), 46.0 * 1024, 0.03));
  CHECK(within(mib_of(ledger, {"weights.experts"}), 42.5 * 1024, 0.01));
}

TEST_CASE("Mistral-Small in vLLM: weights and cache as logged", "[public][vllm]") {
  // llm-d-planner's table, vLLM 0.11, H100: weights 44.76 GiB; 28.20 GiB of cache hold 184,832 tokens.
  const Ledger ledger = ledger_of(
      "task=serving users=1 model=mistral-small-3.2-24b framework=vllm framework_version=0.11 weights=bf16 "
      "context=16000 "
      "memory_fraction=0.95 gpu=h100-80gb-sxm5");
  CHECK(within(mib_of(ledger, {"weights."}), 44.76 * 1024, 0.001));
  CHECK(within(mib_of(ledger, {"kv_cache."}) / 16000, 28.20 * 1024 / 184832, 0.001));
}

TEST_CASE("Yi-1.5-34B on four cards, with and without graphs", "[public][vllm]") {
  // vLLM issue 7553, TP4 on RTX 4090, 0.9 of the card: 23,859 MiB shown, 21,395 with enforce_eager. Graphs of that release
  // come on top of the share.
  const std::string base =
      "task=serving users=1 model=yi-1.5-34b framework=vllm framework_version=0.5.4 weights=bf16 "
      "context=4096 gpu=geforce-rtx-4090 gpu_count=4";
  const Ledger eager = ledger_of(base + " cuda_graphs=false");
  CHECK(within(eager.reservation.bytes.as_double() / 1048576, 21395, 0.04));
  const Ledger graphs = ledger_of(base);
  CHECK(within(graphs.reservation.bytes.as_double() / 1048576 + mib_of(graphs, {"cuda_graphs"}) / 4, 23859, 0.05));
}

}  // namespace vram
