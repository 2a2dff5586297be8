// Facts about a GPU that decide how much of its memory can be used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace vram {

/// Families that share a CUDA context size and library workspaces (F-14.1, F-14.2).
enum class GpuGeneration : std::uint8_t {
  unknown,
  pascal,
  volta,
  turing,
  ampere_datacenter,
  ampere,
  ada,
  hopper,
  blackwell_datacenter,
  blackwell,
  rdna,
  cdna,
  intel,
  unified_nvidia,
  unified_amd,
  apple,
};

enum class MemoryKind : std::uint8_t { dedicated, unified };

/// Error correction of the card's memory as delivered.
enum class Ecc : std::uint8_t { none, off, on, always, unknown };

enum class Cooling : std::uint8_t { unknown, open_air, flow_through, blower, passive, liquid };

/// One device as software sees it. A card may hold several (`devices_per_card`), each with its own memory.
struct Gpu {
  std::string id, name, vendor, memory_type, klass, architecture;
  std::vector<std::string> aliases;  ///< former ids
  GpuGeneration generation = GpuGeneration::unknown;
  MemoryKind memory_kind = MemoryKind::dedicated;
  Bytes nominal;  ///< marketing capacity, GiB taken as 2^30
  Bytes usable;   ///< what the driver reports; derived where no reading exists (api.md "Usable memory")
  bool usable_derived = false;
  Bytes usable_windows;  ///< where Windows offers another amount (unified memory); 0 = the same
  Ecc ecc = Ecc::none;
  bool in_band_ecc = false;              ///< ECC, when switched on, takes 6.25 % of the capacity
  std::uint32_t compute_capability = 0;  ///< 89 for 8.9; 0 where meaningless
  bool has_bf16 = true, has_fp8 = false, has_fp4 = false;
  bool nvlink = false;
  int peer_over_pcie = -1;  ///< 1 works, 0 does not with the stock driver, -1 not known
  double bandwidth_gb_s = 0;
  std::uint32_t board_power_w = 0;  ///< of the whole card; for laptops the top of the range
  std::uint32_t devices_per_card = 1;
  std::uint32_t slot_width_x10 = 0;  ///< 0: not a card for a slot
  std::uint32_t pcie_lanes = 0, pcie_gen_x10 = 0, vendor_min_psu_w = 0;
  Cooling cooling = Cooling::unknown;
  std::string power_connector, form_factor;
  bool display_outputs = true;
  std::uint32_t launch_year = 0;
  bool verified = true;  ///< false: a figure used here is marked unverified in the data

  /// A card for a slot of a workstation or server, as against a laptop's, a module of a server board or a whole computer.
  [[nodiscard]] bool is_card() const { return slot_width_x10 != 0; }
  /// Usable memory when in-band ECC is switched on: 15/16 of the nominal capacity (F-14.6).
  [[nodiscard]] Bytes usable_with_ecc() const { return in_band_ecc ? min(usable, mul_div(nominal, 15, 16)) : usable; }
};

struct GpuCatalogue {
  std::vector<std::shared_ptr<const Gpu>> gpus;
  /// By id or alias, case-insensitive; nullptr when unknown.
  [[nodiscard]] std::shared_ptr<const Gpu> find(std::string_view id) const;
  /// Up to `limit` ids that resemble `id`, best first, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> similar(std::string_view id, std::size_t limit) const;
};

/// By compute capability (NVIDIA) or architecture; `unified_*` for memory shared with the processor.
GpuGeneration generation_of(std::string_view vendor, std::string_view architecture, std::uint32_t compute_capability,
                            MemoryKind memory_kind);

/// Usable memory where the driver's figure is not known (api.md "Usable memory"): nominal x 0.995 (GDDR7), 1 (GDDR6, 6X),
/// 0.9375 (GDDR6 with ECC on as delivered), 0.996 (HBM), 0.75 (Apple's default working set), else 0.9375.
Bytes derived_usable(const Gpu& gpu);

/// Reads {"gpus":[...]}; each bad entry goes to `faults` and the rest lives.
GpuCatalogue read_gpus(const json::Value& file, std::vector<Error>& faults);

}  // namespace vram
