#include "core/machine/catalogue.h"

#include <algorithm>

#include "core/machine/rules.h"

namespace vram {
namespace {

Error fault(ErrorCode code, std::string where, std::string got, std::string expected, std::uint32_t line) {
  return {code, std::move(where), std::move(got), std::move(expected), line};
}

std::string names_like(const GpuCatalogue& gpus, std::string_view id) {
  std::string names;
  for (const std::string_view name : gpus.similar(id, 3)) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names.empty() ? "an id of gpus.json" : names;
}

std::string platform_names(const MachineCatalogue& catalogue) {
  std::string names;
  for (const Platform& platform : catalogue.platforms) {
    if (!names.empty()) names += ", ";
    names += platform.id;
  }
  return names;
}

/// Finds the cards of a row; false, with a fault, where they do not exist or are wired or limited in a way they cannot be.
bool link_cards(ConfigurationGpus& cards, const std::string& path, std::uint32_t line, const GpuCatalogue& gpus,
                std::vector<Error>& faults) {
  cards.gpu = gpus.find(cards.gpu_id);
  if (!cards.gpu) {
    faults.push_back(fault(ErrorCode::unknown_id, path + ".gpu", cards.gpu_id, names_like(gpus, cards.gpu_id), line));
    return false;
  }
  const std::size_t before = faults.size();
  const Gpu& gpu = *cards.gpu;
  if (gpu.pcie_lanes != 0 && cards.lanes_wired > gpu.pcie_lanes) {
    faults.push_back(fault(ErrorCode::out_of_range, path + ".lanes", std::to_string(cards.lanes_wired),
                           "1 to " + std::to_string(gpu.pcie_lanes), line));
  }
  // Card makers sell models with up to a quarter more than the reference power.
  const std::uint32_t most = gpu.board_power_w + gpu.board_power_w / 4;
  if (cards.power_limit_w > most) {
    faults.push_back(fault(ErrorCode::out_of_range, path + ".power_limit_w", std::to_string(cards.power_limit_w),
                           "1 to " + std::to_string(most), line));
  }
  return faults.size() == before;
}

bool link_machine(Configuration& machine, const MachineCatalogue& catalogue, const GpuCatalogue& gpus,
                  std::vector<Error>& faults) {
  bool linked = true;
  const Platform* const platform = catalogue.find_platform(machine.platform_id);
  if (platform == nullptr) {
    faults.push_back(fault(ErrorCode::unknown_id, machine.path + ".platform", machine.platform_id,
                           platform_names(catalogue), machine.line));
    linked = false;
  } else {
    machine.platform = static_cast<std::uint32_t>(platform - catalogue.platforms.data());
    if (platform->rdimm != machine.ram_rdimm) {
      faults.push_back(fault(ErrorCode::conflict, machine.path + ".ram.type", machine.ram_rdimm ? "RDIMM" : "UDIMM",
                             platform->rdimm ? "RDIMM ECC" : "UDIMM or UDIMM ECC", machine.line));
      linked = false;
    }
    if (machine.ram_gb > platform->max_memory_gb) {
      faults.push_back(fault(ErrorCode::out_of_range, machine.path + ".ram.gb", std::to_string(machine.ram_gb),
                             "at most " + std::to_string(platform->max_memory_gb), machine.line));
      linked = false;
    }
  }
  for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
    const std::string path = machine.path + ".gpus[" + std::to_string(i) + ']';
    linked = link_cards(machine.gpus[i], path, machine.line, gpus, faults) && linked;
  }
  return linked;
}

std::uint32_t set_of(const Configuration& machine, std::vector<GpuSet>& sets) {
  GpuSet wanted;
  for (const ConfigurationGpus& cards : machine.gpus) {
    wanted.devices.insert(wanted.devices.end(), cards.devices(), cards.gpu);
    wanted.usable += cards.gpu->usable * cards.devices();
  }
  const auto same = [&](const GpuSet& set) { return set.devices == wanted.devices; };
  const auto found = std::find_if(sets.begin(), sets.end(), same);
  const auto index = static_cast<std::uint32_t>(found - sets.begin());
  if (found == sets.end()) sets.push_back(std::move(wanted));
  return index;
}

}  // namespace

std::string_view LocalText::in(std::string_view language) const {
  const auto of = [&](std::string_view wanted) -> const std::string* {
    for (const auto& entry : by_language) {
      if (entry.first == wanted) return &entry.second;
    }
    return nullptr;
  };
  if (const std::string* text = of(language)) return *text;
  if (const std::string* text = of(language.substr(0, 2))) return *text;
  if (const std::string* text = of("en")) return *text;
  return {};
}

std::uint32_t Configuration::gpu_count() const {
  std::uint32_t count = 0;
  for (const ConfigurationGpus& cards : gpus) count += cards.gpu ? cards.devices() : cards.count;
  return count;
}

const Platform* MachineCatalogue::find_platform(std::string_view id) const {
  const auto found = std::find_if(platforms.begin(), platforms.end(), [&](const Platform& p) { return p.id == id; });
  return found == platforms.end() ? nullptr : &*found;
}

const Configuration* MachineCatalogue::find_configuration(std::string_view id) const {
  const auto found =
      std::find_if(configurations.begin(), configurations.end(), [&](const Configuration& c) { return c.id == id; });
  return found == configurations.end() ? nullptr : &*found;
}

void check_references(MachineCatalogue& catalogue, const GpuCatalogue& gpus, std::vector<Error>& faults) {
  std::erase_if(catalogue.configurations,
                [&](Configuration& machine) { return !link_machine(machine, catalogue, gpus, faults); });
  for (Configuration& machine : catalogue.configurations) {
    machine.gpu_set = set_of(machine, catalogue.gpu_sets);
    const std::vector<RuleCheck> rules = check_machine(machine, catalogue);
    machine.sound = std::all_of(rules.begin(), rules.end(), [](const RuleCheck& rule) { return rule.ok; });
  }
  std::erase_if(catalogue.tiers, [&](Tier& tier) {
    tier.gpu = gpus.find(tier.gpu_id);
    if (!tier.gpu) {
      faults.push_back(
          fault(ErrorCode::unknown_id, tier.path + ".gpu", tier.gpu_id, names_like(gpus, tier.gpu_id), tier.line));
      return true;
    }
    if (tier.usable <= mul_div(tier.gpu->nominal, 101, 100)) return false;
    faults.push_back(fault(ErrorCode::out_of_range, tier.path + ".usable_mib",
                           std::to_string((tier.usable / kMiB).value()),
                           "at most " + std::to_string((tier.gpu->nominal / kMiB).value()), tier.line));
    return true;
  });
}

}  // namespace vram
