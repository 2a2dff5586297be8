// The `pipeline` of a diffusion model.
#include "core/model/limits.h"
#include "core/model/read_parts.h"

namespace vram {
namespace {

void read_encoder(const json::Value& value, const std::string& path, ReadState& state, vision::Pipeline& pipeline) {
  ObjectReader object(value, path, state);
  vision::TextEncoder encoder;
  object.require("params");
  object.count("params", encoder.parameters, 0, limits::kParameters);
  object.count("hidden", encoder.hidden, 0, limits::kWidth);
  object.count("ffn", encoder.ffn, 4 * encoder.hidden, limits::kWidth);
  object.count("tokens", encoder.tokens, 77, limits::kTokens);
  object.flag("fp32", encoder.fp32, false);
  object.finish();
  pipeline.encoders.push_back(encoder);
}

void read_part(ObjectReader& parent, std::string_view key, const std::shared_ptr<const vision::Library>& library,
               std::shared_ptr<const vision::Program>& program) {
  const json::Value* const value = parent.take(key);
  if (value == nullptr || !parent.ok()) return;
  ObjectReader object(*value, parent.path_of(key), parent.state());
  const json::Value* const graph = object.take("graph");
  const json::Value* const set = object.take("set");
  object.finish();
  if (graph == nullptr) return object.fail(ErrorCode::missing_field, "graph", nullptr, "");
  auto read = vision::read_program(*graph, set, library, object.path_of(""));
  if (read) {
    program = std::move(*read);
  } else if (parent.ok()) {
    parent.state().error = read.error();
  }
}

}  // namespace

bool read_pipeline(ObjectReader& parent, const std::shared_ptr<const vision::Library>& library, Model& model) {
  const json::Value* const value = parent.take("pipeline");
  if (value == nullptr || !parent.ok()) return false;
  ObjectReader object(*value, parent.path_of("pipeline"), parent.state());
  auto pipeline = std::make_shared<vision::Pipeline>();
  if (const json::Value* const encoders = object.take("encoders")) {
    if (!object.expect("encoders", *encoders, json::Kind::array)) return true;
    for (std::size_t i = 0; i < encoders->items().size() && object.ok(); ++i) {
      read_encoder(encoders->items()[i], object.path_of("encoders[" + std::to_string(i) + "]"), object.state(),
                   *pipeline);
    }
  }
  read_part(object, "denoiser", library, pipeline->denoiser);
  read_part(object, "decoder", library, pipeline->decoder);
  read_part(object, "encoder", library, pipeline->vae_encoder);
  object.require("denoiser");
  object.count("denoiser_params", pipeline->denoiser_parameters, 0, limits::kParameters);
  object.count("vae_params", pipeline->vae_parameters, 0, limits::kParameters);
  object.count("latent_channels", pipeline->latent_channels, 4, limits::kWidth, 1);
  object.count("shrink", pipeline->shrink, 8, limits::kPixels, 1);
  object.count("shrink_time", pipeline->shrink_time, 1, limits::kPixels, 1);
  object.count("second_denoiser", pipeline->second_denoiser, 0, limits::kParameters);
  object.count("vision_encoder", pipeline->vision_encoder, 0, limits::kParameters);
  object.flag("guidance", pipeline->doubles_guidance, true);
  object.flag("vae_fp32", pipeline->vae_fp32, false);
  object.finish();
  model.parameters = model.published_parameters;
  model.pipeline = std::move(pipeline);
  return true;
}

}  // namespace vram
