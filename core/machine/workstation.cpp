#include "core/machine/workstation.h"

#include <algorithm>
#include <array>

namespace vram {
namespace {

constexpr std::uint32_t kDrives = 2;  ///< NVMe drives of every plan: system and data

std::uint32_t round_up_50(std::uint32_t watts) { return (watts + 49) / 50 * 50; }

PlatformLimit limit_of(const Platform& platform, const CardSum& cards, std::uint32_t each, std::uint32_t ram_gb) {
  const std::uint32_t places = each > 8 ? platform.max_gpus_x16 : std::max(platform.max_gpus_x8, platform.max_gpus_x16);
  if (places < cards.cards) return PlatformLimit::places;
  if (each * cards.cards + kDrives * kNvmeLanes > platform.device_lanes) return PlatformLimit::lanes;
  return platform.max_memory_gb < ram_gb ? PlatformLimit::memory : PlatformLimit::none;
}

}  // namespace

CardSum sum_of(std::span<const std::shared_ptr<const Gpu>> devices) {
  CardSum sum;
  std::uint32_t in_card = 0;  // devices of the card that is being filled
  const Gpu* last = nullptr;
  for (const auto& device : devices) {
    const Gpu& gpu = *device;
    ++sum.devices;
    sum.vram_gb += static_cast<std::uint32_t>((gpu.nominal / kGiB).value());
    sum.pluggable = sum.pluggable && gpu.is_card();
    if (last == &gpu && in_card < gpu.devices_per_card) {
      ++in_card;
      continue;
    }
    last = &gpu;
    in_card = 1;
    ++sum.cards;
    sum.power_w += gpu.board_power_w;
    sum.largest_power_w = std::max(sum.largest_power_w, gpu.board_power_w);
    sum.slots_x10 += gpu.slot_width_x10;
    sum.lanes = std::max(sum.lanes, gpu.pcie_lanes);
    sum.vendor_min_psu_w = std::max(sum.vendor_min_psu_w, gpu.vendor_min_psu_w);
    if (is_open_air(gpu)) ++sum.open_air;
    if (gpu.cooling == Cooling::flow_through) ++sum.flow_through;
    if (gpu.cooling == Cooling::blower) ++sum.blower;
    if (gpu.cooling == Cooling::passive) ++sum.passive;
  }
  return sum;
}

BoardPlan plan_board(const CardSum& cards, std::span<const Platform> platforms, std::uint32_t width,
                     std::uint32_t ram_gb) {
  BoardPlan plan;
  plan.lanes_each = std::min(width, std::max(1U, cards.lanes));
  plan.lanes_used = plan.lanes_each * cards.cards + kDrives * kNvmeLanes;
  for (const Platform& platform : platforms) {
    if (limit_of(platform, cards, plan.lanes_each, ram_gb) != PlatformLimit::none) continue;
    if (plan.platform == nullptr || platform.device_lanes < plan.platform->device_lanes) plan.platform = &platform;
  }
  for (const Platform& platform : platforms) {
    if (plan.platform == nullptr || platform.device_lanes >= plan.platform->device_lanes) continue;
    if (plan.smaller == nullptr || platform.device_lanes > plan.smaller->device_lanes) plan.smaller = &platform;
  }
  if (plan.smaller != nullptr) plan.limit = limit_of(*plan.smaller, cards, plan.lanes_each, ram_gb);
  return plan;
}

PowerPlan plan_power(const CardSum& cards, const Platform& platform, Mains mains) {
  PowerPlan plan;
  plan.cards_w = cards.power_w;
  plan.sustained_w = cards.power_w + platform.sustained_w + base_power_w(platform.segment) +
                     platform.memory_channels * (platform.rdimm ? kRdimmW : kUdimmW) + kDrives * kNvmeW;
  std::uint32_t least = supply_w(plan.sustained_w);
  if (cards.cards == 1) least = std::max(least, cards.vendor_min_psu_w);
  plan.psu_w = round_up_50(least);
  plan.comfortable_psu_w = std::max(plan.psu_w, round_up_50((plan.sustained_w * 7 + 4) / 5));
  plan.peak_w = plan.sustained_w + (kCardPeak - 1) * cards.power_w;
  plan.peak_psu_w = round_up_50((plan.peak_w + kSupplyPeak - 1) / kSupplyPeak);
  plan.supplies = (plan.psu_w + kLargestSupplyW - 1) / kLargestSupplyW;
  plan.wall_w = wall_power_w(plan.sustained_w);
  plan.limit_w = circuit_w(mains);
  plan.circuits = (plan.wall_w + plan.limit_w - 1) / plan.limit_w;
  plan.needs_200v = plan.wall_w > kCircuit120V20A;
  return plan;
}

const Gpu* frugal_variant(const Gpu& gpu, const GpuCatalogue& gpus) {
  const Gpu* best = nullptr;
  for (const auto& other : gpus.gpus) {
    const bool alike = other->nominal == gpu.nominal && other->memory_type == gpu.memory_type &&
                       other->architecture == gpu.architecture && other->vendor == gpu.vendor && other->is_card() &&
                       other->display_outputs == gpu.display_outputs &&
                       other->bandwidth_gb_s >= 0.95 * gpu.bandwidth_gb_s;
    if (!alike || other->board_power_w * 5 > gpu.board_power_w * 4) continue;
    if (best == nullptr || other->board_power_w < best->board_power_w) best = other.get();
  }
  return best;
}

std::uint32_t ram_size(std::uint64_t needed_gb) {
  constexpr std::array<std::uint32_t, 15> kSizes = {16,  32,  48,  64,   96,   128,  192, 256,
                                                    384, 512, 768, 1024, 1536, 2048, 4096};
  for (const std::uint32_t size : kSizes) {
    if (size >= needed_gb) return size;
  }
  return static_cast<std::uint32_t>((needed_gb + 1023) / 1024 * 1024);
}

}  // namespace vram
