#include <catch2/catch_test_macros.hpp>

#include "core/memory/estimate.h"
#include "core/memory/training/state_sharding.h"
#include "tests/core/memory/training/training_scenario.h"

namespace vram {
namespace {

using namespace training_test;

DeviceLedger device_of(const Scenario& scenario) { return estimate(scenario).devices.front(); }

Scenario with_masters(Model model, std::uint32_t gpus, Sharding sharding) {
  Scenario scenario = job(std::move(model), "bf16", gpus);
  use_masters(scenario);
  scenario.training.sharding = sharding;
  return scenario;
}

}  // namespace

TEST_CASE("Recipes cost their bytes per parameter", "[memory][training]") {
  CHECK(states_of(device_of(job(llama(kLlama2_7b), "fp32"))) == Bytes(107814649856));  // T-6.01: AMP keeps the same
  CHECK(states_of(device_of(job(llama(kLlama2_7b)))) == Bytes(53907324928));           // pure 16 bit
  CHECK(states_of(device_of(with_masters(llama(kLlama2_7b), 1, Sharding::none))) == Bytes(107814649856));

  Scenario megatron = with_masters(llama(kLlama2_7b), 1, Sharding::none);
  megatron.rules = RuntimeId::megatron;
  megatron.training.gradient_bytes = 4;
  CHECK(states_of(device_of(megatron)) == Bytes(121291481088));
  Scenario distributed = with_masters(llama(kLlama2_7b), 8, Sharding::zero1);
  distributed.rules = RuntimeId::megatron;
  distributed.training.gradient_bytes = 4;
  CHECK(states_of(device_of(distributed)) == Bytes(50538117120));
}

TEST_CASE("A multi-tensor step in 16 bit peaks at ten bytes a parameter", "[memory][training]") {
  const DeviceLedger device = device_of(job(llama(kMistral_7b)));
  const Bytes step =
      sum(device, {"weights.trained", "gradients", "gradients.rest", "optimizer.states", "temporary.optimizer_step"});
  CHECK(step == Bytes(72417320960));  // T-6.09
}

TEST_CASE("ZeRO divides states, then gradients, then weights", "[memory][training][sharding]") {
  constexpr std::uint64_t kParameters = 7500000000;
  const auto on = [](std::uint32_t gpus, Sharding sharding) {
    return states_of(device_of(with_masters(mere_parameters(kParameters), gpus, sharding)));
  };
  CHECK(on(1, Sharding::none) == Bytes(120000000000));  // T-9.01
  CHECK(on(64, Sharding::zero1) == Bytes(31406250000));
  CHECK(on(64, Sharding::zero2) == Bytes(16640625000));
  CHECK(on(64, Sharding::zero3) == Bytes(1875000000));
}

TEST_CASE("DeepSpeed's stage 2 holds 2N + 18N/d and its buckets", "[memory][training][sharding]") {
  const DeviceLedger device = device_of(with_masters(mere_parameters(7500000000), 8, Sharding::zero2));
  CHECK(states_of(device) + sum(device, {"gradients.fp32_partition"}) == Bytes(31875000000));  // T-9.02
  // Two reduction buckets (T-9.04: 2,000,000,000) and one that gathers parameters.
  CHECK(sum(device, {"communication.buckets"}) == Bytes(3000000000));
  const DeviceLedger stage3 = device_of(with_masters(mere_parameters(7500000000), 8, Sharding::zero3));
  CHECK(sum(stage3, {"communication.buckets"}) == Bytes(2000000000));
  // Few trained parameters never fill a bucket.
  const DeviceLedger small = device_of(with_masters(mere_parameters(1000000), 8, Sharding::zero3));
  CHECK(sum(small, {"communication.buckets"}) == Bytes(4000000));
  // Stage 3 gathers at most a milliard parameters and prefetches fifty million.
  CHECK(sum(stage3, {"communication.unsharded"}) == Bytes(2 * 1050000000ULL));
}

TEST_CASE("FSDP divides everything and gathers two layers and the root", "[memory][training][sharding]") {
  const DeviceLedger device = device_of(with_masters(llama(kLlama31_8b), 8, Sharding::fsdp));
  CHECK(states_of(device) == Bytes(16060522496));
  CHECK(sum(device, {"communication.unsharded"}) == Bytes(872448000) + 2101354496);
  CHECK(sum(device, {"communication.unsharded_gradients"}) == Bytes(436224000));
  CHECK(states_of(device) + sum(device, {"communication.unsharded", "communication.unsharded_gradients"}) ==
        Bytes(19470548992));  // T-9.05
}

TEST_CASE("DDP without bucket views holds gradients twice", "[memory][training][sharding]") {
  Scenario scenario = job(llama(kLlama32_1b), "fp32", 2);
  scenario.training.sharding = Sharding::ddp;
  CHECK(sum(device_of(scenario), {"communication.buckets"}) == Bytes(0));
  scenario.rules = RuntimeId::hf_trainer;
  const DeviceLedger device = device_of(scenario);
  CHECK(sum(device, {"communication.buckets"}) == sum(device, {"gradients", "gradients.rest"}));
}

TEST_CASE("Tensor parallelism divides weights but for what it replicates", "[memory][training][sharding]") {
  Scenario scenario = job(llama(kLlama31_70b), "bf16", 8);
  scenario.parallel.data = 1;
  scenario.parallel.tensor = 8;
  CHECK(sum(device_of(scenario), {"weights.trained"}) == Bytes(17640734720));  // T-9.06
}

TEST_CASE("Offloading moves states to system memory, byte for byte", "[memory][training][sharding]") {
  Scenario scenario = with_masters(llama(kLlama32_1b), 4, Sharding::zero3);
  const Bytes before = sum(device_of(scenario), {"master_weights", "optimizer.states", "gradients", "gradients.rest"});
  scenario.training.offload = Offload::optimizer;
  const Ledger ledger = estimate(scenario);
  CHECK(sum(ledger.devices.front(), {"master_weights", "optimizer.states", "gradients", "gradients.rest"}) == Bytes(0));
  CHECK(ledger.host.ram.expected == 4 * before);
  const Bytes weights = sum(ledger.devices.front(), {"weights.trained"});
  CHECK(weights > Bytes(0));
  scenario.training.offload = Offload::all;
  CHECK(sum(device_of(scenario), {"weights.trained"}) == Bytes(0));
  CHECK(estimate(scenario).host.ram.expected == 4 * (before + weights));
}

TEST_CASE("Checkpoints on their way to system memory leave two on the card", "[memory][training]") {
  Scenario scenario = job(llama(kLlama31_8b));
  scenario.training.checkpointing = Checkpointing::full;
  const Bytes one = Bytes(2) * 512 * 4096;
  CHECK(sum(device_of(scenario), {"activations.checkpoints"}) == 32 * one);
  scenario.training.offload = Offload::activations;
  CHECK(sum(device_of(scenario), {"activations.checkpoints"}) == 2 * one);
  CHECK(estimate(scenario).host.ram.expected == 32 * one);
}

TEST_CASE("A tied embedding's gradient is made twice and added up", "[memory][training]") {
  Scenario scenario = job(llama(kLlama32_1b));
  scenario.training.sequence = 16;  // activations so small that the embedding decides
  // Both 16-bit gradients, and that of the residual stream.
  CHECK(sum(device_of(scenario), {"temporary.tied_gradient"}) == Bytes(2) * 2 * 128256 * 2048 + 2 * 16 * 2048);
}

TEST_CASE("Autograd's thread has a cuBLAS workspace of its own", "[memory][training]") {
  Scenario scenario = job(llama(kLlama32_1b));
  auto constants = std::make_shared<ResolvedConstants>(*plain_constants());
  constants->bytes[static_cast<std::size_t>(Constant::cublas_workspace)] = {1000, 2000, 3000};
  scenario.gpus.front().constants = constants;
  CHECK(sum(device_of(scenario), {"runtime.cublas"}) == Bytes(4000));
}

TEST_CASE("Gradients wait through the step only when they are accumulated", "[memory][training]") {
  Scenario scenario = job(llama(kLlama32_1b));
  const auto forward_has_gradients = [&] {
    for (const Item& item : device_of(scenario).items) {
      if (item.group == Group::gradients && item.phases.has(Phase::forward)) return true;
    }
    return false;
  };
  CHECK_FALSE(forward_has_gradients());
  scenario.training.accumulation = 2;
  CHECK(forward_has_gradients());
}

TEST_CASE("Pipelines keep the micro-batches in flight", "[memory][training][sharding]") {
  Scenario scenario = job(llama(kLlama31_8b), "bf16", 4);
  scenario.parallel.data = 1;
  scenario.parallel.pipeline = 4;
  scenario.training.accumulation = 16;
  const Ledger ledger = estimate(scenario);
  REQUIRE(ledger.devices.size() == 4);
  const Bytes last = sum(ledger.devices[3], {"activations.layers"});
  for (std::size_t stage = 0; stage < 4; ++stage) {  // F-9.5: min(M, p - stage)
    CHECK(sum(ledger.devices[stage], {"activations.layers"}) == (4 - stage) * last);
  }
  scenario.training.accumulation = 2;
  CHECK(sum(estimate(scenario).devices[0], {"activations.layers"}) == 2 * last);
}

TEST_CASE("torchtitan reduces the root's whole gradients in fp32", "[memory][training][sharding]") {
  Scenario scenario = job(llama(kLlama31_8b), "fp32", 8);
  scenario.training.sharding = Sharding::fsdp;
  scenario.training.autocast = true;
  scenario.training.compute_bytes = 2;
  scenario.training.checkpointing = Checkpointing::full;
  // Embedding, head and final norm: 1,050,677,248 parameters, 2 bytes each and 4 on their way through the reduction.
  const Bytes root = 1050677248;
  CHECK(sum(device_of(scenario), {"communication.root_gradients"}) == 2 * root);
  scenario.rules = RuntimeId::torchtitan;
  CHECK(sum(device_of(scenario), {"communication.root_gradients"}) == 6 * root);
  // A layer is 218,112,000 (T-9.05).
  CHECK(sum(device_of(scenario), {"communication.unsharded_gradients"}) == Bytes(6) * 218112000);
}

TEST_CASE("A card never holds more than it has", "[memory][training]") {
  Scenario scenario = job(llama(kLlama31_8b));
  scenario.training.checkpointing = Checkpointing::full;
  scenario.training.batch = 4;
  scenario.training.sequence = 4096;
  const Memory free = peak_memory(device_of(scenario));
  // 14 bytes a logit are cached in blocks that nothing else fits.
  CHECK(free.reserved.expected > free.allocated.expected + Bytes(4) * 16384 * 128256);
  for (GpuSlot& slot : scenario.gpus) slot.usable = free.allocated.expected + 1000000;
  CHECK(peak_memory(device_of(scenario)).device.expected == free.allocated.expected + 1000000);
}

TEST_CASE("DeepSpeed fills its buckets on one card as on many", "[memory][training][sharding]") {
  const auto buckets = [](std::uint32_t gpus, Sharding sharding) {
    return sum(device_of(with_masters(mere_parameters(7500000000), gpus, sharding)), {"communication.buckets"});
  };
  CHECK(buckets(1, Sharding::zero3) == Bytes(2000000000));  // T-9.04
  CHECK(buckets(1, Sharding::zero3) == buckets(8, Sharding::zero3));
  CHECK(buckets(1, Sharding::ddp) == Bytes());
  CHECK(buckets(1, Sharding::fsdp) == Bytes());
}

}  // namespace vram
