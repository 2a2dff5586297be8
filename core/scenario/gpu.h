// Facts about a GPU that decide how much of its memory can be used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"

namespace vram {

/// Families that share a CUDA context size and library workspaces (F-14.1, F-14.2).
enum class GpuGeneration : std::uint8_t {
  unknown, pascal, volta, turing, ampere_datacenter, ampere, ada, hopper, blackwell_datacenter, blackwell,
  rdna, cdna, intel, unified_nvidia, unified_amd, apple,
};

enum class MemoryKind : std::uint8_t { dedicated, unified };

struct Gpu {
  std::string id, name, vendor, memory_type, klass, architecture;
  GpuGeneration generation = GpuGeneration::unknown;
  MemoryKind memory_kind = MemoryKind::dedicated;
  Bytes nominal;           ///< marketing capacity, GiB taken as 2^30
  Bytes usable;            ///< what the driver reports; derived where no reading exists (api.md "Usable memory")
  bool usable_derived = false;
  bool in_band_ecc = false;        ///< ECC, when switched on, takes 6.25 % of the capacity
  std::uint32_t compute_capability = 0;  ///< 89 for 8.9; 0 where meaningless
  bool has_bf16 = true, has_fp8 = false, has_fp4 = false;
  bool nvlink = false;
  int peer_over_pcie = -1;         ///< 1 works, 0 does not with the stock driver, -1 not known
  double bandwidth_gb_s = 0;
  std::uint32_t board_power_w = 0, slot_width_x10 = 0, pcie_lanes = 16, pcie_gen_x10 = 0, vendor_min_psu_w = 0;
  std::string power_connector, cooling, form_factor;
  bool display_outputs = true;
  std::uint32_t launch_year = 0;
  bool verified = true;            ///< false: a figure used here is marked unverified in the data
};

struct GpuCatalogue {
  std::vector<std::shared_ptr<const Gpu>> gpus;
  [[nodiscard]] std::shared_ptr<const Gpu> find(std::string_view id) const;
  [[nodiscard]] std::vector<std::string_view> similar(std::string_view id, std::size_t limit) const;
};

/// Reads {"gpus":[...]}; each bad entry goes to `faults` and the rest lives.
GpuCatalogue read_gpus(const json::Value& file, std::vector<Error>& faults);

}  // namespace vram
