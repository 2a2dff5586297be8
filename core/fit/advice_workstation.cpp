// The machine around the cards: platform, lanes, slots, coolers, supply, wall.
#include <algorithm>

#include "core/fit/advice_parts.h"

namespace vram::advice_parts {
namespace {

using Level = Advice::Level;
using Topic = Advice::Topic;
constexpr std::uint32_t kPlugLimitW = 600;  ///< of a 12V-2x6 plug

/// Cards that exchange tensors or gradients at every layer or step want the full width; alone, x8 is within 2 % of x16.
bool wants_full_width(const Scenario& scenario) { return scenario.gpus.size() > 1 && !scenario.parallel.split_layers; }

BoardPlan board_for(const Case& job) {
  const std::vector<Platform>& platforms = job.catalog.machines.platforms;
  const std::uint32_t width = wants_full_width(job.scenario()) || job.cards.cards == 1 ? 16 : 8;
  BoardPlan plan = plan_board(job.cards, platforms, width, job.ram_needed_gb);
  return plan.platform != nullptr ? plan : plan_board(job.cards, platforms, 8, job.ram_needed_gb);
}

void advise_on_platform(const Case& job, const BoardPlan& board, std::vector<Advice>& list) {
  static constexpr std::array<const char*, 4> kSegmentIds = {"platform_desktop", "platform_hedt",
                                                             "platform_workstation", "platform_server"};
  const Platform& platform = *board.platform;
  list.push_back({kSegmentIds[static_cast<std::size_t>(platform.segment)],
                  Topic::board,
                  Level::advise,
                  {{"platform", 0, platform.name},
                   {"lanes_each", board.lanes_each},
                   {"lanes_used", board.lanes_used},
                   {"lanes_available", platform.device_lanes},
                   {"cards", job.cards.cards},
                   {"drives", board.more_drives()},
                   {"ram_gb", platform.max_memory_gb},
                   {"cores", cores_for(job.cards.devices)}},
                  kPlatformsSource});
  if (board.smaller == nullptr || board.limit == PlatformLimit::none) return;
  static constexpr std::array<const char*, 4> kLimitIds = {"", "smaller_lanes", "smaller_places", "smaller_memory"};
  list.push_back({kLimitIds[static_cast<std::size_t>(board.limit)],
                  Topic::board,
                  Level::info,
                  {{"platform", 0, board.smaller->name},
                   {"lanes_used", board.lanes_used},
                   {"lanes_available", board.smaller->device_lanes},
                   {"cards", job.cards.cards},
                   {"lanes_each", board.lanes_each},
                   {"ram_needed_gb", job.ram_needed_gb},
                   {"ram_gb", board.smaller->max_memory_gb}},
                  kPlatformsSource});
}

void advise_on_cooling(const CardSum& cards, std::vector<Advice>& list) {
  if (cards.open_air > 2) {
    list.push_back(
        {"open_air_cards", Topic::board, Level::must, {{"cards", cards.open_air}, {"most", 2}}, kRulesSource});
  }
  if (cards.passive > 0) {
    list.push_back({"passive_cards", Topic::board, Level::must, {{"cards", cards.passive}}, kRulesSource});
  }
  if (cards.cards < 2) return;
  const bool side_by_side = cards.blower == cards.cards || cards.passive == cards.cards;
  list.push_back({side_by_side ? "side_by_side" : "spacing",
                  Topic::board,
                  side_by_side ? Level::info : Level::advise,
                  {{"cards", cards.cards},
                   {"slots", cards.slots()},
                   {"slots_with_gaps", side_by_side ? cards.slots() : slots_with_gaps(cards)}},
                  kRulesSource});
}

void advise_on_plugs(const Case& job, std::vector<Advice>& list) {
  const Gpu* hungriest = nullptr;
  for (const GpuSlot& slot : job.scenario().gpus) {
    if (hungriest == nullptr || slot.gpu->board_power_w > hungriest->board_power_w) hungriest = slot.gpu.get();
  }
  const std::string& plug = hungriest->power_connector;
  if (plug.empty() || plug.starts_with("none")) return;
  const bool high_power = plug.find("16-pin") != std::string::npos;
  if (!high_power) {
    list.push_back({"plugs",
                    Topic::power,
                    Level::info,
                    {{"cards", job.cards.cards}, {"plug", 0, plug}, {"watts", hungriest->board_power_w}},
                    kGpusSource});
    return;
  }
  list.push_back({"plug_16pin",
                  Topic::power,
                  hungriest->board_power_w * 10 >= kPlugLimitW * 9 ? Level::advise : Level::info,
                  {{"cards", job.cards.cards}, {"watts", hungriest->board_power_w}, {"limit_w", kPlugLimitW}},
                  kGpusSource});
}

void advise_on_wall(const PowerPlan& power, Mains mains, std::vector<Advice>& list) {
  const bool low_voltage = mains != Mains::v230_a16;
  if (power.needs_200v) {
    list.push_back({"needs_200v",
                    Topic::power,
                    low_voltage ? Level::must : Level::info,
                    {{"wall_w", power.wall_w}, {"limit_w", kCircuit120V20A}},
                    kRulesSource});
  }
  if (power.circuits > 1) {
    list.push_back({"several_circuits",
                    Topic::power,
                    Level::must,
                    {{"wall_w", power.wall_w}, {"limit_w", power.limit_w}, {"circuits", power.circuits}},
                    kRulesSource});
  } else {
    list.push_back({"circuit_fits",
                    Topic::power,
                    Level::info,
                    {{"wall_w", power.wall_w}, {"limit_w", power.limit_w}},
                    kRulesSource});
  }
}

void advise_on_supply(const PowerPlan& power, std::vector<Advice>& list) {
  list.push_back({"power_supply",
                  Topic::power,
                  Level::advise,
                  {{"psu_w", power.psu_w},
                   {"comfortable_w", power.comfortable_psu_w},
                   {"sustained_w", power.sustained_w},
                   {"cards_w", power.cards_w}},
                  kRulesSource});
  const bool higher = power.peak_psu_w > power.psu_w;
  list.push_back({higher ? "peaks_higher" : "peaks",
                  Topic::power,
                  higher ? Level::advise : Level::info,
                  {{"peak_w", power.peak_w}, {"psu_w", higher ? power.peak_psu_w : power.psu_w}},
                  "PCI-SIG, ATX 3"});
  if (power.supplies > 1) {
    list.push_back({"several_supplies",
                    Topic::power,
                    Level::must,
                    {{"psu_w", power.psu_w},
                     {"largest_w", kLargestSupplyW},
                     {"supplies", power.supplies},
                     {"redundant", power.supplies + 1}},
                    kRulesSource});
  }
}

void advise_on_frugal(const Case& job, const Platform& platform, const PowerPlan& power, std::vector<Advice>& list) {
  const Gpu* const variant = frugal_variant(*job.scenario().gpus.front().gpu, job.catalog.facts.gpus);
  if (variant == nullptr) return;
  CardSum cards = job.cards;
  const std::uint32_t saved = job.scenario().gpus.front().gpu->board_power_w - variant->board_power_w;
  cards.power_w -= std::min(cards.power_w, saved * cards.cards);
  const PowerPlan less = plan_power(cards, platform, job.scenario().mains);
  const bool worth = less.circuits < power.circuits || less.supplies < power.supplies || job.cards.cards > 1;
  list.push_back({"frugal_variant",
                  Topic::power,
                  worth ? Level::advise : Level::info,
                  {{"gpu", 0, variant->name},
                   {"watts", variant->board_power_w},
                   {"psu_w", less.psu_w},
                   {"wall_w", less.wall_w},
                   {"circuits", less.circuits}},
                  kGpusSource});
}

bool are_alike(const Scenario& scenario) {
  return std::all_of(scenario.gpus.begin(), scenario.gpus.end(),
                     [&](const GpuSlot& slot) { return slot.gpu == scenario.gpus.front().gpu; });
}

}  // namespace

void advise_on_workstation(const Case& job, std::vector<Advice>& list) {
  if (!job.cards.pluggable) return;
  const BoardPlan board = board_for(job);
  advise_on_cooling(job.cards, list);
  if (board.platform == nullptr) {
    list.push_back({"no_platform",
                    Topic::board,
                    Level::must,
                    {{"cards", job.cards.cards}, {"ram_needed_gb", job.ram_needed_gb}},
                    kPlatformsSource});
    return;
  }
  advise_on_platform(job, board, list);
  const PowerPlan power = plan_power(job.cards, *board.platform, job.scenario().mains);
  advise_on_supply(power, list);
  advise_on_plugs(job, list);
  advise_on_wall(power, job.scenario().mains, list);
  if (are_alike(job.scenario())) advise_on_frugal(job, *board.platform, power, list);
}

}  // namespace vram::advice_parts
