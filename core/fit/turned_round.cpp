#include "core/fit/turned_round.h"

#include <algorithm>
#include <array>

#include "core/fit/match.h"
#include "core/format/storage_format.h"
#include "core/memory/estimate.h"

namespace vram {
namespace {

bool fits(Verdict verdict) { return verdict <= Verdict::fits; }

std::vector<std::shared_ptr<const Gpu>> cards_of(const Scenario& scenario) {
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const GpuSlot& slot : scenario.gpus) cards.push_back(slot.gpu);
  return cards;
}

void set(Request& request, Field field, std::uint64_t value) {
  request.set(field, FieldValue(value));
  if (field == Field::image_height) request.set(Field::image_width, FieldValue(value));
}

using GroupSums = std::array<Count, kGroupCount>;

/// Bytes by group on the busiest card, in its largest phase.
GroupSums sums_of(const Ledger& ledger) {
  GroupSums sums{};
  const DeviceLedger& device = ledger.devices[busiest(ledger)];
  const Phase phase = peak_phase(device);
  for (const Item& item : device.items) {
    if (item.phases.has(phase)) sums[static_cast<std::size_t>(item.group)] += item.bytes.expected;
  }
  return sums;
}

Group largest_of(const GroupSums& sums) {
  return static_cast<Group>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

/// The job with one field set, on its own cards. The model and its weights stay.
class Search {
 public:
  Search(const Evaluation& evaluation, const Facts& facts, Field field)
      : evaluation_(&evaluation), facts_(&facts), field_(field), cards_(cards_of(evaluation.scenario)) {}

  [[nodiscard]] bool fits_with(std::uint64_t value) const {
    const auto scenario = scenario_with(value);
    return scenario && fits(fit_of(*scenario, estimate(*scenario)).verdict);
  }
  /// What grows most when the value doubles.
  [[nodiscard]] Group grows_from(std::uint64_t value) const {
    const auto now = scenario_with(value), then = scenario_with(value * 2);
    if (!now || !then) return Group::weights;
    const GroupSums before = sums_of(estimate(*now));
    GroupSums after = sums_of(estimate(*then));
    for (std::size_t i = 0; i < kGroupCount; ++i) after[i] -= before[i];
    return largest_of(after);
  }

 private:
  [[nodiscard]] Result<Scenario> scenario_with(std::uint64_t value) const {
    Request request = evaluation_->request;
    set(request, field_, value);
    return with_gpus(request, evaluation_->scenario, *facts_, cards_);
  }

  const Evaluation* evaluation_;
  const Facts* facts_;
  Field field_;
  std::vector<std::shared_ptr<const Gpu>> cards_;
};

}  // namespace

std::vector<Field> turnable_fields(const Scenario& scenario) {
  std::vector<Field> list;
  for (const Field field : {Field::context, Field::batch, Field::users, Field::lora_rank, Field::image_height}) {
    if (applies(row_of(field), scenario)) list.push_back(field);
  }
  return list;
}

std::optional<LargestValue> largest_value(const Evaluation& evaluation, const Facts& facts, Field field) {
  const FieldRow& row = row_of(field);
  if (!applies(row, evaluation.scenario)) return std::nullopt;
  const Search search(evaluation, facts, field);
  LargestValue result;
  result.field = field;
  const auto least = static_cast<std::uint64_t>(row.minimum);
  auto most = static_cast<std::uint64_t>(row.maximum);
  result.limit = "range";
  const Count trained = evaluation.scenario.model->context_max;
  if (field == Field::context && trained && trained < Count(most)) {
    most = std::max(trained.value(), least);
    result.limit = "trained";
  }
  if (search.fits_with(most)) {
    result.value = most;
    return result;
  }
  result.limit = "memory";
  if (search.fits_with(least)) {
    // `low` fits and `high` does not.
    std::uint64_t low = least, high = most;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (search.fits_with(middle) ? low : high) = middle;
    }
    result.value = low;
  }
  result.grows = search.grows_from(std::max(result.value, least));
  return result;
}

std::string best_weights(const Evaluation& evaluation, const Facts& facts) {
  constexpr std::uint32_t kMostBits = 1600;
  std::string best;
  std::uint32_t bits = 0;
  for (const NamedFormat& candidate : named_formats()) {
    const std::uint32_t candidate_bits = nominal_bits_x100(candidate.format);
    if (candidate_bits > kMostBits || candidate_bits <= bits) continue;
    Request request = evaluation.request;
    request.set(Field::weights, FieldValue(std::string(candidate.name)));
    // Another format must not bring another engine with it.
    request.set(Field::framework, FieldValue(static_cast<std::uint64_t>(evaluation.scenario.runtime)));
    const auto scenario = resolve(request, facts);
    if (!scenario || !fits(fit_of(*scenario, estimate(*scenario)).verdict)) continue;
    best = candidate.name;
    bits = candidate_bits;
  }
  return best;
}

std::vector<ModelFit> models_that_fit(const Evaluation& evaluation, const Facts& facts, std::size_t first,
                                      std::size_t count) {
  std::vector<ModelFit> list;
  const auto& models = facts.models.models;
  const ModelKind kind = evaluation.scenario.model->kind;
  Bytes all;
  for (const GpuSlot& slot : evaluation.scenario.gpus) all += slot.usable;
  // No format of ours has less than one bit a weight: what is larger than that need not be asked.
  for (std::size_t i = first; i < models.size() && i - first < count; ++i) {
    if (models[i]->parameters / 8 > all) continue;
    const bool same_kind =
        models[i]->kind == kind || (kind == ModelKind::language && models[i]->kind == ModelKind::vision_language);
    if (!same_kind) continue;
    Request request = evaluation.request;
    request.clear(Field::architecture);
    request.clear(Field::parameters_b);
    request.set(Field::model, FieldValue(models[i]->id));
    const auto scenario = resolve(request, facts);
    if (!scenario) continue;
    const Ledger ledger = estimate(*scenario);
    const CardsFit cards = fit_of(*scenario, ledger);
    if (!fits(cards.verdict)) continue;
    list.push_back(
        {models[i], cards.verdict, cards.need, cards.usable, largest_of(sums_of(ledger)), name_of(scenario->weights)});
  }
  return list;
}

void keep_largest(std::vector<ModelFit>& models, std::size_t most) {
  std::stable_sort(models.begin(), models.end(),
                   [](const ModelFit& a, const ModelFit& b) { return a.model->parameters > b.model->parameters; });
  if (models.size() > most) models.erase(models.begin() + static_cast<std::ptrdiff_t>(most), models.end());
}

const TierFit* smallest_tier(const Evaluation& evaluation) {
  const TierFit* smallest = nullptr;
  for (const TierFit& fit : evaluation.tiers) {
    if (fits(fit.verdict) && (smallest == nullptr || fit.tier->usable < smallest->tier->usable)) smallest = &fit;
  }
  return smallest;
}

const ConfigurationFit* smallest_machine(const Evaluation& evaluation) {
  for (const ConfigurationFit& fit : evaluation.configurations) {
    if (fits(fit.verdict)) return &fit;  // the list begins with the smallest that fits
  }
  return nullptr;
}

}  // namespace vram
