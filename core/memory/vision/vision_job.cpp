#include "core/memory/vision/vision_job.h"

#include "core/memory/context.h"
#include "core/memory/vision/framework.h"
#include "core/memory/vision/training_items.h"

namespace vram::vision {
namespace {

std::uint8_t element_bytes(const Scenario& scenario) { return scenario.weights.base == TensorType::f32 ? 4 : 2; }

Terms image_terms(const Scenario& scenario, Count batch) {
  return {{"images", batch},
          {"height", scenario.vision.image_height},
          {"width", scenario.vision.image_width},
          {"frames", scenario.vision.frames}};
}

}  // namespace

WalkSettings walk_settings(const Scenario& scenario, bool training) {
  WalkSettings settings;
  settings.height = scenario.vision.image_height;
  settings.width = scenario.vision.image_width;
  settings.frames = scenario.vision.frames;
  settings.training = training;
  settings.element = element_bytes(scenario);
  settings.batch = training ? scenario.training.batch : scenario.inference.sequences;
  if (!training) {
    settings.eager_attention = scenario.inference.attention == AttentionKernel::eager;
    return settings;
  }
  const TrainingSettings& step = scenario.training;
  settings.autocast = step.autocast && settings.element == 4;
  settings.checkpointing = step.checkpointing != Checkpointing::none;
  settings.eager_attention = step.attention == AttentionKernel::eager;
  const Framework& framework = framework_of(scenario.runtime);
  if (scenario.model->frozen_stages && scenario.task != Task::pretrain) {
    settings.frozen_stages = static_cast<int>(min(scenario.model->frozen_stages, 64).value()) - 1;
    settings.backbone_norm = framework.frozen_norm;
  }
  settings.accumulates = framework.zeroes_gradients || step.accumulation > Count(1);
  if (is_adapter_training(scenario.task)) {
    settings.frozen = true;
    settings.adapter_rank = step.lora_rank;
    settings.adapter_element = static_cast<std::uint8_t>(step.adapter_bytes.value());
  }
  return settings;
}

void append_run(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const WalkSettings settings = walk_settings(scenario, false);
  const Footprint footprint = walk(*scenario.vision.graph, settings);
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Bytes weights = footprint.parameters * settings.element + footprint.buffers;
  append_item(device, "weights.layers", Group::weights, Level::allocated, kImages, Band::exact(weights), "F-3.1",
              {{"parameters", footprint.parameters}, {"bytes", settings.element}});
  append_item(device, "activations.maps", Group::activations, Level::allocated, Phase::forward,
              times(footprint.tape.forward_peak, constants.factor(Constant::activation_inference)), "F-7.10",
              image_terms(scenario, settings.batch), constants.source(Constant::activation_inference));
  append_library_workspaces(scenario, shard, kImages, device);
  append_pytorch_context(scenario, shard, kImages, device);
  ledger.host.checkpoint = weights;
  if (!shard.gpus.empty() && shard.gpus.front() == 0) ledger.host.ram += Band{2 * kGiB, 4 * kGiB, 10 * kGiB};
}

void append_step(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const Framework& framework = framework_of(scenario.runtime);
  const WalkSettings settings = walk_settings(scenario, true);
  const Footprint footprint = walk(*scenario.vision.graph, settings);
  StepParts parts;
  parts.weights = footprint.parameters * settings.element + footprint.buffers;
  if (framework.moving_average) parts.average = parts.weights;
  parts.torch_1 = framework.torch_1;
  parts.images = image_terms(scenario, settings.batch);
  append_training_items(scenario, shard, settings, footprint, parts, device);
  append_library_workspaces(scenario, shard, kTrainingStep, device);
  append_allocator_items(scenario, shard, kTrainingStep, device);
  append_pytorch_context(scenario, shard, kTrainingStep, device);
  ledger.host.checkpoint = parts.weights;
  if (!shard.gpus.empty() && shard.gpus.front() == 0) ledger.host.ram += Band{4 * kGiB, 8 * kGiB, 24 * kGiB};
}

}  // namespace vram::vision
