#include "core/fit/advice.h"

#include <algorithm>

#include "core/fit/advice_parts.h"

namespace vram {
namespace {

constexpr std::uint32_t kBaseRamGb = 64;  ///< a practical base for AI work, whatever the job

std::vector<std::shared_ptr<const Gpu>> devices_of(const Scenario& scenario) {
  std::vector<std::shared_ptr<const Gpu>> devices;
  for (const GpuSlot& slot : scenario.gpus) devices.push_back(slot.gpu);
  return devices;
}

}  // namespace

std::vector<Advice> advise(const Evaluation& evaluation, const Catalog& catalog) {
  using namespace advice_parts;
  Case job{evaluation, catalog, sum_of(devices_of(evaluation.scenario)),
           host_needs(evaluation.scenario, evaluation.ledger)};
  job.ram_needed_gb = static_cast<std::uint32_t>(min(ceil_div(job.host.ram, kGiB), 1U << 24U).value());
  // R5: twice the memory of the cards.
  job.ram_recommended_gb = ram_size(std::max({kBaseRamGb, 2 * job.cards.vram_gb, job.ram_needed_gb}));
  std::vector<Advice> list;
  list.reserve(24);
  advise_on_sharing(job, list);
  advise_on_cards(job, list);
  advise_on_workstation(job, list);
  advise_on_host(job, list);
  advise_on_growth(job, list);
  std::stable_sort(list.begin(), list.end(), [](const Advice& a, const Advice& b) { return a.level > b.level; });
  return list;
}

}  // namespace vram
