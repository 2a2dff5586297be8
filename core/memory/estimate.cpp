#include "core/memory/estimate.h"

#include "core/memory/bands.h"
#include "core/memory/diffusion/diffusion_job.h"
#include "core/memory/placement.h"
#include "core/memory/runtimes/runtime.h"
#include "core/memory/shard.h"
#include "core/memory/vision/vision_job.h"

namespace vram {
namespace {

/// Running needs a runtime's rules for running, training those for training; resolve() chose a runtime that has them.
const RuntimeRules& rules_for(RuntimeId id) {
  if (const RuntimeRules* rules = find_rules(id)) return *rules;
  return runtime_rules().front();
}

/// `development` is the larger of two jobs: phases never add up, so both are written into one ledger and what both hold
/// (weights, context) is told apart by its phases.
void append(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const bool trains = is_training(scenario.task) || scenario.task == Task::development;
  const bool runs = !is_training(scenario.task);
  if (scenario.vision.graph) {
    if (runs) vision::append_run(scenario, shard, device, ledger);
    if (trains) vision::append_step(scenario, shard, device, ledger);
    return;
  }
  if (scenario.vision.denoiser) {
    if (runs) diffusion::append_run(scenario, shard, device, ledger);
    if (trains) diffusion::append_step(scenario, shard, device, ledger);
    return;
  }
  if (runs) {
    const RuntimeRules& rules = rules_for(scenario.rules);
    if (rules.inference != nullptr) rules.inference(scenario, shard, device, ledger);
  }
  if (trains) {
    const RuntimeRules& rules = rules_for(runs ? RuntimeId::hf_trainer : scenario.rules);
    if (rules.training != nullptr) rules.training(scenario, shard, device, ledger);
  }
}

/// A notebook or editor beside the running model pays its own context (api.md `development`).
void append_second_process(const Scenario& scenario, DeviceLedger& device) {
  const ResolvedConstants& constants = *scenario.gpus[device.gpus.front()].constants;
  Item item;
  item.id = "runtime.second_process";
  item.group = Group::runtime;
  item.level = Level::device;
  item.phases = phases_of(device);
  item.bytes = constants.band(Constant::context);
  item.formula = "F-14.1";
  item.source = constants.source(Constant::context);
  device.items.push_back(item);
}

/// The visitor's own measurement of buffers. What is counted rather than guessed (weights, caches, states) and what the
/// driver takes is never scaled.
void calibrate(double factor, DeviceLedger& device) {
  for (Item& item : device.items) {
    const bool buffer =
        item.group == Group::activations || item.group == Group::logits || item.group == Group::temporary;
    if (!buffer) continue;
    item.bytes = {scaled(item.bytes.low, factor), scaled(item.bytes.expected, factor), scaled(item.bytes.high, factor)};
  }
}

Ledger estimate_shards(const Scenario& scenario) {
  Ledger ledger;
  for (Shard& shard : shards(scenario)) {
    DeviceLedger device;
    device.gpus = shard.gpus;
    device.first_layer = shard.first_layer;
    device.layer_end = shard.layer_end;
    device.items.reserve(32);
    append(scenario, shard, device, ledger);
    calibrate_bands(scenario, !is_training(scenario.task), device);
    if (scenario.task == Task::development) append_second_process(scenario, device);
    if (scenario.calibration != 1) calibrate(scenario.calibration, device);
    ledger.devices.push_back(std::move(device));
  }
  return ledger;
}

}  // namespace

Ledger estimate(const Scenario& scenario) {
  Ledger ledger = estimate_shards(scenario);
  if (!moves_layers_itself(scenario)) return ledger;
  const Bytes shortage = largest_shortage(scenario, ledger, kFitMargin);
  if (!shortage || !holds_together(scenario, ledger)) return ledger;
  Scenario moved = scenario;
  moved.parallel.layer_counts = balanced_layers(scenario, ledger);
  Ledger other = estimate_shards(moved);
  return largest_shortage(moved, other, kFitMargin) < shortage ? other : ledger;
}

}  // namespace vram
