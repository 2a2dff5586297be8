// The workstation that a set of cards asks for: platform, lanes, slots, cooling, power, wall circuit.
#pragma once

#include <cstdint>
#include <span>

#include "core/machine/catalogue.h"
#include "core/machine/rules.h"

namespace vram {

/// The cards of a machine as one adds them up; memory is never used as a sum but for RAM and drives.
struct CardSum {
  std::uint32_t devices = 0, cards = 0;
  std::uint32_t power_w = 0, largest_power_w = 0;
  std::uint32_t vram_gb = 0;               ///< nominal, all devices
  std::uint32_t slots_x10 = 0, lanes = 0;  ///< lanes: the widest card's
  std::uint32_t vendor_min_psu_w = 0;
  std::uint32_t open_air = 0, flow_through = 0, blower = 0, passive = 0;
  bool pluggable = true;  ///< all are cards for a slot

  [[nodiscard]] constexpr std::uint32_t slots() const { return (slots_x10 + 9) / 10; }
};
CardSum sum_of(std::span<const std::shared_ptr<const Gpu>> devices);

/// Why a platform does not take the cards.
enum class PlatformLimit : std::uint8_t { none, lanes, places, memory };

struct BoardPlan {
  const Platform* platform = nullptr;  ///< the smallest that does; nullptr: none
  std::uint32_t lanes_each = 0, lanes_used = 0;
  const Platform* smaller = nullptr;          ///< the largest of the smaller ones, which does not
  PlatformLimit limit = PlatformLimit::none;  ///< what it lacks

  /// Further NVMe drives of four lanes each beside the two that are counted.
  [[nodiscard]] std::uint32_t more_drives() const { return (platform->device_lanes - lanes_used) / kNvmeLanes; }
};
/// The platform with the fewest lanes that takes the cards at `width` lanes each (or what they have) beside two NVMe
/// drives, and `ram_gb` of memory.
BoardPlan plan_board(const CardSum& cards, std::span<const Platform> platforms, std::uint32_t width,
                     std::uint32_t ram_gb);

/// CPU cores: four for each GPU, and 16 for a workstation of this class (hardware.md section 2).
constexpr std::uint32_t cores_for(std::uint32_t gpus) { return gpus > 4 ? 4 * gpus : 16; }

/// Largest supply that is commonly built into a workstation, in W (builds with four 600 W cards take two of them).
inline constexpr std::uint32_t kLargestSupplyW = 2000;
/// A card may draw three times its power for 0.1 ms (PCI-SIG); an ATX 3 supply is tested with twice its own (Intel).
inline constexpr std::uint32_t kCardPeak = 3, kSupplyPeak = 2;

struct PowerPlan {
  std::uint32_t cards_w = 0, sustained_w = 0;  ///< R1
  std::uint32_t psu_w = 0;                     ///< R2, rounded up to 50 W
  std::uint32_t comfortable_psu_w = 0;         ///< 1.4 times the lasting load, likewise
  std::uint32_t peak_w = 0;                    ///< for 0.1 ms, all cards at once
  std::uint32_t peak_psu_w = 0;                ///< the ATX 3 supply that takes this peak, rounded up to 50 W
  std::uint32_t supplies = 1;                  ///< of kLargestSupplyW at most
  std::uint32_t wall_w = 0, limit_w = 0;       ///< R3; of one circuit
  std::uint32_t circuits = 1;
  bool needs_200v = false;  ///< more than any 120 V circuit carries
};
PowerPlan plan_power(const CardSum& cards, const Platform& platform, Mains mains);

/// Slot widths with one free between cards that blow through each other (R7).
constexpr std::uint32_t slots_with_gaps(const CardSum& cards) {
  return cards.slots() + (cards.cards > 1 ? cards.cards - 1 : 0);
}

/// A card with the same memory, architecture and (within 5 %) bandwidth that draws less, the most frugal; or nullptr.
const Gpu* frugal_variant(const Gpu& gpu, const GpuCatalogue& gpus);

/// Sizes that system memory comes in, in GB: the smallest that is enough.
std::uint32_t ram_size(std::uint64_t needed_gb);

}  // namespace vram
