// Sizes of images, heads and pipelines, and the graphs that follow from them.
#include "core/scenario/resolve_steps.h"

namespace vram::steps {
namespace {

bool is_plain(const WeightFormat& format) {
  return format.scheme == WeightScheme::plain && format.base <= TensorType::bf16;
}

std::optional<Error> resolve_pipeline(const vision::Pipeline& pipeline, VisionSettings& images) {
  const auto fill = [](const std::shared_ptr<const vision::Program>& program,
                       std::shared_ptr<const vision::Graph>& graph) -> std::optional<Error> {
    if (!program) return std::nullopt;
    auto flat = vision::flatten(*program, 0);
    if (!flat) return flat.error();
    graph = std::make_shared<const vision::Graph>(std::move(*flat));
    return std::nullopt;
  };
  if (auto error = fill(pipeline.denoiser, images.denoiser)) return error;
  if (auto error = fill(pipeline.decoder, images.decoder)) return error;
  return fill(pipeline.vae_encoder, images.encoder);
}

}  // namespace

/// Sizes of images and heads; a lone height is that of a square.
std::optional<Error> resolve_images(const Request& request, Scenario& scenario) {
  const Model& model = *scenario.model;
  VisionSettings& images = scenario.vision;
  const std::uint64_t height = model.image.value();
  const std::uint64_t width = model.image_width ? model.image_width.value() : height;
  images.image_height = request.integer(Field::image_height, request.integer(Field::image_width, height));
  images.image_width = request.integer(Field::image_width, request.integer(Field::image_height, width));
  images.frames = request.integer(Field::frames, max(model.frames, 1).value());
  images.classes = request.integer(Field::classes, model.classes.value());
  images.text_encoder = request.choice(Field::text_encoder, TextEncoder::keep);
  images.vae_tiling = request.flag(Field::vae_tiling);
  images.offload = request.choice(Field::component_offload, ComponentOffload::none);
  images.cached_latents = request.flag(Field::cached_latents, true);
  images.text_tokens = request.integer(Field::text_tokens, 0);
  // Quantised denoisers keep their text encoders in 16 bit unless told otherwise.
  images.encoder_weights = is_plain(scenario.weights) ? scenario.weights : *parse_weight_format("bf16");
  if (request.has(Field::encoder_weights)) {
    images.encoder_weights = *parse_weight_format(request.text(Field::encoder_weights));
  }
  if (model.pipeline) return resolve_pipeline(*model.pipeline, images);
  if (!model.program) return std::nullopt;
  auto graph = vision::flatten(*model.program, static_cast<std::int64_t>(images.classes.value()));
  if (!graph) return graph.error();
  images.graph = std::make_shared<const vision::Graph>(std::move(*graph));
  return std::nullopt;
}

}  // namespace vram::steps
