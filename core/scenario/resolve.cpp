#include "core/scenario/resolve.h"

#include "core/scenario/resolve_steps.h"

namespace vram {
namespace {

/// The card a visitor starts with: the 32 GB tier's.
constexpr std::string_view kDefaultGpu = "geforce-rtx-5090";

Error unknown_gpu(Field field, std::string_view id, const GpuCatalogue& catalogue) {
  std::string similar;
  for (const std::string_view other : catalogue.similar(id, 5)) {
    if (!similar.empty()) similar += ", ";
    similar += other;
  }
  if (similar.empty()) similar = "an id of the catalogue";
  return {ErrorCode::unknown_id, std::string(row_of(field).name), std::string(id.substr(0, 60)), similar, 0};
}

Result<std::vector<std::shared_ptr<const Gpu>>> requested_gpus(const Request& request, const Facts& facts) {
  std::vector<std::shared_ptr<const Gpu>> gpus;
  if (const FieldValue* list = request.find(Field::gpus)) {
    const auto& ids = std::get<std::vector<std::string>>(*list);
    if (request.has(Field::gpu_count) && request.integer(Field::gpu_count) != ids.size()) {
      return steps::conflict(Field::gpu_count, text_of(request, Field::gpu_count),
                             "gpus lists " + std::to_string(ids.size()));
    }
    if (request.has(Field::gpu)) return steps::conflict(Field::gpu, text_of(request, Field::gpu), "gpus");
    for (const std::string& id : ids) {
      auto gpu = facts.gpus.find(id);
      if (!gpu) return unknown_gpu(Field::gpus, id, facts.gpus);
      gpus.push_back(std::move(gpu));
    }
    return gpus;
  }
  const std::string_view id = request.text(Field::gpu, kDefaultGpu);
  auto gpu = facts.gpus.find(id);
  if (!gpu) return unknown_gpu(Field::gpu, id, facts.gpus);
  gpus.assign(static_cast<std::size_t>(request.integer(Field::gpu_count, 1)), gpu);
  return gpus;
}

std::optional<Error> finish(const Request& request, const Facts& facts,
                            std::span<const std::shared_ptr<const Gpu>> gpus, Scenario& scenario) {
  if (auto error = steps::resolve_machine(request, facts, gpus, scenario)) return error;
  if (auto error = steps::resolve_inference(request, scenario)) return error;
  return steps::resolve_training(request, scenario);
}

}  // namespace

Result<Scenario> resolve(const Request& request, const Facts& facts) {
  Scenario scenario;
  if (auto error = steps::resolve_job(request, facts, scenario)) return *error;
  const auto gpus = requested_gpus(request, facts);
  if (!gpus) return gpus.error();
  if (auto error = finish(request, facts, *gpus, scenario)) return *error;
  steps::warn_of_unused_fields(request, scenario);
  return scenario;
}

Result<Scenario> with_gpus(const Request& request, const Scenario& scenario, const Facts& facts,
                           std::span<const std::shared_ptr<const Gpu>> gpus) {
  Scenario changed = scenario;
  changed.warnings.clear();
  if (auto error = finish(request, facts, gpus, changed)) return *error;
  return changed;
}

}  // namespace vram
