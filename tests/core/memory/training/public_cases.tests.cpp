// Runs that others published, with what they measured: GiB of 2^30 bytes.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/memory/estimate.h"
#include "core/scenario/resolve.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace testing;

Scenario scenario_of(const std::string& words) {
  Result<Scenario> scenario = resolve(request_of(words), shipped_catalog().facts);
  if (!scenario) FAIL(words << ": " << scenario.error().where << " " << scenario.error().expected);
  return std::move(scenario.value());
}

Memory memory_of(const std::string& words) {
  const Ledger ledger = estimate(scenario_of(words));
  return peak_memory(ledger.devices[busiest(ledger)]);
}

double allocated(const std::string& words) {
  return memory_of(words).allocated.expected.as_double() / kGiB.as_double();
}

Bytes in_phase(const DeviceLedger& device, Phase phase) { return memory_in_phase(device, phase).allocated.expected; }

struct Rung {
  const char* words;
  double measured;
};

}  // namespace

TEST_CASE("torchtune's ladder for Llama 3.2 3B comes out in order, each rung within 10 percent", "[training][public]") {
  // README, "Optimization flags": batch 2 x 4096, A100, peak active memory; each rung keeps the flags of the one above.
  const std::string base =
      "model=llama-3.2-3b framework=torchtune precision=bf16 batch=2 context=4096 gpu=a100-80gb-sxm4 ";
  const std::string lora = " lora_rank=64 lora_targets=q,v,o,gate,up,down";
  const std::vector<Rung> ladder = {
      {"task=full loss=full", 60.0},
      {"task=full loss=full compile=true", 51.0},
      {"task=full loss=chunked compile=true", 42.9},
      {"task=full loss=chunked compile=true checkpointing=full", 24.9},
      {"task=full loss=chunked compile=true checkpointing=full optimizer_implementation=in_backward", 23.1},
      {"task=full loss=chunked compile=true checkpointing=full optimizer_implementation=in_backward "
       "offload=activations",
       21.8},
      {"task=full loss=chunked compile=true checkpointing=full optimizer_implementation=in_backward "
       "offload=activations "
       "optimizer=adamw_8bit",
       17.6},
      {"task=lora loss=chunked compile=true checkpointing=full offload=activations", 8.5},
      {"task=qlora weights=nf4 loss=chunked compile=true checkpointing=full offload=activations", 4.6},
  };
  double above = 1e9;
  for (const Rung& rung : ladder) {
    const bool adapters = std::string_view(rung.words).substr(5, 4) != "full";
    const double expected = allocated(base + rung.words + (adapters ? lora : std::string()));
    INFO(rung.words << ": " << expected << " against " << rung.measured);
    CHECK(expected < above);
    CHECK(expected > 0.9 * rung.measured);
    CHECK(expected < 1.1 * rung.measured);
    above = expected;
  }
}

TEST_CASE("16-bit AdamW takes 10 bytes a parameter at its step and 6 after it", "[training][public]") {
  // fms-acceleration, A100: Mistral-7B 67.458 and Llama-3-8B 74.802 GiB, whatever the length.
  for (const Rung& run : {Rung{"model=mistral-7b-v0.1", 67.458}, Rung{"model=meta-llama-3-8b", 74.802}}) {
    const std::string words = std::string(run.words) +
                              " task=full framework=hf-trainer precision=bf16 optimizer_implementation=foreach batch=4 "
                              "context=4096 checkpointing=full attention=flash loss=fused_linear gpu=a100-80gb-sxm4";
    const Scenario scenario = scenario_of(words);
    const Ledger ledger = estimate(scenario);
    const DeviceLedger& device = ledger.devices.front();
    const double parameters = scenario.model->parameters.as_double();
    const double step = in_phase(device, Phase::optimizer_step).as_double();
    CHECK(step / parameters > 10.0);
    CHECK(step / parameters < 10.01);
    CHECK(std::abs(step / kGiB.as_double() - run.measured) < 0.005 * run.measured);
    Bytes after;
    for (const Item& item : device.items) {
      if (item.level == Level::allocated && item.phases == kTrainingStep) after += item.bytes.expected;
    }
    CHECK(after.as_double() / parameters > 6.0);
    CHECK(after.as_double() / parameters < 6.01);
  }
}

TEST_CASE("A loss in chunks saves what torchtitan measured", "[training][public]") {
  // torchtitan PR 996: Llama-3-8B, 8 GPUs, 1 x 8192, selective checkpointing: 49.58 -> 42.26 GiB reserved.
  const std::string words =
      "task=pretrain model=meta-llama-3-8b framework=torchtitan framework_version=0.0.2 precision=amp_bf16 "
      "weights=fp32 "
      "context=8192 checkpointing=selective gpu=h100-80gb-sxm5 gpu_count=8 sharding=fsdp ";
  const double whole = memory_of(words + "loss=full").reserved.expected.as_double() / kGiB.as_double();
  const double chunked = memory_of(words + "loss=chunked").reserved.expected.as_double() / kGiB.as_double();
  INFO(whole << " and " << chunked);
  CHECK(std::abs(whole - 49.58) < 0.1 * 49.58);
  CHECK(std::abs(chunked - 42.26) < 0.1 * 42.26);
  CHECK(whole - chunked > 3);
}

TEST_CASE("Logits of a large vocabulary dominate unless the loss never builds them", "[training][public]") {
  // 16,384 tokens, 248,320 words: 47.55 GiB of loss in a plain loop, 3 to 6 with the head fused into it.
  const std::string words =
      "task=full model=qwen3.5-4b framework=pytorch precision=bf16 batch=4 context=4096 checkpointing=full "
      "gpu=h200-sxm-141gb ";
  const auto loss = [&](const char* head) {
    const Ledger ledger = estimate(scenario_of(words + head));
    Bytes bytes;
    for (const Item& item : ledger.devices.front().items) {
      if (item.group == Group::logits) bytes += item.bytes.expected;
    }
    return bytes.as_double() / kGiB.as_double();
  };
  CHECK(std::abs(loss("loss=full_fp32") - 47.55) < 0.05 * 47.55);
  CHECK(loss("loss=fused_linear") < 6);
}

TEST_CASE("bitsandbytes leaves fused experts in 16 bits", "[training][public]") {
  const std::string words =
      "task=qlora model=mixtral-8x7b weights=nf4 framework=hf-trainer batch=4 context=4096 checkpointing=full "
      "attention=flash lora_targets=attention gpu=a100-80gb-sxm4 ";
  // Fused in Transformers 5: 45.1 of 46.7 billion parameters are experts.
  CHECK(allocated(words) > 80);
  // fms-acceleration, Transformers 4.48, experts as linear layers, no k-bit preparation: 34.21 GiB.
  CHECK(std::abs(allocated(words + "framework_version=4.48.1 kbit_upcast=false") - 34.21) < 0.06 * 34.21);
}

TEST_CASE("FSDP trains adapters of a 7B model on two 24 GB cards", "[training][public]") {
  // fsdp_qlora, two RTX 3090, Llama-2-7B, batch 1: LoRA 8.28 (512 tokens) and 9.16 GiB (2,048) allocated.
  const std::string words =
      "task=lora model=llama-2-7b framework=pytorch precision=bf16 weights=bf16 adapter_dtype=bf16 lora_rank=64 "
      "lora_targets=all_linear checkpointing=full attention=sdpa gpu=geforce-rtx-3090 gpu_count=2 sharding=fsdp ";
  CHECK(std::abs(allocated(words + "context=512") - 8.28) < 0.15 * 8.28);
  CHECK(std::abs(allocated(words + "context=2048") - 9.16) < 0.15 * 9.16);
  CHECK(memory_of(words + "context=2048").need.high < Bytes(24) * kGiB);
}

}  // namespace vram
