// Bands: what derive_bands wrote reaches the items, and expected values stay.
#include "core/memory/bands.h"

#include <catch2/catch_test_macros.hpp>

#include "core/memory/context.h"
#include "core/scenario/resolve.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace testing;

DeviceLedger device_with(const Band& weights, const Band& activations, const Band& context) {
  DeviceLedger device;
  device.gpus = {0};
  device.items.push_back({"weights.layers", Group::weights, Level::allocated, kRunning, weights, "F-3.1", {}, ""});
  device.items.push_back(
      {"activations.prefill", Group::activations, Level::allocated, Phase::prefill, activations, "F-5.1", {}, ""});
  device.items.push_back({"runtime.context", Group::runtime, Level::device, kRunning, context, "F-14.1", {}, ""});
  return device;
}

}  // namespace

TEST_CASE("bands are stretched around expected values that stay", "[bands]") {
  for (const char* weights : {"bf16", "awq4"}) {
    const Result<Scenario> scenario =
        resolve(request_of(std::string("task=serving framework=vllm model=llama-3.1-8b weights=") + weights),
                shipped_catalog().facts);
    REQUIRE(scenario);
    const ResolvedConstants& constants = scenario->constants();
    DeviceLedger device = device_with(Band::exact(1000000), {900, 1000, 1200}, {0, 500, 700});
    calibrate_bands(*scenario, true, device);
    const bool plain = scenario->weights.scheme == WeightScheme::plain;
    CHECK(device.items[0].bytes ==
          times(1000000, constants.factor(plain ? Constant::band_weights : Constant::band_weights_quantised)));
    CHECK(device.items[0].bytes.low < device.items[0].bytes.expected);
    CHECK(device.items[0].bytes.expected == Bytes(1000000));
    const double above = constants.factor(Constant::stretch_allocated_above).expected;
    CHECK(device.items[1].bytes.expected == Bytes(1000));
    CHECK(device.items[1].bytes.high == Bytes(1000) + scaled(200, above));
    const double below = constants.factor(Constant::stretch_outside_below).expected;
    CHECK(device.items[2].bytes.low == Bytes(500) - scaled(500, below));
    // What is trained is counted, not measured: exact items of a step stay exact.
    DeviceLedger step = device_with(Band::exact(1000000), {900, 1000, 1200}, {0, 500, 700});
    calibrate_bands(*scenario, false, step);
    CHECK(step.items[0].bytes == Band::exact(1000000));
  }
}

}  // namespace vram
