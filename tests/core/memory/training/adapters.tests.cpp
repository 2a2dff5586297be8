#include "core/memory/training/adapters.h"

#include <catch2/catch_test_macros.hpp>

#include "core/memory/estimate.h"
#include "core/memory/training/activation_recipe.h"
#include "core/scenario/resolve.h"
#include "tests/core/memory/training/training_scenario.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace training_test;

constexpr std::uint32_t kQv = target_bit(LoraTarget::q) | target_bit(LoraTarget::v);
constexpr std::uint32_t kAllLinear = 0x7F;

Count whole_model(const Sizes& sizes, const AdapterChoice& choice) {
  const Model model = llama(sizes);
  return sizes.layers * adapter_elements(model, 0, choice) + outer_adapter_elements(model, choice);
}

Scenario adapter_job(std::string_view weights, RuntimeId runtime) {
  Scenario scenario = job(llama(kLlama31_8b), weights);
  scenario.task = Task::lora;
  scenario.rules = runtime;
  TrainingSettings& training = scenario.training;
  training.weight_bytes = training.adapter_bytes = training.gradient_bytes = training.state_bytes = 4;
  training.lora_rank = 16;
  training.lora_targets = kAllLinear;
  return scenario;
}

}  // namespace

TEST_CASE("Adapters have the parameters PEFT counts", "[memory][training][adapters]") {  // T-8.01
  CHECK(whole_model(kLlama31_8b, {.rank = 16, .targets = kAllLinear}) == Count(41943040));
  CHECK(whole_model(kLlama31_8b, {.rank = 8, .targets = kQv}) == Count(3407872));
  CHECK(whole_model(kQwen25_3b, {.rank = 16, .targets = kQv}) == Count(3686400));
  CHECK(whole_model(kLlama32_1b, {.rank = 8, .targets = target_bit(LoraTarget::q)}) == Count(524288));
  CHECK(whole_model(kLlama31_8b, {.kind = Adapter::rslora, .rank = 16, .targets = kAllLinear}) == Count(41943040));
  // DoRA: one more per output feature.
  const Count outputs = 4096 + 1024 + 1024 + 4096 + 14336 + 14336 + 4096;
  CHECK(whole_model(kLlama31_8b, {.kind = Adapter::dora, .rank = 16, .targets = kAllLinear}) ==
        41943040 + 32 * outputs);
  CHECK(whole_model(kLlama31_8b, {.rank = 4, .targets = target_bit(LoraTarget::embed)}) == Count(4 * (128256 + 4096)));
  // LLaMA-Adapter: ten prompt vectors and a gate for each query head.
  CHECK(whole_model(kLlama2_7b, {.kind = Adapter::adapter}) == Count(32 * (10 * 4096 + 32)));
}

TEST_CASE("fp32 adapters cost 16 bytes a parameter", "[memory][training][adapters]") {
  const DeviceLedger device = estimate(adapter_job("bf16", RuntimeId::hf_trainer)).devices.front();
  CHECK(sum(device, {"weights.adapters", "gradients", "gradients.rest", "optimizer.states"}) ==
        Bytes(671088640));  // T-8.03
  CHECK(sum(device, {"weights.base"}) == Bytes(16060522496));
  CHECK(sum(device, {"weights.upcast"}) == Bytes(0));
}

TEST_CASE("The k-bit preparation makes what is not quantised fp32", "[memory][training][adapters]") {
  Scenario scenario = adapter_job("nf4_dq", RuntimeId::hf_trainer);
  const auto base = [&] { return sum(estimate(scenario).devices.front(), {"weights.base", "weights.upcast"}); };
  CHECK(base() == Bytes(7804174336 - 2101878784));
  scenario.training.kbit_upcast = true;
  CHECK(base() == Bytes(7804174336));  // T-8.02
}

TEST_CASE("Who prepares a 4-bit model, and who does not", "[memory][training][adapters]") {
  const auto prepares = [](const std::string& words) {
    const auto scenario = resolve(testing::request_of("task=qlora model=llama-3.1-8b weights=nf4 gpu_count=2 " + words),
                                  testing::shipped_catalog().facts);
    REQUIRE(scenario);
    return scenario->training.kbit_upcast;
  };
  CHECK(prepares("framework=hf-trainer"));
  CHECK(prepares("framework=litgpt sharding=ddp"));
  CHECK_FALSE(prepares("framework=litgpt sharding=ddp framework_version=0.2"));
  CHECK_FALSE(prepares("framework=axolotl"));
  CHECK_FALSE(prepares("framework=hf-trainer sharding=fsdp"));
  CHECK_FALSE(prepares("framework=hf-trainer loss=fused"));
  CHECK_FALSE(prepares("framework=hf-trainer kbit_upcast=false"));
  CHECK(prepares("framework=axolotl kbit_upcast=true"));
}

TEST_CASE("Embeddings trained beside adapters are copies in the base's dtype", "[memory][training][adapters]") {
  Scenario scenario = adapter_job("bf16", RuntimeId::hf_trainer);
  const auto adapters = [&] { return sum(estimate(scenario).devices.front(), {"weights.adapters"}); };
  const Bytes before = adapters();
  scenario.training.trained_modules = 3;
  CHECK(adapters() - before == Bytes(2) * 2 * 128256 * 4096);
}

TEST_CASE("Fields that only another choice gives a meaning are not offered without it", "[scenario]") {
  const auto offered = [](Field field, const std::string& words) {
    const auto scenario =
        resolve(testing::request_of("model=llama-3.1-8b gpu_count=4 " + words), testing::shipped_catalog().facts);
    REQUIRE(scenario);
    return applies(row_of(field), *scenario);
  };
  CHECK(offered(Field::kbit_upcast, "task=qlora weights=nf4"));
  CHECK_FALSE(offered(Field::kbit_upcast, "task=lora"));
  CHECK(offered(Field::generations, "task=lora preference=grpo"));
  CHECK_FALSE(offered(Field::generations, "task=lora preference=dpo"));
  CHECK_FALSE(offered(Field::preference, "task=inference"));
  CHECK(offered(Field::checkpoint_every, "task=full checkpointing=full"));
  CHECK_FALSE(offered(Field::checkpoint_every, "task=full checkpointing=none"));
  CHECK(offered(Field::interleave, "task=pretrain framework=megatron pipeline_parallel=4"));
  CHECK_FALSE(offered(Field::interleave, "task=pretrain framework=megatron"));
}

}  // namespace vram
