// Several cards: what they do and do not give. Bytes that cross the bus are counted, a speed-up is never promised.
#include <algorithm>
#include <string>

#include "core/fit/advice_parts.h"
#include "core/fit/match.h"
#include "core/memory/estimate.h"
#include "core/memory/placement.h"
#include "core/memory/weights.h"

namespace vram::advice_parts {
namespace {

using Level = Advice::Level;
using Topic = Advice::Topic;

Bytes held(const DeviceLedger& device, Group group) {
  Bytes sum;
  for (const Item& item : device.items) {
    if (item.group == group) sum += item.bytes.expected;
  }
  return sum;
}

/// Weights that more than one card holds, all cards together.
Bytes held_twice(const Evaluation& evaluation) {
  Bytes sum;
  for (const DeviceLedger& device : evaluation.ledger.devices) sum += device.gpus.size() * held(device, Group::weights);
  return sum - evaluation.scenario.stored->total.bytes;
}

/// What each card of a ring of `ranks` sends so that all have the sum of `bytes`: 2 (n - 1) / n of them.
Bytes ring(Bytes bytes, Count ranks) { return mul_div(2 * bytes, ranks - 1, ranks); }

void advise_on_traffic(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  const Parallel& parallel = scenario.parallel;
  const Count row = scenario.model->hidden * compute_bytes(scenario.weights);
  const std::uint64_t gpus = scenario.gpus.size();
  const std::uint64_t twice = held_twice(job.evaluation).value();
  if (parallel.split_layers || parallel.pipeline > Count(1)) {
    list.push_back({"layers_split", Topic::cards, Level::info, {{"gpus", gpus}, {"bytes", row.value()}}, "F-9.5"});
  }
  if (parallel.tensor > Count(1)) {
    // Two sums a layer, behind attention and behind the feed-forward part (F-9.4).
    const Bytes per_token = ring(2 * Count(scenario.model->layer_count()) * row, parallel.tensor);
    list.push_back({"tensor_split",
                    Topic::cards,
                    Level::info,
                    {{"gpus", parallel.tensor.value()}, {"bytes", per_token.value()}, {"held_twice", twice}},
                    "F-9.4"});
  }
  if (parallel.data == Count(1)) return;
  const DeviceLedger& device = job.evaluation.ledger.devices[busiest(job.evaluation.ledger)];
  const Sharding sharding = scenario.training.sharding;
  if (!is_training(scenario.task)) {
    list.push_back({"whole_copies",
                    Topic::cards,
                    Level::info,
                    {{"gpus", gpus}, {"copies", parallel.data.value()}, {"held_twice", twice}},
                    "F-9.1"});
  } else if (sharding == Sharding::fsdp || sharding == Sharding::zero3) {
    // Parameters are gathered twice and gradients scattered once a step (F-9.3).
    const Bytes once = mul_div(2 * scenario.stored->total.elements, parallel.data - 1, parallel.data);
    list.push_back(
        {"sharded_training", Topic::cards, Level::info, {{"gpus", gpus}, {"bytes", (3 * once).value()}}, "F-9.3"});
  } else {
    const Bytes once = ring(held(device, Group::gradients), parallel.data);
    list.push_back({"gradients_cross",
                    Topic::cards,
                    Level::info,
                    {{"gpus", gpus}, {"bytes", once.value()}, {"held_twice", twice}},
                    "F-9.1"});
  }
}

void advise_on_unlike_cards(const Case& job, Bytes smallest, std::vector<Advice>& list) {
  if (job.scenario().parallel.split_layers) return;
  Bytes unused;
  for (const GpuSlot& slot : job.scenario().gpus) unused += slot.usable - smallest;
  if (unused < kGiB) return;
  list.push_back({"smallest_card_rules",
                  Topic::cards,
                  Level::advise,
                  {{"usable", smallest.value()}, {"unused", unused.value()}},
                  "F-9.9"});
}

std::string as_text(const std::vector<std::uint32_t>& counts) {
  std::string text;
  for (const std::uint32_t count : counts) {
    if (!text.empty()) text += " + ";
    text += std::to_string(count);
  }
  return text;
}

/// Another split by layers where the engine's own overfills a card.
void advise_on_layers(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  if (!scenario.parallel.split_layers) return;
  const Ledger& ledger = job.evaluation.ledger;
  Scenario moved = scenario;
  moved.parallel.layer_counts = balanced_layers(scenario, ledger);
  std::vector<std::uint32_t> now(scenario.gpus.size());
  for (const DeviceLedger& device : ledger.devices) now[device.gpus.front()] = device.layer_end - device.first_layer;
  if (moves_layers_itself(scenario)) {
    // The ledger holds the split that the engine came to; it is worth a word where it is not the even one.
    const auto [fewest, most] = std::minmax_element(now.begin(), now.end());
    if (*most - *fewest > 2) {
      list.push_back({"layers_moved", Topic::cards, Level::info, {{"layers", 0, as_text(now)}}, "F-5.6"});
    }
    return;
  }
  if (job.evaluation.verdict <= Verdict::fits || moved.parallel.layer_counts == now) return;
  const CardsFit fit = fit_of(moved, estimate(moved));
  if (fit.verdict >= job.evaluation.verdict) return;
  list.push_back({"move_layers",
                  Topic::cards,
                  Level::must,
                  {{"layers", 0, as_text(moved.parallel.layer_counts)}, {"now", 0, as_text(now)}},
                  "F-5.6"});
}

void advise_on_peers(const Case& job, std::vector<Advice>& list) {
  const std::uint64_t gpus = job.scenario().gpus.size();
  bool off = false, unknown = false, linked = true;
  for (const GpuSlot& slot : job.scenario().gpus) {
    linked = linked && slot.gpu->nvlink;
    if (slot.gpu->nvlink) continue;
    off = off || slot.gpu->peer_over_pcie == 0;
    unknown = unknown || slot.gpu->peer_over_pcie < 0;
  }
  const Level wish = job.scenario().parallel.split_layers ? Level::info : Level::advise;
  const char* id = "peer_copy_works";
  if (linked) {
    id = "nvlink";
  } else if (off) {
    id = "no_peer_copy";
  } else if (unknown) {
    if (wish == Level::info) return;
    id = "peer_copy_unknown";
  }
  const Level level = off ? wish : Level::info;
  list.push_back({id, Topic::cards, level, {{"gpus", gpus}}, kGpusSource});
}

}  // namespace

void advise_on_sharing(const Case& job, std::vector<Advice>& list) {
  const Scenario& scenario = job.scenario();
  if (scenario.gpus.size() < 2) return;
  Bytes smallest = Bytes::max();
  for (const GpuSlot& slot : scenario.gpus) smallest = min(smallest, slot.usable);
  list.push_back({"memory_does_not_add_up",
                  Topic::cards,
                  Level::info,
                  {{"gpus", std::uint64_t{scenario.gpus.size()}},
                   {"usable", smallest.value()},
                   {"need", job.evaluation.memory.need.expected.value()}},
                  kRulesSource});
  advise_on_layers(job, list);
  advise_on_traffic(job, list);
  advise_on_unlike_cards(job, smallest, list);
  advise_on_peers(job, list);
}

}  // namespace vram::advice_parts
