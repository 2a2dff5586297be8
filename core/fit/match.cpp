#include "core/fit/match.h"

#include <algorithm>

#include "core/memory/estimate.h"

namespace vram {
namespace {

/// True when `a` leaves less than `b`.
bool is_worse(const CardsFit& a, const CardsFit& b) {
  if (a.shortage() != b.shortage()) return a.shortage() > b.shortage();
  return a.usable - a.need < b.usable - b.need;
}

/// The tier's card, with the tier's memory.
std::shared_ptr<const Gpu> card_of(const Tier& tier) {
  if (tier.gpu->usable == tier.usable) return tier.gpu;
  auto card = std::make_shared<Gpu>(*tier.gpu);
  card->usable = tier.usable;
  card->usable_windows = {};
  return card;
}

const char* first_broken(const std::vector<RuleCheck>& rules) {
  for (const RuleCheck& rule : rules) {
    if (!rule.ok) return rule.id;
  }
  return "";
}

ConfigurationFit fit_machine(const Configuration& machine, const CardsFit& cards, const MachineCatalogue& machines) {
  ConfigurationFit fit;
  fit.configuration = &machine;
  fit.verdict = cards.verdict;
  fit.need = cards.need;
  fit.usable = cards.usable;
  fit.spare = cards.usable - cards.need;
  if (cards.error != nullptr) {
    fit.reason = cards.error;
    return fit;
  }
  fit.rules = check_job(machine, machines.platform_of(machine), cards.host);
  if (!machine.sound) {
    for (RuleCheck& rule : check_machine(machine, machines)) {
      if (!rule.ok) fit.rules.push_back(std::move(rule));
    }
  }
  fit.reason = cards.verdict == Verdict::no ? "memory" : first_broken(fit.rules);
  if (*fit.reason != '\0') fit.verdict = Verdict::no;
  if (fit.verdict == Verdict::no) fit.spare = {};
  return fit;
}

/// Where a machine stands in the list; smaller is earlier.
struct Place {
  std::uint8_t kind = 0;  ///< 0 comfortable, 1 fits, 2 tight, 3 does not fit, 4 the job cannot run on it at all
  Bytes size;             ///< fitting: all its memory; others: what is missing on the worst card
  std::uint32_t cards = 0;
  std::uint32_t index = 0;
};

bool operator<(const Place& a, const Place& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.size != b.size) return a.size < b.size;
  return a.cards != b.cards ? a.cards < b.cards : a.index < b.index;
}

/// The largest value of a field that still fits: a straight line through `now` and its double, and the estimator's word
/// on what it comes to. `now` itself where the line is too steep to tell.
Count most_that_fits(const Request& request, const Scenario& scenario, const Facts& facts, const GpuSet& set,
                     Field field, Count now, Count limit, const ConfigurationFit& fit) {
  const auto with = [&](Count value) {
    Request more = request;
    more.set(field, value.value());
    return fit_on(more, scenario, facts, set.devices);
  };
  const CardsFit doubled = with(2 * now);
  const Bytes cost = doubled.error != nullptr ? Bytes() : ceil_div(doubled.need - fit.need, now);
  if (!cost) return now;
  Count most = min(now + fit.spare / cost, limit);
  for (int tries = 0; tries < 4 && most > now; ++tries) {
    if (with(most).verdict <= Verdict::fits) return most;
    most -= ceil_div(most, 32);
  }
  return now;
}

}  // namespace

CardsFit fit_of(const Scenario& scenario, const Ledger& ledger) {
  CardsFit worst;
  bool first = true;
  Verdict verdict = Verdict::comfortable;
  for (const DeviceLedger& device : ledger.devices) {
    const Band need = peak_memory(device).need;
    for (const std::uint32_t index : device.gpus) {
      const GpuSlot& slot = scenario.gpus[index];
      verdict = worse(verdict, verdict_of(need, slot.display, slot.margin, slot.usable));
      CardsFit fit;
      fit.need = need.expected + slot.display.expected + slot.margin;
      fit.usable = slot.usable;
      if (first || is_worse(fit, worst)) worst = fit;
      first = false;
    }
  }
  worst.verdict = verdict;
  worst.host = host_needs(scenario, ledger);
  return worst;
}

CardsFit fit_on(const Request& request, const Scenario& scenario, const Facts& facts,
                std::span<const std::shared_ptr<const Gpu>> cards) {
  const auto changed = with_gpus(request, scenario, facts, cards);
  if (changed) return fit_of(*changed, estimate(*changed));
  CardsFit refused;
  refused.usable = cards.front()->usable;
  refused.error = id_of(changed.error().code).data();  // ids are literals
  return refused;
}

std::vector<TierFit> match_tiers(const Request& request, const Scenario& scenario, const Catalog& catalog) {
  std::vector<TierFit> fits;
  for (const Tier& tier : catalog.machines.tiers) {
    const std::vector<std::shared_ptr<const Gpu>> cards(scenario.gpus.size(), card_of(tier));
    const CardsFit fit = fit_on(request, scenario, catalog.facts, cards);
    fits.push_back({&tier, fit.verdict, fit.need});
  }
  return fits;
}

std::vector<ConfigurationFit> match_configurations(const Request& request, const Scenario& scenario,
                                                   const Catalog& catalog) {
  const MachineCatalogue& machines = catalog.machines;
  std::vector<CardsFit> by_set;
  by_set.reserve(machines.gpu_sets.size());
  for (const GpuSet& set : machines.gpu_sets) {
    by_set.push_back(fit_on(request, scenario, catalog.facts, set.devices));
  }

  std::vector<ConfigurationFit> fits;
  std::vector<Place> places;
  fits.reserve(machines.configurations.size());
  places.reserve(machines.configurations.size());
  for (const Configuration& machine : machines.configurations) {
    const CardsFit& cards = by_set[machine.gpu_set];
    fits.push_back(fit_machine(machine, cards, machines));
    const bool fitting = fits.back().verdict != Verdict::no;
    Place place;
    place.kind = cards.error != nullptr ? 4 : static_cast<std::uint8_t>(fits.back().verdict);
    place.size = fitting ? machines.gpu_sets[machine.gpu_set].usable : cards.shortage();
    place.cards = machine.gpu_count();
    place.index = static_cast<std::uint32_t>(places.size());
    places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  std::vector<ConfigurationFit> ordered;
  ordered.reserve(fits.size());
  for (const Place& place : places) ordered.push_back(std::move(fits[place.index]));
  return ordered;
}

void measure_room(const Request& request, const Scenario& scenario, const Catalog& catalog,
                  std::vector<ConfigurationFit>& ordered) {
  const bool trains = is_training(scenario.task);
  const Field field = trains ? Field::batch : Field::context;
  const Count now = trains ? scenario.training.batch : scenario.inference.context;
  if (!now) return;
  const Count limit = trains || !scenario.model->context_max ? Count::max() : max(scenario.model->context_max, now);
  const std::size_t shown = std::min(ordered.size(), kComparedMachines);
  for (std::size_t i = 0; i < shown && ordered[i].verdict <= Verdict::fits; ++i) {
    ConfigurationFit& fit = ordered[i];
    const std::uint32_t set = fit.configuration->gpu_set;
    const auto same = [&](const ConfigurationFit& other) { return other.configuration->gpu_set == set; };
    const auto known = std::find_if(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(i), same);
    if (&*known != &fit) {
      fit.most_context = known->most_context;
      fit.most_batch = known->most_batch;
      continue;
    }
    const GpuSet& cards = catalog.machines.gpu_sets[set];
    (trains ? fit.most_batch : fit.most_context) =
        most_that_fits(request, scenario, catalog.facts, cards, field, now, limit, fit);
  }
}

}  // namespace vram
