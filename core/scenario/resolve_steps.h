// The steps of resolve(), in their order. Private to core/scenario.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/scenario/resolve.h"

namespace vram::steps {

/// Model, task, runtime, weight format and stored weights.
std::optional<Error> resolve_job(const Request& request, const Facts& facts, Scenario& scenario);
/// Image sizes, classes and the graphs of vision and diffusion models; needs the model and its weight format.
std::optional<Error> resolve_images(const Request& request, Scenario& scenario);
/// Cards, degrees of parallelism, display, margins.
std::optional<Error> resolve_machine(const Request& request, const Facts& facts,
                                     std::span<const std::shared_ptr<const Gpu>> gpus, Scenario& scenario);
/// Context, sequences, caches and engine settings; needs the machine.
std::optional<Error> resolve_inference(const Request& request, Scenario& scenario);
/// Recipe, adapters, sharding; needs the machine.
std::optional<Error> resolve_training(const Request& request, Scenario& scenario);
/// Fields that were set but change nothing for this job.
void warn_of_unused_fields(const Request& request, Scenario& scenario);

/// The recipe of HF Trainer with `bf16=True`, the most common way to train.
inline constexpr Precision kDefaultPrecision = Precision::amp_bf16;

inline Error conflict(Field field, std::string got, std::string expected) {
  return {ErrorCode::conflict, std::string(row_of(field).name), std::move(got), std::move(expected), 0};
}

}  // namespace vram::steps
