// Measured beside estimated, and what a measurement may correct.
#pragma once

#include <optional>
#include <vector>

#include "core/base/json.h"
#include "core/fit/evaluate.h"
#include "core/report/measured/read_log.h"

namespace vram::measured {

struct ComparedItem {
  Quantity quantity = Quantity::device;
  Bytes measured;
  Band ours;
};

struct Comparison {
  std::vector<ComparedItem> items;
  std::size_t largest = 0;          ///< index of the largest difference; items.size() when nothing was compared
  std::vector<const char*> causes;  ///< usual causes of that difference ("cause.<id>")
  /// The field `calibration` that makes our buffers the measured ones; nullopt where the measurement says nothing of
  /// them. Weights and caches are counted, not guessed: a difference there is another configuration, never a factor.
  std::optional<double> calibration;
};

/// `evaluation` is the job that was measured. Sums over several cards are compared with our sums over all cards.
Comparison compare(const LogReading& reading, const Evaluation& evaluation);

/// The request that the log states: what it says over what `base` had. The model only where the catalogue knows it.
Request request_of_log(const LogReading& reading, const Request& base, const Facts& facts);

/// {"sources":[..], "request":{..}, "model":.., "items":[{"quantity","measured","ours":{band},"difference"}], "largest":..,
/// "causes":[..], "calibration":..}
json::Value comparison_to_json(const LogReading& reading, const Request& request, const Comparison& comparison);

}  // namespace vram::measured
