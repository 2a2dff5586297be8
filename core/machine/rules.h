// Rules a whole machine must keep: power, wall circuit, lanes, RAM, storage, slots (R1-R7 of the sample catalogue).
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine/catalogue.h"
#include "core/memory/ledger.h"
#include "core/scenario/scenario.h"

namespace vram {

/// One rule's outcome with the numbers it compared; catalog/i18n holds its sentence ("rule.<id>").
struct RuleCheck {
  const char* id = "";       ///< "power", "wall", "lanes", "ram", "storage", "slots"
  bool ok = true;
  struct Value {
    const char* name;
    std::uint64_t value;
  };
  std::vector<Value> values;
};

/// Checks that do not depend on the job: does the machine hold together?
std::vector<RuleCheck> check_machine(const Configuration& configuration, const MachineCatalogue& catalogue,
                                     const GpuCatalogue& gpus);
/// Checks of the job against the machine: host memory, checkpoint and data storage.
std::vector<RuleCheck> check_job(const Configuration& configuration, const Scenario& scenario, const Ledger& ledger);

}  // namespace vram
