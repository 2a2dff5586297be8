// The topics of advice, one file each.
#pragma once

#include <vector>

#include "core/fit/evaluate.h"
#include "core/machine/workstation.h"

namespace vram::advice_parts {

/// What every topic looks at.
struct Case {
  const Evaluation& evaluation;
  const Catalog& catalog;
  CardSum cards;
  HostNeeds host;
  std::uint32_t ram_needed_gb = 0, ram_recommended_gb = 0;

  [[nodiscard]] const Scenario& scenario() const { return evaluation.scenario; }
};

inline constexpr const char* kRulesSource = "catalog/README.md";
inline constexpr const char* kGpusSource = "catalog/gpus.json";
inline constexpr const char* kPlatformsSource = "catalog/platforms.json";

/// Several cards: what they share, what crosses the bus, which layers go where.
void advise_on_sharing(const Case& job, std::vector<Advice>& list);
/// Each card: ECC, unified memory, the screen and Windows beside the job.
void advise_on_cards(const Case& job, std::vector<Advice>& list);
/// Platform, lanes, slots, coolers, supply, wall.
void advise_on_workstation(const Case& job, std::vector<Advice>& list);
/// System memory and drives.
void advise_on_host(const Case& job, std::vector<Advice>& list);
/// What the cards still take: users, context, batch, the next larger model.
void advise_on_growth(const Case& job, std::vector<Advice>& list);

}  // namespace vram::advice_parts
