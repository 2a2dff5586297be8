// Vision towers of config.json: what each class builds around the numbers it states.
#include "core/model/imports/hf_parts.h"

namespace vram::imports {
namespace {

json::Value projection(Count in, Count out, bool bias, Count count = 1) {
  json::Value value = json::Value::object();
  value.set("in", in).set("out", out);
  if (!bias) value.set("bias", false);
  if (count != Count(1)) value.set("count", count);
  return value;
}

json::Value list_of(std::initializer_list<json::Value> items) {
  json::Value list = json::Value::array();
  for (const json::Value& item : items) list.push(item);
  return list;
}

/// The numbers that every tower has.
json::Value transformer(const ConfigView& vision) {
  json::Value tower = json::Value::object();
  tower.set("hidden", vision.count("embed_dim hidden_size"));
  tower.set("layers", vision.count("num_hidden_layers depth"));
  tower.set("heads", vision.count("num_attention_heads num_heads attention_heads"));
  const Count ffn = vision.count("intermediate_size");
  tower.set("ffn", ffn ? ffn : vision.count("embed_dim hidden_size") * vision.count("mlp_ratio", 4));
  set_count(tower, "patch", vision.count("patch_size spatial_patch_size"));
  set_count(tower, "image", vision.count("image_size"));
  return tower;
}

/// LLaVA's projector: two linear layers between the widths.
json::Value two_layers(Count in, Count out, bool bias) {
  return list_of({projection(in, out, bias), projection(out, out, bias)});
}

Count patches(const ConfigView& vision) {
  const Count side = vision.count("image_size") / vision.count("patch_size", 1);
  return side * side;
}

json::Value clip(const ConfigView& vision, Count text_hidden) {
  json::Value tower = transformer(vision);
  const Count hidden = vision.count("hidden_size");
  tower.set("cls_token", true).set("positions", patches(vision) + 1).set("patch_bias", false).set("input_norm", true);
  tower.set("projector", two_layers(hidden, text_hidden, true)).set("image_tokens", patches(vision));
  return tower;
}

/// Gemma 3 averages SigLIP's patches down to `mm_tokens_per_image`; others project each.
json::Value siglip(const ConfigView& top, const ConfigView& vision, Count text_hidden) {
  json::Value tower = transformer(vision);
  const Count hidden = vision.count("hidden_size");
  tower.set("positions", patches(vision));
  if (const Count tokens = top.count("mm_tokens_per_image")) {
    tower.set("projector", list_of({projection(hidden, text_hidden, false)}));
    tower.set("projector_norms", hidden).set("image_tokens", tokens);
  } else {
    tower.set("projector", list_of({projection(hidden, text_hidden, true)}));
  }
  return tower;
}

json::Value pixtral(const ConfigView& top, const ConfigView& vision, Count text_hidden) {
  json::Value tower = transformer(vision);
  const Count hidden = vision.count("hidden_size");
  tower.set("gated", true).set("bias", false).set("norm", "rmsnorm").set("patch_bias", false);
  tower.set("input_norm", true).set("output_norm", false);
  if (const Count merge = top.count("spatial_merge_size")) {
    tower.set("spatial_merge", merge);
    const bool bias = top.flag("multimodal_projector_bias");
    tower.set("projector",
              list_of({projection(hidden * merge * merge, hidden, false), projection(hidden, text_hidden, bias),
                       projection(text_hidden, text_hidden, bias)}));
    tower.set("projector_norms", hidden);
  } else {
    tower.set("projector", two_layers(hidden, text_hidden, true));
  }
  return tower;
}

/// Qwen2-VL to Qwen3.5: patches over two frames, a merger of 2 x 2 patches; Qwen3-VL taps further layers ("deepstack").
json::Value qwen(const ConfigView& vision, Count text_hidden, std::string_view type) {
  json::Value tower = transformer(vision);
  // Qwen2-VL calls the language model's width hidden_size and its own embed_dim.
  const Count hidden = vision.count("embed_dim hidden_size");
  const Count merge = vision.count("spatial_merge_size", 2);
  const Count merged = hidden * merge * merge;
  tower.set("temporal_patch", vision.count("temporal_patch_size", 2)).set("spatial_merge", merge);
  tower.set("output_norm", false);
  const Count positions = vision.count("num_position_embeddings");
  const Count taps = vision.list("deepstack_visual_indexes").size();
  set_count(tower, "positions", positions);
  if (!positions) tower.set("patch_bias", false);
  const bool second = type == "qwen2_5_vl";
  if (second) tower.set("gated", true).set("norm", "rmsnorm");
  const Count out = vision.count("out_hidden_size", text_hidden);
  tower.set("projector",
            list_of({projection(merged, merged, true, taps + 1), projection(merged, out, true, taps + 1)}));
  tower.set("projector_norms", (second ? hidden : hidden * 2) + taps * merged * 2);
  return tower;
}

/// Llama 3.2 Vision: local and gated global layers, positions and tiles with gates (modeling_mllama.py).
json::Value mllama(const ConfigView& vision, Count text_hidden) {
  json::Value tower = transformer(vision);
  const Count hidden = vision.count("hidden_size");
  const Count global = vision.count("num_global_layers", 8);
  const Count layers = vision.count("num_hidden_layers") + global;
  const Count ffn = vision.count("intermediate_size");
  const Count tiles = vision.count("max_num_tiles", 4);
  const Count ratios = vision.count("max_aspect_ratio_id", 8) + 1;
  const Count positions = patches(vision) + 1;
  tower.replace("layers", layers);
  tower.set("bias", false).set("cls_token", true).set("positions", positions).set("patch_bias", false);
  tower.set("input_norm", true);
  const Count gates = global * 2 + 3;
  tower.set("other_params", layers * (ffn + hidden) + gates + ratios * tiles * hidden * (positions + 2));
  tower.set("projector", list_of({projection(vision.count("vision_output_dim", hidden * 6), text_hidden, true)}));
  return tower;
}

}  // namespace

void add_vision(const ConfigView& top, const ConfigView& text, json::Value& entry, std::vector<Assumption>& assumed) {
  if (top.object("audio_config") != nullptr) assumed.push_back({"tower", "audio"});
  const json::Value* object = top.object("vision_config");
  if (object == nullptr) return;
  const std::string_view parent = top.text("model_type");
  std::string_view type = ConfigView(*object).text("model_type");
  if (type.empty() || parent.starts_with("qwen")) type = parent;
  const ConfigView vision(*object, defaults_of(type));
  const Count width = text.count("hidden_size n_embd d_model");
  entry.replace("kind", "vision-language");
  if (type == "clip_vision_model") {
    entry.set("vision", clip(vision, width));
  } else if (type == "siglip_vision_model" || parent == "gemma3") {
    entry.set("vision", siglip(top, vision, width));
  } else if (type == "pixtral") {
    entry.set("vision", pixtral(top, vision, width));
  } else if (type.starts_with("qwen")) {
    entry.set("vision", qwen(vision, width, type));
  } else if (parent == "mllama") {
    entry.set("vision", mllama(vision, width));
  } else {
    assumed.push_back({"tower", std::string(type.empty() ? "vision" : type)});
  }
  if (vision.used_default()) assumed.push_back({"class_defaults", std::string(type)});
}

}  // namespace vram::imports
