// Room for the next experiment: each step up is put to the estimator.
#include <algorithm>
#include <optional>
#include <string>

#include "core/fit/advice_parts.h"
#include "core/fit/match.h"
#include "core/memory/estimate.h"

namespace vram::advice_parts {
namespace {

using Level = Advice::Level;
using Topic = Advice::Topic;
constexpr const char* kAsked = "F-16.2";
constexpr int kSteps = 6;  ///< doublings that are tried

bool fits(Verdict verdict) { return verdict <= Verdict::fits; }

std::optional<CardsFit> with_value(const Case& job, Field field, std::uint64_t value) {
  Request changed = job.evaluation.request;
  if (set_from_text(changed, row_of(field).name, std::to_string(value))) return std::nullopt;
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const GpuSlot& slot : job.scenario().gpus) cards.push_back(slot.gpu);
  const CardsFit fit = fit_on(changed, job.scenario(), job.catalog.facts, cards);
  if (fit.error != nullptr) return std::nullopt;
  return fit;
}

/// The largest value reached by doubling `from` that still fits, at most `limit`; `from` itself where the next does not.
std::uint64_t doubled(const Case& job, Field field, std::uint64_t from, std::uint64_t limit) {
  std::uint64_t most = from;
  for (int step = 0; step < kSteps && most < limit; ++step) {
    const std::uint64_t next = std::min(2 * most, limit);
    const auto fit = with_value(job, field, next);
    if (!fit || !fits(fit->verdict)) break;
    most = next;
  }
  return most;
}

void advise_on_context(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  const bool trains = is_training(scenario.task);
  const Count now = trains ? scenario.training.sequence : scenario.inference.context;
  const Count trained = scenario.model->context_max ? scenario.model->context_max : now;
  if (!now || now >= trained) return;
  const std::uint64_t most = doubled(job, Field::context, now.value(), trained.value());
  const bool room = most > now.value();
  list.push_back({room ? "next_context" : "no_next_context",
                  Topic::growth,
                  room ? Level::info : Level::advise,
                  {{"tokens", now.value()}, {"next", room ? most : min(2 * now, trained).value()}},
                  kAsked});
}

void advise_on_numbers(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  if (scenario.task == Task::serving) {
    const std::uint64_t users = scenario.inference.users_today.value();
    const std::uint64_t most = doubled(job, Field::users, users, 65536);
    const bool grows = scenario.growth_percent > 0;
    list.push_back({grows ? "users_growth" : "users_room",
                    Topic::growth,
                    most == users ? Level::advise : Level::info,
                    {{"users", users},
                     {"planned", scenario.inference.sequences.value()},
                     {"months", scenario.growth_months.value()},
                     {"most", most}},
                    kAsked});
  } else if (is_training(scenario.task)) {
    const std::uint64_t batch = scenario.training.batch.value();
    const std::uint64_t most = doubled(job, Field::batch, batch, 65536);
    list.push_back({"batch_room", Topic::growth, Level::info, {{"batch", batch}, {"most", most}}, kAsked});
  }
}

/// The smallest model that has half as many parameters again, of the same family if there is one.
const Model* next_model(const Model& now, const ModelCatalogue& models) {
  const Model* best = nullptr;
  for (const auto& model : models.models) {
    if (model->kind != now.kind || model->parameters * 2 < now.parameters * 3) continue;
    const bool family = model->family == now.family;
    const bool best_family = best != nullptr && best->family == now.family;
    if (best == nullptr || (family && !best_family) ||
        (family == best_family && model->parameters < best->parameters)) {
      best = model.get();
    }
  }
  return best;
}

void advise_on_model(const Case& job, std::vector<Advice>& list) {
  const Model& now = *job.scenario().model;
  const Model* const next = next_model(now, job.catalog.facts.models);
  if (next == nullptr) return;
  Request changed = job.evaluation.request;
  changed.clear(Field::architecture);
  changed.clear(Field::parameters_b);
  changed.set(Field::model, next->id);
  const auto scenario = resolve(changed, job.catalog.facts);
  if (!scenario) return;
  const CardsFit fit = fit_of(*scenario, estimate(*scenario));
  list.push_back({fits(fit.verdict) ? "next_model" : "no_next_model",
                  Topic::growth,
                  Level::info,
                  {{"model", 0, next->name}, {"need", fit.need.value()}, {"usable", fit.usable.value()}},
                  kAsked});
}

void advise_on_spare(const Case& job, std::vector<Advice>& list) {
  const CardsFit fit = fit_of(job.scenario(), job.evaluation.ledger);
  const Bytes spare = fit.usable - fit.need;
  list.push_back({"spare",
                  Topic::growth,
                  Level::info,
                  {{"spare", spare.value()}, {"percent", mul_div(spare, 100, fit.usable).value()}},
                  kAsked});
}

}  // namespace

void advise_on_growth(const Case& job, std::vector<Advice>& list) {
  if (!fits(job.evaluation.verdict)) return;
  advise_on_spare(job, list);
  advise_on_numbers(job, list);
  advise_on_context(job, list);
  advise_on_model(job, list);
}

}  // namespace vram::advice_parts
