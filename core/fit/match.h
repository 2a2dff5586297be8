// One job on other cards: the tiers and the machines of the catalogue.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/fit/evaluate.h"

namespace vram {

/// What a job comes to on a set of cards. Cards never add up: the numbers are those of the card with the least to spare.
struct CardsFit {
  Verdict verdict = Verdict::no;
  Bytes need;  ///< expected need + display + margin; 0 with `error`
  Bytes usable;
  HostNeeds host;
  const char* error = nullptr;  ///< id of the error that refused the request on these cards

  [[nodiscard]] Bytes shortage() const { return need - usable; }
};

/// Verdict and figures of a ledger on the scenario's own cards.
CardsFit fit_of(const Scenario& scenario, const Ledger& ledger);

/// The request of `scenario` on other cards.
CardsFit fit_on(const Request& request, const Scenario& scenario, const Facts& facts,
                std::span<const std::shared_ptr<const Gpu>> cards);

/// Every tier with as many cards as the scenario has.
std::vector<TierFit> match_tiers(const Request& request, const Scenario& scenario, const Catalog& catalog);

/// Every machine: the comfortable ones first, the smallest first; then those that fit, the tight ones, and the others, the
/// nearest first.
std::vector<ConfigurationFit> match_configurations(const Request& request, const Scenario& scenario,
                                                   const Catalog& catalog);

/// So many of the first machines are told what they have room for.
inline constexpr std::size_t kComparedMachines = 6;
/// The context (running) or batch (training) that the first fitting machines have room for.
void measure_room(const Request& request, const Scenario& scenario, const Catalog& catalog,
                  std::vector<ConfigurationFit>& ordered);

}  // namespace vram
