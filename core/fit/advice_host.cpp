// System memory and drives: from what the job puts there.
#include <algorithm>

#include "core/fit/advice_parts.h"

namespace vram::advice_parts {
namespace {

using Level = Advice::Level;
using Topic = Advice::Topic;

/// What a fast drive really moves when a file is read or written through a program, in bytes a second: 2.7 to 2.9 GB were
/// measured for a 40.5 GB model on PCIe 4 and 5 drives (hardware.md section 3.5).
constexpr Bytes kDriveRate = 3'000'000'000;
constexpr Bytes kGigabyte = 1'000'000'000;

std::uint64_t gigabytes(Bytes bytes) { return ceil_div(bytes, kGigabyte).value(); }
std::uint64_t gibibytes(Bytes bytes) { return ceil_div(bytes, kGiB).value(); }
std::uint64_t seconds(Bytes bytes) { return max(ceil_div(bytes, kDriveRate), 1).value(); }

void advise_on_ram(const Case& job, std::vector<Advice>& list) {
  list.push_back({"system_ram",
                  Topic::host,
                  job.ram_needed_gb > 64 ? Level::must : Level::advise,
                  {{"recommended_gb", job.ram_recommended_gb},
                   {"needed_gb", job.ram_needed_gb},
                   {"process_gb", gibibytes(job.host.process)},
                   {"vram_gb", job.cards.vram_gb}},
                  kRulesSource});
  std::uint32_t most = 0;
  for (const Platform& platform : job.catalog.machines.platforms) most = std::max(most, platform.max_memory_gb);
  if (job.ram_needed_gb > most) {
    list.push_back({"ram_beyond_all",
                    Topic::host,
                    Level::must,
                    {{"needed_gb", job.ram_needed_gb}, {"most_gb", most}},
                    kPlatformsSource});
  }
  const Scenario& scenario = job.scenario();
  if (is_training(scenario.task) && scenario.training.offload != Offload::none) {
    list.push_back({"pinned_memory",
                    Topic::host,
                    Level::advise,
                    {{"gb", gibibytes(job.evaluation.ledger.host.ram.expected)}},
                    "F-9.2"});
  }
  if (job.host.loaders) {
    list.push_back(
        {"data_loaders",
         Topic::host,
         Level::info,
         {{"workers", kLoadersPerGpu * std::uint64_t{scenario.gpus.size()}}, {"gb", gibibytes(job.host.loaders)}},
         kRulesSource});
  }
  if (!scenario.dataset) return;
  const Bytes free = Bytes(job.ram_recommended_gb) * kGiB - job.host.ram;
  list.push_back({scenario.dataset <= free ? "dataset_cached" : "dataset_not_cached",
                  Topic::host,
                  Level::info,
                  {{"dataset_gb", gigabytes(scenario.dataset)}, {"free_gb", gibibytes(free)}},
                  kRulesSource});
}

void advise_on_drives(const Case& job, std::vector<Advice>& list) {
  const std::uint64_t disk_gb = gigabytes(job.host.disk);
  list.push_back({"data_drive",
                  Topic::host,
                  Level::advise,
                  {{"recommended_gb", std::max<std::uint64_t>({2000, 10ULL * job.cards.vram_gb, disk_gb})},
                   {"needed_gb", disk_gb},
                   {"seconds", seconds(job.host.model_files)}},
                  kRulesSource});
  const Bytes checkpoint = job.evaluation.ledger.host.checkpoint;
  if (!job.host.checkpoints || !checkpoint) return;
  list.push_back({"checkpoints",
                  Topic::host,
                  Level::advise,
                  {{"gb", gigabytes(checkpoint)},
                   {"kept", job.scenario().checkpoints_kept.value()},
                   {"all_gb", gigabytes(job.host.checkpoints)},
                   {"seconds", seconds(checkpoint)}},
                  "catalog/README.md, F-6.1"});
  list.push_back({"second_volume",
                  Topic::host,
                  Level::advise,
                  {{"gb", gigabytes(job.host.dataset + job.scenario().checkpoints_kept * checkpoint)}},
                  kRulesSource});
}

}  // namespace

void advise_on_host(const Case& job, std::vector<Advice>& list) {
  // There the memory is the GPU's and comes with the machine.
  if (job.scenario().gpus.front().gpu->memory_kind != MemoryKind::unified) advise_on_ram(job, list);
  advise_on_drives(job, list);
}

}  // namespace vram::advice_parts
