// What engines hold beside the checkpoint's bytes: worked numbers.
#include "core/memory/weight_overheads.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/scenario/resolve.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace testing;

struct Case {
  Scenario scenario;
  Shard shard;
};

Case case_of(const std::string& words) {
  Result<Scenario> scenario = resolve(request_of(words), shipped_catalog().facts);
  if (!scenario) FAIL(words << ": " << scenario.error().where);
  return {*scenario, shards(*scenario).front()};
}

}  // namespace

TEST_CASE("large tensors count the remainder of their segment", "[weights][allocator]") {
  CHECK(unsplit_remainder(9 * kMiB) == Bytes(0));
  CHECK(unsplit_remainder(10 * kMiB) == Bytes(0));
  CHECK(unsplit_remainder(Bytes(11010048)) == Bytes(0));           // 10.5 MiB: 1.5 MiB are split off
  CHECK(unsplit_remainder(Bytes(12058624)) == Bytes(512 * 1024));  // 11.5 MiB
  CHECK(unsplit_remainder(11 * kMiB) == kMiB);
}

TEST_CASE("servers hold what Qwen2-7B logs beyond its tensors", "[weights][vllm]") {
  // vLLM "Model loading took" less the tensors: 65 MiB on one GPU, 29 on each of two; tables 8 of them at 32,768 positions.
  const Case one = case_of("task=serving framework=vllm model=qwen2-7b weights=bf16 gpu=h100-80gb-sxm5");
  CHECK(unsplit_remainders(one.scenario, one.shard, FusedMatrices::merged) / kMiB == Bytes(57));
  const Case two = case_of("task=serving framework=vllm model=qwen2-7b weights=bf16 gpu=h100-80gb-sxm5 gpu_count=2");
  CHECK(unsplit_remainders(two.scenario, two.shard, FusedMatrices::merged) / kMiB == Bytes(21));
  const Case llama = case_of("task=serving framework=vllm model=llama-3.1-8b weights=bf16 gpu=h100-80gb-sxm5");
  CHECK(unsplit_remainders(llama.scenario, llama.shard, FusedMatrices::merged) == Bytes(0));
  CHECK(rotary_table(*llama.scenario.model, all_layers(*llama.scenario.model), 2) == 32 * kMiB);
  // Quantised tensors are many small ones.
  const Case awq = case_of("task=serving framework=vllm model=qwen2-7b weights=awq4 gpu=h100-80gb-sxm5");
  CHECK(unsplit_remainders(awq.scenario, awq.shard, FusedMatrices::merged) == Bytes(0));
}

TEST_CASE("MXFP4 experts are padded to the kernel's tiles", "[weights][vllm]") {
  // 24 layers * 32 experts * 3 matrices * (2944 * 3072 - 2880 * 2880) / 32 * 17.
  const Case one = case_of("task=serving framework=vllm model=gpt-oss-20b weights=mxfp4 gpu=h100-80gb-sxm5");
  CHECK(padded_experts(one.scenario, one.shard) == Bytes(917471232));
  // gpt-oss-120b on four A100: 720 -> 768 and 2880 -> 3072, 2,001 MiB of the 2,059 that are logged beyond the tensors.
  const Case four =
      case_of("task=serving framework=vllm model=gpt-oss-120b weights=mxfp4 gpu=a100-80gb-sxm4 gpu_count=4");
  CHECK(padded_experts(four.scenario, four.shard) == Bytes(2098151424));
}

}  // namespace vram
