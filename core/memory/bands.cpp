#include "core/memory/bands.h"

#include "core/memory/context.h"

namespace vram {
namespace {

bool is_exact(const Band& band) { return band.low == band.high; }

Band stretched(const Band& band, double below, double above) {
  return {band.expected - scaled(band.expected - band.low, below), band.expected,
          band.expected + scaled(band.high - band.expected, above)};
}

}  // namespace

void calibrate_bands(const Scenario& scenario, bool running, DeviceLedger& device) {
  const ResolvedConstants& constants =
      device.gpus.empty() ? scenario.constants() : *scenario.gpus[device.gpus.front()].constants;
  const bool plain = scenario.weights.scheme == WeightScheme::plain;
  const Factor& weights = constants.factor(plain ? Constant::band_weights : Constant::band_weights_quantised);
  const Factor& cache = constants.factor(Constant::band_cache);
  const auto factor = [&](Constant constant) { return constants.factor(constant).expected; };
  for (Item& item : device.items) {
    if (is_exact(item.bytes)) {
      if (!running) continue;
      if (item.group == Group::weights) item.bytes = times(item.bytes.expected, weights);
      if (item.group == Group::kv_cache || item.group == Group::state) item.bytes = times(item.bytes.expected, cache);
      continue;
    }
    item.bytes = item.level == Level::allocated ? stretched(item.bytes, factor(Constant::stretch_allocated_below),
                                                            factor(Constant::stretch_allocated_above))
                                                : stretched(item.bytes, factor(Constant::stretch_outside_below),
                                                            factor(Constant::stretch_outside_above));
  }
}

}  // namespace vram
