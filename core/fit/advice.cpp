#include "core/fit/advice.h"

#include <algorithm>

#include "core/machine/rules.h"

namespace vram {
namespace {

using Level = Advice::Level;
constexpr const char* kRules = "catalog/README.md, rules";

/// The cards of the request as one machine would hold them.
struct Cards {
  std::uint32_t devices = 0, cards = 0, power_w = 0, vram_gb = 0, slots_x10 = 0, vendor_min_psu_w = 0, open_air = 0;
  bool pluggable = true;  ///< all are cards for a slot
};

Cards cards_of(const Scenario& scenario) {
  Cards sum;
  std::uint32_t in_card = 0;  // devices of the card that is being filled
  const Gpu* last = nullptr;
  for (const GpuSlot& slot : scenario.gpus) {
    const Gpu& gpu = *slot.gpu;
    ++sum.devices;
    sum.vram_gb += static_cast<std::uint32_t>((gpu.nominal / kGiB).value());
    sum.pluggable = sum.pluggable && gpu.is_card();
    if (last == &gpu && in_card < gpu.devices_per_card) {
      ++in_card;
      continue;
    }
    last = &gpu;
    in_card = 1;
    ++sum.cards;
    sum.power_w += gpu.board_power_w;
    sum.slots_x10 += gpu.slot_width_x10;
    sum.vendor_min_psu_w = std::max(sum.vendor_min_psu_w, gpu.vendor_min_psu_w);
    if (gpu.klass == "gaming" && (gpu.cooling == Cooling::unknown || gpu.cooling == Cooling::open_air)) ++sum.open_air;
  }
  return sum;
}

/// Cards that exchange tensors or gradients at every layer or step want the full width; alone, x8 is within 2 % of x16.
bool wants_full_width(const Scenario& scenario) { return scenario.gpus.size() > 1 && !scenario.parallel.split_layers; }

std::uint32_t lanes_of(const Scenario& scenario, std::uint32_t width) {
  return std::min(width, std::max(1U, scenario.gpus.front().gpu->pcie_lanes));
}

/// The platform with the fewest lanes that takes the cards beside two NVMe drives, or nullptr.
const Platform* smallest_platform(const Scenario& scenario, const Cards& cards, const MachineCatalogue& machines,
                                  std::uint32_t width) {
  const Platform* best = nullptr;
  const std::uint32_t each = lanes_of(scenario, width);
  for (const Platform& platform : machines.platforms) {
    const std::uint32_t places =
        each > 8 ? platform.max_gpus_x16 : std::max(platform.max_gpus_x8, platform.max_gpus_x16);
    if (places < cards.cards || each * cards.cards + 2 * kNvmeLanes > platform.device_lanes) continue;
    if (best == nullptr || platform.device_lanes < best->device_lanes) best = &platform;
  }
  return best;
}

void advise_on_sharing(const Evaluation& evaluation, std::vector<Advice>& list) {
  const Scenario& scenario = evaluation.scenario;
  const std::uint64_t count = scenario.gpus.size();
  if (count < 2) return;
  Bytes smallest = Bytes::max();
  bool peer_off = false, peer_unknown = false;
  for (const GpuSlot& slot : scenario.gpus) {
    smallest = min(smallest, slot.usable);
    if (slot.gpu->nvlink) continue;
    peer_off = peer_off || slot.gpu->peer_over_pcie == 0;
    peer_unknown = peer_unknown || slot.gpu->peer_over_pcie < 0;
  }
  list.push_back({"memory_does_not_add_up",
                  Level::info,
                  {{"gpus", count}, {"usable", smallest.value()}, {"need", evaluation.memory.need.expected.value()}},
                  kRules});
  const bool exchanges = wants_full_width(scenario);
  if (peer_off) {
    list.push_back({"no_peer_copy", exchanges ? Level::advise : Level::info, {{"gpus", count}}, "catalog/gpus.json"});
  } else if (peer_unknown && exchanges) {
    list.push_back({"peer_copy_unknown", Level::info, {{"gpus", count}}, "catalog/gpus.json"});
  }
}

void advise_on_power(const Cards& cards, const Platform& platform, std::vector<Advice>& list) {
  const std::uint32_t modules = platform.memory_channels * (platform.rdimm ? kRdimmW : kUdimmW);
  const std::uint32_t sustained =
      cards.power_w + platform.sustained_w + base_power_w(platform.segment) + modules + 2 * kNvmeW;
  std::uint32_t psu = (sustained * 5 + 3) / 4;
  if (cards.cards == 1) psu = std::max(psu, cards.vendor_min_psu_w);
  psu = (psu + 49) / 50 * 50;
  list.push_back(
      {"power_supply",
       Level::advise,
       {{"psu_w", psu}, {"sustained_w", sustained}, {"cards_w", cards.power_w}, {"platform", 0, platform.name}},
       kRules});
  const std::uint32_t wall = wall_power_w(sustained);
  if (wall > kCircuit120V15A) {
    const std::uint32_t circuits = (wall + kCircuit230V16A - 1) / kCircuit230V16A;
    const bool needs_230v = wall > kCircuit120V20A;
    list.push_back({needs_230v ? "circuit_230v" : "circuit_120v_20a",
                    needs_230v ? Level::must : Level::advise,
                    {{"wall_w", wall},
                     {"limit_w", needs_230v ? kCircuit230V16A : kCircuit120V20A},
                     {"circuits", needs_230v ? circuits : 1}},
                    kRules});
  }
}

void advise_on_board(const Scenario& scenario, const Cards& cards, const MachineCatalogue& machines,
                     std::vector<Advice>& list) {
  if (!cards.pluggable) return;
  std::uint32_t width = wants_full_width(scenario) || cards.cards == 1 ? 16 : 8;
  const Platform* platform = smallest_platform(scenario, cards, machines, width);
  if (platform == nullptr) {
    width = 8;
    platform = smallest_platform(scenario, cards, machines, width);
  }
  if (platform == nullptr) {
    list.push_back({"no_platform", Level::must, {{"cards", cards.cards}}, "catalog/platforms.json"});
    return;
  }
  const std::uint32_t each = lanes_of(scenario, width);
  if (cards.cards > 1) {
    list.push_back({"lanes",
                    Level::advise,
                    {{"platform", 0, platform->name},
                     {"lanes_each", each},
                     {"lanes_used", each * cards.cards + 2 * kNvmeLanes},
                     {"lanes_available", platform->device_lanes},
                     {"slots", (cards.slots_x10 + 9) / 10}},
                    kRules});
  }
  if (cards.open_air > 2)
    list.push_back({"open_air_cards", Level::must, {{"cards", cards.open_air}, {"most", 2}}, kRules});
  advise_on_power(cards, *platform, list);
}

void advise_on_host(const Evaluation& evaluation, const Cards& cards, std::vector<Advice>& list) {
  if (evaluation.scenario.gpus.front().gpu->memory_kind == MemoryKind::unified) return;
  const HostNeeds needs = host_needs(evaluation.scenario, evaluation.ledger);
  const std::uint64_t needed_gb = ceil_div(needs.ram, kGiB).value();
  // Articles: 64 GB is a practical base; R5: twice the GPU memory.
  const std::uint64_t recommended_gb = std::max<std::uint64_t>({64, 2ULL * cards.vram_gb, needed_gb});
  list.push_back({"system_ram",
                  needed_gb > 64 ? Level::must : Level::advise,
                  {{"recommended_gb", recommended_gb}, {"needed_gb", needed_gb}, {"vram_gb", cards.vram_gb}},
                  kRules});
  const std::uint64_t disk_gb = ceil_div(needs.disk, 1'000'000'000).value();
  list.push_back(
      {"data_drive",
       Level::info,
       {{"recommended_gb", std::max<std::uint64_t>({2000, 10ULL * cards.vram_gb, disk_gb})}, {"needed_gb", disk_gb}},
       kRules});
}

void advise_on_cards(const Evaluation& evaluation, std::vector<Advice>& list) {
  const Scenario& scenario = evaluation.scenario;
  const Gpu* last = nullptr;
  bool no_ecc = false;
  for (const GpuFit& fit : evaluation.gpus) {
    const GpuSlot& slot = scenario.gpus[fit.slot];
    const Gpu& gpu = *slot.gpu;
    const Bytes used = fit.memory.need.expected + slot.display.expected;
    // Windows moves memory to the host instead of failing, from about 0.6 GiB below the card's size on (section 15).
    if (scenario.os == Os::windows && gpu.memory_kind == MemoryKind::dedicated &&
        used + mul_div(kGiB, 6, 10) > slot.usable && last != &gpu) {
      list.push_back({"windows_spill",
                      Level::advise,
                      {{"need", used.value()}, {"usable", slot.usable.value()}},
                      "formulas, section 15"});
    }
    if (last != &gpu && gpu.in_band_ecc && gpu.ecc == Ecc::off) {
      const Verdict with_ecc = verdict_of(fit.memory.need, slot.display, slot.margin, gpu.usable_with_ecc());
      list.push_back({"ecc_takes_memory",
                      with_ecc != fit.verdict ? Level::advise : Level::info,
                      {{"usable", slot.usable.value()},
                       {"usable_with_ecc", gpu.usable_with_ecc().value()},
                       {"still_fits", with_ecc <= Verdict::fits}},
                      "catalog/gpus.json"});
    }
    if (last != &gpu && gpu.memory_kind == MemoryKind::unified) {
      list.push_back({"unified_memory",
                      Level::info,
                      {{"usable", slot.usable.value()}, {"installed", gpu.nominal.value()}},
                      "catalog/gpus.json"});
    }
    no_ecc = no_ecc || gpu.ecc == Ecc::none;
    last = &gpu;
  }
  const bool long_run =
      scenario.task == Task::full || scenario.task == Task::pretrain || scenario.task == Task::serving;
  if (no_ecc && long_run) list.push_back({"no_ecc", Level::info, {}, "catalog/gpus.json"});
}

}  // namespace

std::vector<Advice> advise(const Evaluation& evaluation, const Catalog& catalog) {
  std::vector<Advice> list;
  list.reserve(12);
  const Cards cards = cards_of(evaluation.scenario);
  advise_on_sharing(evaluation, list);
  advise_on_cards(evaluation, list);
  advise_on_board(evaluation.scenario, cards, catalog.machines, list);
  advise_on_host(evaluation, cards, list);
  std::stable_sort(list.begin(), list.end(), [](const Advice& a, const Advice& b) { return a.level > b.level; });
  return list;
}

}  // namespace vram
