#include "core/machine/rules.h"

#include <algorithm>

namespace vram {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;  // drives are sold in powers of ten

std::uint32_t slots(std::uint32_t tenths) { return (tenths + 9) / 10; }

RuleCheck power_rule(const MachineFigures& f) {
  return {"power",
          f.psu_w >= f.psu_needed_w,
          {{"sustained_w", f.sustained_w}, {"psu_w", f.psu_w}, {"psu_needed_w", f.psu_needed_w}}};
}

RuleCheck wall_rule(const Configuration& machine, const MachineFigures& f) {
  const std::uint32_t most = kCircuit230V16A * machine.circuits;
  return {"wall",
          f.wall_w <= most,
          {{"wall_w", f.wall_w},
           {"circuits", machine.circuits},
           {"limit_w", most},
           {"us_120v_15a", f.us_120v_15a},
           {"us_120v_20a", f.us_120v_20a},
           {"eu_230v_16a", f.eu_230v_16a}}};
}

RuleCheck lanes_rule(const Platform& platform, const MachineFigures& f) {
  const bool ok = f.lanes_used <= f.lanes_available && f.cards_x16 <= platform.max_gpus_x16 &&
                  f.cards <= std::max(platform.max_gpus_x8, platform.max_gpus_x16);
  return {"lanes",
          ok,
          {{"lanes_used", f.lanes_used},
           {"lanes_available", f.lanes_available},
           {"cards_x16", f.cards_x16},
           {"cards_x16_most", platform.max_gpus_x16},
           {"cards", f.cards},
           {"cards_most", std::max(platform.max_gpus_x8, platform.max_gpus_x16)}}};
}

/// R5: twice the GPU memory where the platform takes it, never less than once; every channel populated.
RuleCheck ram_rule(const Configuration& machine, const Platform& platform, const MachineFigures& f) {
  const bool ok = machine.ram_gb >= f.ram_needed_gb && machine.channels_populated == platform.memory_channels;
  return {"ram",
          ok,
          {{"ram_gb", machine.ram_gb},
           {"ram_needed_gb", f.ram_needed_gb},
           {"vram_gb", f.vram_gb},
           {"channels_populated", machine.channels_populated},
           {"channels", platform.memory_channels}}};
}

/// R6: a data drive of 2 TB and of ten times the GPU memory, beside the system's own drive.
RuleCheck storage_rule(const Configuration& machine, const MachineFigures& f) {
  const std::uint32_t needed = std::max(2000U, 10 * f.vram_gb);
  const bool own_system_drive =
      std::any_of(machine.drives.begin(), machine.drives.end(), [](const Drive& drive) { return drive.role == "os"; });
  return {"storage",
          f.largest_data_drive_gb >= needed && own_system_drive,
          {{"data_gb", f.largest_data_drive_gb}, {"needed_gb", needed}, {"os_drive", own_system_drive}}};
}

RuleCheck slots_rule(const Configuration& machine, const MachineFigures& f) {
  return {"slots",
          slots(f.slots_used_x10) <= machine.gpu_slots,
          {{"slots_used", slots(f.slots_used_x10)}, {"slots", machine.gpu_slots}}};
}

/// R7: at most two open-air cards; four or more flow-through cards need a free slot between them; passive cards need the
/// ducts of a rack chassis.
RuleCheck cooling_rule(const Configuration& machine, const MachineFigures& f) {
  std::uint32_t open_air = 0, flow_through = 0, passive = 0;
  for (const ConfigurationGpus& cards : machine.gpus) {
    if (is_open_air(*cards.gpu)) open_air += cards.count;
    if (cards.gpu->cooling == Cooling::flow_through) flow_through += cards.count;
    if (cards.gpu->cooling == Cooling::passive) passive += cards.count;
  }
  const bool few = open_air <= 2 && (open_air == 0 || f.cards < 4);
  const bool gaps = flow_through < 4 || slots(f.slots_used_x10) + flow_through - 1 <= machine.gpu_slots;
  const bool ducts = passive == 0 || machine.chassis_kind == Chassis::rack;
  return {"cooling",
          few && gaps && ducts,
          {{"cards", f.cards},
           {"open_air", open_air},
           {"open_air_most", 2},
           {"flow_through", flow_through},
           {"passive", passive},
           {"rack", machine.chassis_kind == Chassis::rack}}};
}

}  // namespace

bool is_open_air(const Gpu& gpu) {
  return gpu.cooling == Cooling::open_air || (gpu.cooling == Cooling::unknown && gpu.klass == "gaming");
}

MachineFigures figures_of(const Configuration& machine, const Platform& platform) {
  MachineFigures f;
  std::uint32_t vendor_minimum = 0;
  for (const ConfigurationGpus& cards : machine.gpus) {
    f.sustained_w += cards.power_w() * cards.count;
    f.lanes_used += cards.lanes_wired * cards.count;
    f.cards += cards.count;
    if (cards.lanes_wired > 8) f.cards_x16 += cards.count;
    f.slots_used_x10 += cards.gpu->slot_width_x10 * cards.count;
    f.vram_gb += static_cast<std::uint32_t>((cards.gpu->nominal / kGiB).value()) * cards.devices();
    vendor_minimum = std::max(vendor_minimum, cards.gpu->vendor_min_psu_w);
  }
  f.sustained_w += machine.cpu_sustained_w + base_power_w(platform.segment);
  f.sustained_w += machine.ram_modules * (machine.ram_rdimm ? kRdimmW : kUdimmW);
  for (const Drive& drive : machine.drives) {
    if (drive.role == "data") {
      f.largest_data_drive_gb =
          std::max(f.largest_data_drive_gb, static_cast<std::uint32_t>(drive.terabytes * 1000 + 0.5));
    }
    if (!drive.is_nvme()) continue;
    f.sustained_w += kNvmeW;
    f.lanes_used += kNvmeLanes;
  }
  f.psu_w = machine.psu_usable_w;
  f.psu_needed_w = supply_w(f.sustained_w);
  if (f.cards == 1) f.psu_needed_w = std::max(f.psu_needed_w, vendor_minimum);
  f.wall_w = wall_power_w(f.sustained_w);
  f.us_120v_15a = !machine.needs_200v && f.wall_w <= kCircuit120V15A;
  f.us_120v_20a = !machine.needs_200v && f.wall_w <= kCircuit120V20A;
  f.eu_230v_16a = f.wall_w <= kCircuit230V16A;
  f.lanes_available = platform.device_lanes;
  f.ram_needed_gb = std::max(f.vram_gb, std::min(2 * f.vram_gb, platform.max_memory_gb));
  return f;
}

std::vector<RuleCheck> check_machine(const Configuration& configuration, const MachineCatalogue& catalogue) {
  const Platform& platform = catalogue.platform_of(configuration);
  const MachineFigures f = figures_of(configuration, platform);
  return {power_rule(f),
          wall_rule(configuration, f),
          lanes_rule(platform, f),
          ram_rule(configuration, platform, f),
          storage_rule(configuration, f),
          slots_rule(configuration, f),
          cooling_rule(configuration, f)};
}

HostNeeds host_needs(const Scenario& scenario, const Ledger& ledger) {
  const bool trains = is_training(scenario.task);
  const Count gpus = scenario.gpus.size();
  HostNeeds needs;
  needs.process = ledger.host.ram.expected + (trains ? gpus * kTrainerRam : Bytes());
  if (trains) needs.loaders = gpus * kLoadersPerGpu * kLoaderRam;
  needs.system = kOsShare;
  needs.ram = needs.process + needs.loaders + needs.system;
  needs.model_files = ledger.host.disk + (trains ? scenario.stored->total.bytes : ledger.host.checkpoint);
  if (trains) needs.checkpoints = (scenario.checkpoints_kept + 1) * ledger.host.checkpoint;
  needs.dataset = scenario.dataset;
  needs.disk = needs.model_files + needs.checkpoints + needs.dataset;
  needs.mains = scenario.mains;
  return needs;
}

std::vector<RuleCheck> check_job(const Configuration& configuration, const Platform& platform, const HostNeeds& needs) {
  const Bytes ram = Bytes(configuration.ram_gb) * kGiB;
  Bytes data;
  for (const Drive& drive : configuration.drives) {
    if (drive.role == "data") data += scaled(kGigabyte, drive.terabytes * 1000);
  }
  // Moved in, since a braced list would be copied: a thousand machines are checked at every move of a slider.
  std::vector<RuleCheck> rules;
  rules.reserve(3);
  rules.push_back({"host_ram", needs.ram <= ram, {{"ram", ram.value()}, {"needed", needs.ram.value()}}});
  rules.push_back({"disk", needs.disk <= data, {{"disk", data.value()}, {"needed", needs.disk.value()}}});
  if (needs.mains != Mains::v230_a16) {
    const std::uint32_t wall = figures_of(configuration, platform).wall_w;
    const std::uint32_t most = circuit_w(needs.mains) * configuration.circuits;
    rules.push_back({"wall",
                     !configuration.needs_200v && wall <= most,
                     {{"wall_w", wall}, {"limit_w", most}, {"circuits", configuration.circuits}}});
  }
  return rules;
}

}  // namespace vram
