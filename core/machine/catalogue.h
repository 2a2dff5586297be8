// What a vendor sells and what it is built on: platforms, configurations, tiers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

struct Platform {
  std::string id, name, segment, socket;
  std::uint32_t device_lanes = 0;      ///< CPU PCIe lanes left for cards and NVMe, planning figure
  std::uint32_t max_gpus_x16 = 0, max_gpus_x8 = 0;
  std::uint32_t memory_channels = 0;
  std::uint32_t max_memory_gb = 0;
  bool rdimm = false, ecc = false;
  std::uint32_t sustained_w = 0;
};

struct ConfigurationGpus {
  std::string gpu_id;
  std::uint32_t count = 1;
  std::uint32_t lanes_wired = 16;
  std::uint32_t power_limit_w = 0;     ///< 0 = the card's board power
};

struct Drive {
  std::string role, kind;
  double terabytes = 0;
};

/// A machine one can buy.
struct Configuration {
  std::string id, name;
  LocalText text;
  bool synthetic = false;              ///< sample data, no real product
  std::vector<ConfigurationGpus> gpus;
  std::string platform_id, cpu_class;
  std::uint32_t cpu_cores = 0, cpu_sustained_w = 0;
  std::uint32_t ram_gb = 0, ram_modules = 0, channels_populated = 0;
  std::vector<Drive> drives;
  std::uint32_t psu_units = 1, psu_watts_each = 0, psu_usable_w = 0;
  bool psu_redundant = false, needs_200v = false;
  std::uint32_t gpu_slots = 0;
  std::string chassis, cooling;
  std::string price, link, availability;  ///< optional, as the vendor writes them

  [[nodiscard]] std::uint32_t gpu_count() const;
};

/// A memory size to start testing from.
struct Tier {
  std::string id;                      ///< "16gb"
  Bytes usable;                        ///< smallest usable memory a card of this tier has
  std::string gpu_id;                  ///< the card whose context, libraries and features stand for the tier
  LocalText starting_point;
};

struct MachineCatalogue {
  std::vector<Platform> platforms;
  std::vector<Configuration> configurations;
  std::vector<Tier> tiers;
  [[nodiscard]] const Platform* find_platform(std::string_view id) const;
  [[nodiscard]] const Configuration* find_configuration(std::string_view id) const;
};

// Readers of one file each; a bad entry goes to `faults` and the rest lives. Cross references (gpu_id, platform_id) are
// checked by check_references().
void read_platforms(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
void read_configurations(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
void read_tiers(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults);
/// Removes configurations and tiers that name unknown GPUs or platforms, each with a fault.
void check_references(MachineCatalogue& catalogue, const GpuCatalogue& gpus, std::vector<Error>& faults);

}  // namespace vram
