#include "core/fit/evaluate.h"

#include "core/fit/advice.h"
#include "core/fit/match.h"
#include "core/fit/suggestions.h"
#include "core/memory/estimate.h"
#include "core/memory/training/layer_activations.h"

namespace vram {

Evaluation assess(const Request& request, Scenario scenario) {
  Evaluation result;
  result.request = request;
  result.scenario = std::move(scenario);
  result.ledger = estimate(result.scenario);
  result.verdict = Verdict::comfortable;
  result.gpus.resize(result.scenario.gpus.size());
  Bytes most;
  for (std::uint32_t device = 0; device < result.ledger.devices.size(); ++device) {
    const DeviceLedger& entry = result.ledger.devices[device];
    const Memory memory = peak_memory(entry);
    if (device == 0 || memory.need.expected > most) {
      most = memory.need.expected;
      result.memory = memory;
      result.peak_phase = peak_phase(entry);
    }
    for (const std::uint32_t index : entry.gpus) {
      const GpuSlot& slot = result.scenario.gpus[index];
      const Verdict verdict = verdict_of(memory.need, slot.display, slot.margin, slot.usable);
      result.gpus[index] = {index, device, memory, verdict};
      result.verdict = worse(result.verdict, verdict);
    }
  }
  return result;
}

namespace {

/// Where no machine fits: what would make the job fit the nearest one that lacks nothing but memory.
std::vector<Suggestion> changes_for_nearest(const Evaluation& evaluation, const Catalog& catalog) {
  const auto& machines = evaluation.configurations;
  if (machines.empty() || machines.front().verdict != Verdict::no) return {};
  const std::string_view reason = machines.front().reason;
  if (reason != "memory") return {};
  const GpuSet& set = catalog.machines.gpu_sets[machines.front().configuration->gpu_set];
  Request request = evaluation.request;
  for (const Field field : {Field::gpu, Field::gpu_count, Field::gpus}) request.clear(field);
  std::vector<std::string> ids;
  for (const auto& gpu : set.devices) ids.push_back(gpu->id);
  request.set(Field::gpus, std::move(ids));
  auto scenario = with_gpus(request, evaluation.scenario, catalog.facts, set.devices);
  if (!scenario) return {};
  std::vector<Suggestion> changes = suggest(assess(request, std::move(*scenario)), catalog.facts);
  std::erase_if(changes, [](const Suggestion& change) { return change.verdict > Verdict::tight; });
  return changes;
}

}  // namespace

Result<Evaluation> evaluate(const Request& request, const Catalog& catalog) {
  auto scenario = resolve(request, catalog.facts);
  if (!scenario) return scenario.error();
  if (is_training(scenario->task) && !has_exact_activations(*scenario->model)) {
    scenario->warnings.push_back({"nearest_activations", "model", {}});
  }
  Evaluation result = assess(request, std::move(*scenario));
  result.tiers = match_tiers(request, result.scenario, catalog);
  result.configurations = match_configurations(request, result.scenario, catalog);
  measure_room(request, result.scenario, catalog, result.configurations);
  result.nearest_changes = changes_for_nearest(result, catalog);
  result.advice = advise(result, catalog);
  result.suggestions = suggest(result, catalog.facts);
  result.accuracy = find_accuracy(catalog.accuracy, result.scenario);
  return result;
}

}  // namespace vram
