// Each card by itself: what ECC, shared memory, the screen and Windows leave of it.
#include "core/fit/advice_parts.h"

namespace vram::advice_parts {
namespace {

using Level = Advice::Level;
using Topic = Advice::Topic;

void advise_on_windows(const Scenario& scenario, const GpuSlot& slot, const GpuFit& fit, std::vector<Advice>& list) {
  const Bytes used = fit.memory.need.expected + slot.display.expected;
  // Windows moves memory to the host instead of failing, from about 0.6 GiB below the card's size on (section 15).
  if (used + mul_div(kGiB, 6, 10) > slot.usable) {
    list.push_back({"windows_spill",
                    Topic::cards,
                    Level::advise,
                    {{"need", used.value()}, {"usable", slot.usable.value()}},
                    "formulas, section 15"});
  } else if (!slot.drives_screen || scenario.display == Display::none) {
    list.push_back({"windows_reserve",
                    Topic::cards,
                    Level::info,
                    {{"reserve", slot.display.expected.value()}, {"usable", slot.usable.value()}},
                    "formulas, section 15"});
  }
}

/// A screen, CAD or rendering on the card; `advise` where the job would fit better without it.
void advise_on_screen(const Scenario& scenario, const GpuSlot& slot, const GpuFit& fit, std::vector<Advice>& list) {
  static constexpr std::array<const char*, 4> kIds = {"", "screen_desktop", "screen_cad", "screen_render"};
  const Verdict alone = verdict_of(fit.memory.need, {}, slot.margin, slot.usable);
  list.push_back({kIds[static_cast<std::size_t>(scenario.display)],
                  Topic::cards,
                  alone < fit.verdict ? Level::advise : Level::info,
                  {{"reserve", slot.display.expected.value()}, {"usable", slot.usable.value()}},
                  slot.constants->source(Constant::display_cad)});
}

const char* unified_id(const Gpu& gpu) {
  if (gpu.vendor == "Apple") return "unified_apple";
  return gpu.vendor == "AMD" ? "unified_amd" : "unified_nvidia";
}

void advise_on_card(const Case& job, const GpuSlot& slot, const GpuFit& fit, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  const Gpu& gpu = *slot.gpu;
  if (gpu.memory_kind == MemoryKind::unified) {
    // The program's own memory comes out of the same chips.
    const bool crowded = slot.usable < fit.memory.need.expected + job.host.process;
    list.push_back(
        {unified_id(gpu),
         Topic::cards,
         crowded ? Level::advise : Level::info,
         {{"usable", slot.usable.value()}, {"installed", gpu.nominal.value()}, {"needed", job.host.process.value()}},
         kGpusSource});
  } else if (scenario.os == Os::windows) {
    advise_on_windows(scenario, slot, fit, list);
  }
  if (slot.drives_screen && scenario.display != Display::none) advise_on_screen(scenario, slot, fit, list);
  if (gpu.in_band_ecc && gpu.ecc == Ecc::off) {
    const Verdict with_ecc = verdict_of(fit.memory.need, slot.display, slot.margin, gpu.usable_with_ecc());
    list.push_back({"ecc_takes_memory",
                    Topic::cards,
                    with_ecc != fit.verdict ? Level::advise : Level::info,
                    {{"usable", slot.usable.value()},
                     {"usable_with_ecc", gpu.usable_with_ecc().value()},
                     {"still_fits", with_ecc <= Verdict::fits}},
                    "F-14.6"});
  }
}

}  // namespace

void advise_on_cards(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  const Gpu* last = nullptr;
  bool no_ecc = false, outputs = false;
  for (const GpuFit& fit : job.evaluation.gpus) {
    const GpuSlot& slot = scenario.gpus[fit.slot];
    if (slot.gpu.get() != last) advise_on_card(job, slot, fit, list);
    last = slot.gpu.get();
    no_ecc = no_ecc || slot.gpu->ecc == Ecc::none;
    outputs = outputs || slot.gpu->display_outputs;
  }
  if (!outputs && scenario.display != Display::none) {
    list.push_back({"screen_elsewhere", Topic::cards, Level::must, {}, kGpusSource});
  }
  const bool long_run =
      scenario.task == Task::full || scenario.task == Task::pretrain || scenario.task == Task::serving;
  if (no_ecc && long_run) list.push_back({"no_ecc", Topic::cards, Level::info, {}, kGpusSource});
}

}  // namespace vram::advice_parts
