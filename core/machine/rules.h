// Rules a whole machine must keep: power, wall circuit, lanes, RAM, storage, slots, cooling (R1-R7 of the sample
// catalogue), and what a job adds to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine/catalogue.h"
#include "core/memory/ledger.h"
#include "core/scenario/scenario.h"

namespace vram {

/// One rule's outcome with the numbers it compared; catalog/i18n holds its sentence ("rule.<id>").
struct RuleCheck {
  const char* id = "";  ///< "power", "wall", "lanes", "ram", "storage", "slots", "cooling", "host_ram", "disk"
  bool ok = true;
  struct Value {
    const char* name;
    std::uint64_t value;
    std::string text = {};  ///< a name instead of a number
  };
  std::vector<Value> values;
};

/// True for values that are bytes; the others are counts, W or GB, as their names say.
constexpr bool is_bytes(const RuleCheck::Value& value) {
  for (const std::string_view name : {"need", "needed", "usable", "usable_with_ecc", "installed", "ram", "disk",
                                      "bytes", "held_twice", "unused", "reserve", "spare"}) {
    if (name == value.name) return true;
  }
  return false;
}

// Planning figures of R1 (hardware.md section 5, marked as assumptions there).
inline constexpr std::uint32_t kBaseDesktopW = 70, kBaseWorkstationW = 100, kBaseServerW = 300;
inline constexpr std::uint32_t kUdimmW = 4, kRdimmW = 6, kNvmeW = 10;
inline constexpr std::uint32_t kNvmeLanes = 4;

/// R1: power of board, fans and chipset by kind of platform, in W.
constexpr std::uint32_t base_power_w(Segment segment) {
  if (segment == Segment::desktop) return kBaseDesktopW;
  return segment == Segment::server ? kBaseServerW : kBaseWorkstationW;
}

/// R3: what the wall sees of a load behind a supply of 92 % efficiency, rounded to the nearest W.
constexpr std::uint32_t wall_power_w(std::uint32_t sustained_w) { return (sustained_w * 100 + 46) / 92; }

/// R3: 80 % of volts x amps, the lasting load of a circuit in W: 120 V 15 A, 120 V 20 A, 230 V 16 A.
inline constexpr std::uint32_t kCircuit120V15A = 1440, kCircuit120V20A = 1920, kCircuit230V16A = 2944;
constexpr std::uint32_t circuit_w(Mains mains) {
  if (mains == Mains::v120_a15) return kCircuit120V15A;
  return mains == Mains::v120_a20 ? kCircuit120V20A : kCircuit230V16A;
}

/// R2: the supply that a lasting load asks for, in W: a quarter more, rounded up.
constexpr std::uint32_t supply_w(std::uint32_t sustained_w) { return (sustained_w * 5 + 3) / 4; }

/// Open-air coolers blow into the case: the usual ones of gaming cards, unless the data say otherwise.
bool is_open_air(const Gpu& gpu);

/// Everything the rules compare.
struct MachineFigures {
  std::uint32_t sustained_w = 0;                                       ///< R1
  std::uint32_t psu_w = 0, psu_needed_w = 0;                           ///< R2: usable, and the least the rule asks
  std::uint32_t wall_w = 0;                                            ///< R3
  bool us_120v_15a = false, us_120v_20a = false, eu_230v_16a = false;  ///< one circuit carries it
  std::uint32_t lanes_used = 0, lanes_available = 0;                   ///< R4
  std::uint32_t cards = 0, cards_x16 = 0;
  std::uint32_t vram_gb = 0;                ///< nominal, all devices
  std::uint32_t ram_needed_gb = 0;          ///< R5
  std::uint32_t slots_used_x10 = 0;         ///< R7
  std::uint32_t largest_data_drive_gb = 0;  ///< R6
};
/// The references of `configuration` must be linked (check_references()).
MachineFigures figures_of(const Configuration& configuration, const Platform& platform);

/// Checks that do not depend on the job: does the machine hold together?
std::vector<RuleCheck> check_machine(const Configuration& configuration, const MachineCatalogue& catalogue);

/// What a job asks of system memory, disks and the wall.
struct HostNeeds {
  Bytes ram;          ///< all of the following
  Bytes process;      ///< the program: its libraries, what it keeps or offloads there
  Bytes loaders;      ///< workers that read and prepare training data
  Bytes system;       ///< kOsShare
  Bytes disk;         ///< all of the following
  Bytes model_files;  ///< what is read at the start
  Bytes checkpoints;  ///< those that are kept, and the next one, which is written before the oldest goes
  Bytes dataset;
  Mains mains = Mains::v230_a16;
};
// Planning figures (hardware.md section 2: at least four cores per GPU, which the workers fill).
inline constexpr Bytes kOsShare = 4 * kGiB;
inline constexpr Bytes kTrainerRam =
    4 * kGiB;  ///< a training process: interpreter, libraries, one shard of the weights
inline constexpr std::uint32_t kLoadersPerGpu = 4;
inline constexpr Bytes kLoaderRam = kGiB;
HostNeeds host_needs(const Scenario& scenario, const Ledger& ledger);

/// Checks of the job against the machine: host memory, checkpoint and data storage, and the wall circuit where it is not
/// the one that check_machine() takes for granted (230 V 16 A).
std::vector<RuleCheck> check_job(const Configuration& configuration, const Platform& platform, const HostNeeds& needs);

}  // namespace vram
