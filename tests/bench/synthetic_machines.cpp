#include "tests/bench/synthetic_machines.h"

#include <algorithm>
#include <array>
#include <string>

namespace vram::bench {
namespace {

constexpr std::array<std::uint32_t, 6> kCardCounts = {1, 2, 3, 4, 6, 8};
constexpr std::array<std::uint32_t, 3> kRamHalves = {2, 4, 1};

std::vector<std::shared_ptr<const Gpu>> cards_of(const MachineCatalogue& machines) {
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const Configuration& machine : machines.configurations) {
    for (const ConfigurationGpus& row : machine.gpus) {
      if (std::find(cards.begin(), cards.end(), row.gpu) == cards.end()) cards.push_back(row.gpu);
    }
  }
  return cards;
}

Configuration machine_like(const Configuration& base, const Gpu& card, std::uint32_t count, std::uint32_t ram_halves,
                           const Platform& platform) {
  Configuration machine = base;
  machine.id += '-' + card.id + '-' + std::to_string(count) + '-' + std::to_string(ram_halves);
  machine.gpus.resize(1);
  ConfigurationGpus& cards = machine.gpus.front();
  cards.gpu_id = card.id;
  cards.count = count;
  cards.lanes_wired = std::min(base.gpus.front().lanes_wired, card.pcie_lanes);
  cards.power_limit_w = 0;
  machine.ram_gb = std::clamp(base.ram_gb * ram_halves / 2, 1U, platform.max_memory_gb);
  machine.psu_usable_w = base.psu_usable_w + count * card.board_power_w * 5 / 4;
  machine.gpu_slots = base.gpu_slots + count * 3;
  return machine;
}

}  // namespace

Catalog with_machines(const Catalog& shipped, std::size_t count) {
  Catalog catalog = shipped;
  MachineCatalogue& machines = catalog.machines;
  machines.configurations.clear();
  machines.gpu_sets.clear();
  const auto cards = cards_of(shipped.machines);
  for (const std::uint32_t ram : kRamHalves) {
    for (const Configuration& base : shipped.machines.configurations) {
      for (const std::uint32_t number : kCardCounts) {
        for (const auto& card : cards) {
          if (machines.configurations.size() == count) break;
          machines.configurations.push_back(machine_like(base, *card, number, ram, shipped.machines.platform_of(base)));
        }
      }
    }
  }
  std::vector<Error> faults;
  check_references(machines, catalog.facts.gpus, faults);
  return catalog;
}

}  // namespace vram::bench
