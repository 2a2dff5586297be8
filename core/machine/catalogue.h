// What a vendor sells and what it is built on: platforms, configurations, tiers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"
#include "core/scenario/gpu.h"

namespace vram {

/// A text per language; `en` is the fallback.
struct LocalText {
  std::vector<std::pair<std::string, std::string>> by_language;
  [[nodiscard]] std::string_view in(std::string_view language) const;
};

enum class Segment : std::uint8_t { desktop, hedt, workstation, server };

struct Platform {
  std::string id, name, socket;
  Segment segment = Segment::desktop;
  std::uint32_t device_lanes = 0;  ///< CPU PCIe lanes left for cards and NVMe, planning figure
  std::uint32_t max_gpus_x16 = 0, max_gpus_x8 = 0;
  std::uint32_t memory_channels = 0;
  std::uint32_t max_memory_gb = 0;
  bool rdimm = false, ecc = false;  ///< takes registered modules only; corrects errors on every board
  std::uint32_t sustained_w = 0;    ///< the processor's lasting power
  bool verified = true;
};

struct ConfigurationGpus {
  std::string gpu_id;
  std::uint32_t count = 1;  ///< cards
  std::uint32_t lanes_wired = 16;
  std::uint32_t power_limit_w = 0;  ///< 0 = the card's board power
  std::shared_ptr<const Gpu> gpu;   ///< set by check_references()

  [[nodiscard]] std::uint32_t power_w() const { return power_limit_w != 0 ? power_limit_w : gpu->board_power_w; }
  [[nodiscard]] std::uint32_t devices() const { return count * gpu->devices_per_card; }
};

struct Drive {
  std::string role, kind;  ///< role "os" or "data"; kind such as "NVMe Gen4 x4"
  double terabytes = 0;    ///< 10^12 bytes
  [[nodiscard]] bool is_nvme() const { return kind.starts_with("NVMe"); }
};

enum class Chassis : std::uint8_t { compact, tower, rack };

/// A machine one can buy.
struct Configuration {
  std::string id, name;
  LocalText text;
  bool synthetic = false;  ///< sample data, no real product
  std::vector<ConfigurationGpus> gpus;
  std::string platform_id, cpu_class;
  std::uint32_t cpu_cores = 0, cpu_sustained_w = 0;
  std::uint32_t ram_gb = 0, ram_modules = 0, channels_populated = 0;
  bool ram_rdimm = false, ram_ecc = false;
  std::vector<Drive> drives;
  std::uint32_t psu_units = 1, psu_watts_each = 0;
  std::uint32_t psu_usable_w = 0;  ///< what remains of a redundant set when one unit fails
  bool psu_redundant = false, needs_200v = false;
  std::uint32_t circuits = 1;  ///< wall circuits that feed it
  std::uint32_t gpu_slots = 0;
  Chassis chassis_kind = Chassis::tower;
  std::string chassis, cooling;
  std::string price, link, availability;  ///< optional, as the vendor writes them

  std::string path;  ///< where it stands in its file, for faults: "configurations[3]"
  std::uint32_t line = 0;
  std::uint32_t platform = 0;  ///< index into MachineCatalogue::platforms, set by check_references()
  std::uint32_t gpu_set = 0;   ///< index into MachineCatalogue::gpu_sets, set by check_references()
  bool sound = true;           ///< keeps every rule of check_machine(), set by check_references()

  [[nodiscard]] std::uint32_t gpu_count() const;  ///< devices, not cards
};

/// A memory size to start testing from.
struct Tier {
  std::string id;      ///< "16gb"
  Bytes usable;        ///< smallest usable memory a card of this tier has
  std::string gpu_id;  ///< the card whose context, libraries and features stand for the tier
  LocalText starting_point;
  std::string path;  ///< as in Configuration
  std::uint32_t line = 0;
  std::shared_ptr<const Gpu> gpu;  ///< set by check_references()
};

/// The devices of a machine, in order. Machines with the same devices share one set: it is estimated once.
struct GpuSet {
  std::vector<std::shared_ptr<const Gpu>> devices;
  Bytes usable;  ///< of all devices together, to order machines by size; never compared with a need
};

struct MachineCatalogue {
  std::vector<Platform> platforms;
  std::vector<Configuration> configurations;
  std::vector<Tier> tiers;
  std::vector<GpuSet> gpu_sets;
  [[nodiscard]] const Platform* find_platform(std::string_view id) const;
  [[nodiscard]] const Configuration* find_configuration(std::string_view id) const;
  [[nodiscard]] const Platform& platform_of(const Configuration& configuration) const {
    return platforms[configuration.platform];
  }
};

// Readers of one file each; a bad entry goes to `faults` and the rest lives. Cross references (gpu_id, platform_id) are
// checked by check_references().
void read_platforms(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
void read_configurations(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
void read_tiers(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
/// Removes configurations and tiers that name unknown GPUs or platforms, each with a fault, and links the others to what
/// they name. To be called once, after all files are read.
void check_references(MachineCatalogue& catalogue, const GpuCatalogue& gpus, std::vector<Error>& faults);

}  // namespace vram
