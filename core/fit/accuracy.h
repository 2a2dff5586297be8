// How close estimates of one kind of run have come to measurements: catalog/accuracy.json, written by tests/accuracy/score.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace vram {

/// One job of the accuracy report.
struct JobAccuracy {
  std::string id;              ///< "llama.cpp", "training-allocated" ...
  std::uint32_t rows = 0;      ///< measurements
  std::uint32_t sources = 0;   ///< that they come from
  double median = 0, p90 = 0;  ///< absolute error of the expected value, as a fraction
};

/// Reads {"jobs": [{"id", "rows", "sources", "median", "p90"}]}; bad entries go to `faults`.
std::vector<JobAccuracy> read_accuracy(const json::Value& file, std::vector<Error>& faults);

/// The job whose measurements speak for a scenario: by engine when running, by kind of model when not a language model.
std::string_view accuracy_job(const Scenario& scenario);

/// The entry of that job, or nullptr where fewer than five runs of the kind were measured.
const JobAccuracy* find_accuracy(const std::vector<JobAccuracy>& jobs, const Scenario& scenario);

}  // namespace vram
