#include "tests/bench/synthetic_machines.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/machine/rules.h"

namespace vram::bench {
namespace {

constexpr std::array<std::uint32_t, 6> kCardCounts = {1, 2, 3, 4, 6, 8};
constexpr std::array<std::uint32_t, 4> kMoreRamGb = {0, 64, 256, 512};

std::vector<std::shared_ptr<const Gpu>> cards_of(const MachineCatalogue& machines) {
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const Configuration& machine : machines.configurations) {
    for (const ConfigurationGpus& row : machine.gpus) {
      if (std::find(cards.begin(), cards.end(), row.gpu) == cards.end()) cards.push_back(row.gpu);
    }
  }
  return cards;
}

/// `base` with other cards, and power, slots, drives and RAM to go with them.
Configuration machine_like(const Configuration& base, std::shared_ptr<const Gpu> card, std::uint32_t count,
                           std::uint32_t more_ram_gb, const Platform& platform) {
  Configuration machine = base;
  machine.id += '-' + card->id + '-' + std::to_string(count) + '-' + std::to_string(more_ram_gb);
  machine.gpus.resize(1);
  ConfigurationGpus& cards = machine.gpus.front();
  cards.gpu_id = card->id;
  cards.gpu = std::move(card);
  cards.count = count;
  cards.lanes_wired = std::min(count > platform.max_gpus_x16 ? 8U : 16U, cards.gpu->pcie_lanes);
  cards.power_limit_w = 0;
  const MachineFigures figures = figures_of(machine, platform);
  machine.psu_usable_w = std::max(base.psu_usable_w, figures.psu_needed_w);
  machine.circuits = std::max(base.circuits, (figures.wall_w + kCircuit230V16A - 1) / kCircuit230V16A);
  machine.gpu_slots = std::max(base.gpu_slots, count * 4);
  machine.ram_gb = std::min(platform.max_memory_gb, std::max(base.ram_gb, figures.ram_needed_gb) + more_ram_gb);
  for (Drive& drive : machine.drives) {
    if (drive.role == "data") drive.terabytes = std::max(drive.terabytes, figures.vram_gb / 100.0);
  }
  return machine;
}

bool is_sound(const Configuration& machine, const MachineCatalogue& machines) {
  const std::vector<RuleCheck> rules = check_machine(machine, machines);
  return std::all_of(rules.begin(), rules.end(), [](const RuleCheck& rule) { return rule.ok; });
}

}  // namespace

Catalog with_machines(const Catalog& shipped, std::size_t count) {
  Catalog catalog = shipped;
  MachineCatalogue& machines = catalog.machines;
  machines.configurations.clear();
  machines.gpu_sets.clear();
  const auto cards = cards_of(shipped.machines);
  for (const std::uint32_t more_ram_gb : kMoreRamGb) {
    for (const Configuration& base : shipped.machines.configurations) {
      for (const std::uint32_t number : kCardCounts) {
        for (const auto& card : cards) {
          if (machines.configurations.size() == count) break;
          Configuration machine = machine_like(base, card, number, more_ram_gb, shipped.machines.platform_of(base));
          if (is_sound(machine, machines)) machines.configurations.push_back(std::move(machine));
        }
      }
    }
  }
  std::vector<Error> faults;
  check_references(machines, catalog.facts.gpus, faults);
  return catalog;
}

}  // namespace vram::bench
