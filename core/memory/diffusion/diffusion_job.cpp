#include "core/memory/diffusion/diffusion_job.h"

#include "core/memory/context.h"
#include "core/memory/vision/training_items.h"
#include "core/memory/vision/walk.h"
#include "core/model/vision/program.h"

namespace vram::diffusion {
namespace {

using vision::append_item;
using vision::Footprint;
using vision::Pipeline;
using vision::WalkSettings;

constexpr Count kTile = 512;  ///< pixels of a tile's edge in tiled decoding (diffusers' default)

/// A component as stored; quantisation leaves what is no matrix in 16 bit, a share that does not show.
Bytes stored(const WeightFormat& format, Count parameters) {
  return mul_div(parameters, nominal_bits_x100(format), 800);
}

std::uint8_t element_bytes(const Scenario& scenario) { return scenario.weights.base == TensorType::f32 ? 4 : 2; }

/// What stands on the card in which phase.
struct Components {
  Bytes encoders, largest_encoder, denoiser, second, vae;
};

Components components_of(const Scenario& scenario) {
  const Pipeline& pipeline = *scenario.model->pipeline;
  const VisionSettings& images = scenario.vision;
  Components parts;
  for (const vision::TextEncoder& encoder : pipeline.encoders) {
    const Bytes bytes = encoder.fp32 ? encoder.parameters * 4 : stored(images.encoder_weights, encoder.parameters);
    parts.encoders += bytes;
    parts.largest_encoder = max(parts.largest_encoder, bytes);
  }
  parts.encoders += pipeline.vision_encoder * 2;
  parts.denoiser = stored(scenario.weights, pipeline.denoiser_parameters);
  parts.second = stored(scenario.weights, pipeline.second_denoiser);
  parts.vae = pipeline.vae_parameters * (pipeline.vae_fp32 ? Count(4) : Count(element_bytes(scenario)));
  return parts;
}

Count latent_frames(const Scenario& scenario) {
  const Pipeline& pipeline = *scenario.model->pipeline;
  const Count frames = max(scenario.vision.frames, 1);
  return (frames - 1) / pipeline.shrink_time + 1;
}

WalkSettings latent_settings(const Scenario& scenario, bool training, Count batch) {
  const Pipeline& pipeline = *scenario.model->pipeline;
  WalkSettings settings;
  settings.batch = batch;
  settings.height = max(scenario.vision.image_height / pipeline.shrink, 1);
  settings.width = max(scenario.vision.image_width / pipeline.shrink, 1);
  settings.frames = latent_frames(scenario);
  settings.training = training;
  settings.element = element_bytes(scenario);
  settings.text_tokens = scenario.vision.text_tokens;
  if (!settings.text_tokens) {
    for (const vision::TextEncoder& encoder : pipeline.encoders) {
      settings.text_tokens = max(settings.text_tokens, encoder.tokens);
    }
  }
  return settings;
}

Terms image_terms(const Scenario& scenario, Count batch) {
  return {{"images", batch},
          {"height", scenario.vision.image_height},
          {"width", scenario.vision.image_width},
          {"frames", scenario.vision.frames}};
}

/// Layers a denoiser offloads one by one.
Count layers_of(const Footprint& footprint) { return max(footprint.units, 1); }

/// Hidden states of one encoder layer for conditional and unconditional prompts (F-5.1).
Bytes encoder_activations(const Scenario& scenario, Count prompts) {
  Bytes largest;
  for (const vision::TextEncoder& encoder : scenario.model->pipeline->encoders) {
    const Count tokens = scenario.vision.text_tokens ? scenario.vision.text_tokens : encoder.tokens;
    largest = max(largest, prompts * tokens * (2 * encoder.hidden + 3 * encoder.ffn) * (encoder.fp32 ? 4 : 2));
  }
  return largest;
}

}  // namespace

void append_run(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const Pipeline& pipeline = *scenario.model->pipeline;
  const VisionSettings& images = scenario.vision;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Components parts = components_of(scenario);
  const Count batch = scenario.inference.sequences;
  const Count guided = pipeline.doubles_guidance ? batch * 2 : batch;

  WalkSettings settings = latent_settings(scenario, false, guided);
  const Footprint denoise = vision::walk(*images.denoiser, settings);
  const auto add = [&device](const char* id, Group group, Phases phases, const Band& bytes, const Terms& terms,
                             const char* formula = "F-12.1", const char* source = "") {
    append_item(device, id, group, Level::allocated, phases, bytes, formula, terms, source);
  };
  const Phases everywhere = kMaking;
  const bool whole = images.offload == ComponentOffload::none;
  const bool drops_encoders = !whole || images.text_encoder == TextEncoder::offload;
  const Phases encoding = {Phase::load, Phase::encode_text};
  // A component that is offloaded whole is alone on the card; in pieces, two layers of it are there at a time.
  const bool pieces = images.offload == ComponentOffload::group || images.offload == ComponentOffload::sequential;
  const Count layers = layers_of(denoise);
  const Bytes denoiser = pieces ? ceil_div(parts.denoiser * 2, layers) : parts.denoiser;
  const Bytes encoders = whole    ? parts.encoders
                         : pieces ? ceil_div(parts.largest_encoder * 2, 24)
                                  : parts.largest_encoder;
  add("weights.encoders", Group::weights, drops_encoders ? encoding : everywhere, Band::exact(encoders), {});
  add("weights.denoiser", Group::weights, whole ? everywhere : Phases(Phase::denoise),
      Band::exact(denoiser + (whole ? parts.second : Bytes())), {{"parameters", pipeline.denoiser_parameters}});
  add("weights.vae", Group::weights, whole ? everywhere : Phases(Phase::vae_decode), Band::exact(parts.vae),
      {{"parameters", pipeline.vae_parameters}});

  const Factor& factor = constants.factor(Constant::activation_inference);
  const char* const source = constants.source(Constant::activation_inference);
  add("activations.text", Group::activations, Phase::encode_text, times(encoder_activations(scenario, guided), factor),
      {{"prompts", guided}}, "F-5.1", source);
  add("activations.denoise", Group::activations, Phase::denoise, times(denoise.tape.forward_peak, factor),
      image_terms(scenario, guided), "F-12.3", source);
  if (images.decoder) {
    settings.batch = batch;
    settings.element = pipeline.vae_fp32 ? 4 : settings.element;
    if (images.vae_tiling) {
      settings.height = min(settings.height, max(kTile / pipeline.shrink, 1));
      settings.width = min(settings.width, max(kTile / pipeline.shrink, 1));
      settings.batch = 1;
    }
    const Footprint decode = vision::walk(*images.decoder, settings);
    Bytes bytes = decode.tape.forward_peak;
    // The tiles' results wait for the others.
    if (images.vae_tiling) {
      bytes += 2 * batch * 3 * images.image_height * images.image_width * max(images.frames, 1) * settings.element;
    }
    add("activations.decode_image", Group::activations, Phase::vae_decode, times(bytes, factor),
        image_terms(scenario, settings.batch), "F-12.4", source);
  }
  vision::append_library_workspaces(scenario, shard, everywhere, device);
  vision::append_allocator_items(scenario, shard, everywhere, device);
  append_pytorch_context(scenario, shard, everywhere, device);
  const Bytes all = parts.encoders + parts.denoiser + parts.second + parts.vae;
  ledger.host.checkpoint = all;
  if (!shard.gpus.empty() && shard.gpus.front() == 0) {
    const Bytes resting = whole ? Bytes() : all;
    ledger.host.ram += Band{2 * kGiB + resting, 4 * kGiB + resting, 10 * kGiB + resting};
  }
}

void append_step(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const TrainingSettings& step = scenario.training;
  const VisionSettings& images = scenario.vision;
  const Components parts = components_of(scenario);
  WalkSettings settings = latent_settings(scenario, true, step.batch);
  settings.autocast = step.autocast && settings.element == 4;
  settings.checkpointing = step.checkpointing != Checkpointing::none;
  settings.accumulates = step.accumulation > Count(1);
  if (is_adapter_training(scenario.task)) {
    settings.frozen = true;
    settings.adapter_rank = step.lora_rank;
    settings.adapter_element = static_cast<std::uint8_t>(step.adapter_bytes.value());
  }
  const Footprint footprint = vision::walk(*images.denoiser, settings);
  vision::StepParts into;
  into.weights = settings.frozen ? parts.denoiser : footprint.parameters * settings.element;
  if (!images.cached_latents) into.resident = parts.vae + parts.encoders;
  into.images = image_terms(scenario, settings.batch);
  vision::append_training_items(scenario, shard, settings, footprint, into, device);
  vision::append_library_workspaces(scenario, shard, kTrainingStep, device);
  vision::append_allocator_items(scenario, shard, kTrainingStep, device);
  append_pytorch_context(scenario, shard, kTrainingStep, device);
  ledger.host.checkpoint = into.weights + into.resident;
  if (!shard.gpus.empty() && shard.gpus.front() == 0) ledger.host.ram += Band{4 * kGiB, 8 * kGiB, 24 * kGiB};
}

}  // namespace vram::diffusion
