// Request -> Scenario: every default chosen, every name looked up, every contradiction reported.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/model/read_model.h"
#include "core/scenario/constants.h"
#include "core/scenario/gpu.h"
#include "core/scenario/request.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Id of the model that `parameters_b` stands for.
inline constexpr std::string_view kGenericModelId = "generic";

/// The facts a request refers to.
struct Facts {
  ModelCatalogue models;
  GpuCatalogue gpus;
  ConstantTable constants;
};

/// Errors: missing_field (neither model, architecture nor parameters_b), unknown_id, conflict (parallel degrees that do not
/// multiply to gpu_count, quantised training...), unsupported. Errors name the field and the remedy.
Result<Scenario> resolve(const Request& request, const Facts& facts);

/// The same job on other cards: everything that depends on the machine is resolved anew, nothing else. `request` must be
/// the one `scenario` came from; its gpu, gpus and gpu_count are replaced by `gpus` (at least one).
Result<Scenario> with_gpus(const Request& request, const Scenario& scenario, const Facts& facts,
                           std::span<const std::shared_ptr<const Gpu>> gpus);

/// The value the request's field has after resolving, as text: what the page shows in a control the visitor has not touched.
std::string effective_text(const Request& request, const Scenario& scenario, Field field);

/// True when the row can have an effect for this scenario.
bool applies(const FieldRow& row, const Scenario& scenario);

}  // namespace vram
