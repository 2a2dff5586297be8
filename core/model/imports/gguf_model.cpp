#include "core/model/imports/gguf_model.h"

#include <algorithm>
#include <array>

#include "core/format/storage_format.h"
#include "core/model/fields.h"
#include "core/model/file_weights.h"
#include "core/model/imports/families.h"
#include "core/model/imports/gguf_layer.h"
#include "core/model/limits.h"
#include "core/model/read_parts.h"
#include "core/model/tensors.h"

namespace vram::imports {
namespace {

constexpr std::string_view kProjector = "clip";  ///< general.architecture of an mmproj file

Error missing(std::string what, std::string remedy) {
  return {ErrorCode::missing_field, std::move(what), "", std::move(remedy), 0};
}

/// All tensors of a model with their places, its numbers from the first part.
struct Source {
  const Gguf* head = nullptr;
  std::string architecture;
  std::uint32_t layers = 0;  ///< without those that predict further tokens
  std::vector<PlacedTensor> tensors;

  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t fallback = 0) const {
    return head->number(architecture + "." + std::string(key), fallback);
  }
  [[nodiscard]] bool has(std::string_view key) const {
    return head->find(architecture + "." + std::string(key)) != nullptr;
  }
  [[nodiscard]] const FileTensor* find(std::string_view name) const {
    for (const PlacedTensor& placed : tensors) {
      if (placed.tensor->name == name) return placed.tensor;
    }
    return nullptr;
  }
};

/// Which layers see a window: a list of flags, every n-th, or what the architecture's class does.
std::vector<bool> windowed(const Source& source, std::size_t layers, Imported& result) {
  std::vector<bool> local(layers, false);
  const std::string window = std::to_string(source.number("attention.sliding_window"));
  const GgufValue* pattern = source.head->find(source.architecture + ".attention.sliding_window_pattern");
  if (pattern != nullptr && pattern->is_list) {
    for (std::size_t i = 0; i < layers && i < pattern->list.size(); ++i) local[i] = pattern->list[i] != 0;
    return local;
  }
  std::uint64_t every = pattern != nullptr ? pattern->number : 0;
  const Family* family = family_of_gguf(source.architecture);
  if (every == 0 && family != nullptr) every = family->windows_every;
  if (every == 0) {
    result.assumed.push_back({"window_unused", window});
    return local;
  }
  for (std::size_t i = 0; i < layers; ++i) local[i] = (i + 1) % every != 0;
  return local;
}

void read_outer(const Source& source, Model& model) {
  const FileTensor* embedding = source.find("token_embd.weight");
  if (embedding != nullptr && embedding->dimensions == 2) {
    model.vocab = min(embedding->shape[1], limits::kVocab);
    if (Count(embedding->shape[0]) != model.hidden) model.embedding_dim = min(embedding->shape[0], limits::kWidth);
  }
  model.context_max = min(source.number("context_length"), limits::kTokens);
  model.tied = source.find("output.weight") == nullptr;
  model.output_bias = source.find("output.bias") != nullptr;
  if (const FileTensor* positions = source.find("position_embd.weight")) {
    model.positions = min(positions->shape[1], limits::kTokens);
  }
  if (const FileTensor* types = source.find("token_types.weight"))
    model.token_types = min(types->shape[1], limits::kVocab);
  model.embedding_norm = source.find("token_embd_norm.weight") != nullptr;
  model.final_norm = source.find("output_norm.weight") != nullptr || source.find("dec.output_norm.weight") != nullptr;
  const bool causal = source.number("attention.causal", 1) != 0;
  const GgufValue* pooling = source.head->find(source.architecture + ".pooling_type");
  if (!causal || (pooling != nullptr && pooling->number != 0)) {
    model.kind = ModelKind::embedding;
    model.has_output = false;
    model.tied = false;
  }
}

NormKind norm_of(const Source& source) {
  if (source.has("attention.layer_norm_rms_epsilon")) return NormKind::rms;
  bool weight = false, bias = false;
  for (const PlacedTensor& placed : source.tensors) {
    const std::string_view name = placed.tensor->name;
    if (name.ends_with("norm.weight")) weight = true;
    if (name.ends_with("norm.bias")) bias = true;
  }
  return bias ? NormKind::layer : weight ? NormKind::layer_no_bias : NormKind::none;
}

void apply_class(const Source& source, Model& model, Imported& result) {
  const Family* family = family_of_gguf(source.architecture);
  if (family == nullptr) {
    result.assumed.push_back({"architecture", source.architecture});
    return;
  }
  const auto facts = json::parse(family->facts);
  if (!facts) return;
  const auto flag = [&](std::string_view key) {
    const json::Value* value = facts->find(key);
    return value != nullptr && value->boolean();
  };
  model.post_norms = flag("norm_plus_one");
  model.parallel_block = flag("parallel_block");
  model.final_softcap = flag("logit_softcap");
  const json::Value* activation = facts->find("activation");
  Activation act = Activation::silu;
  for (const Word<Activation>& word : model_fields::kActivations) {
    if (activation != nullptr && activation->text() == word.word) act = word.value;
  }
  for (Layer& kind : model.kinds) {
    if (auto* attention = std::get_if<Attention>(&kind.mixer)) attention->softcap = flag("softcap");
    if (auto* mlp = std::get_if<Mlp>(&kind.feed_forward)) mlp->activation = act;
    if (auto* experts = std::get_if<Experts>(&kind.feed_forward)) experts->activation = act;
  }
}

void read_layers(const Source& source, Model& model, Imported& result) {
  std::vector<GgufLayer> layers, encoder, mtp;
  for (std::uint32_t i = 0; i < source.layers; ++i) layers.emplace_back(*source.head, source.architecture, i);
  const auto add = [&](std::vector<GgufLayer>& list, const PlacedTensor& placed, std::uint32_t first) {
    while (list.size() <= placed.place.layer && list.size() < 4096) {
      list.emplace_back(*source.head, source.architecture, first + static_cast<std::uint32_t>(list.size()));
    }
    if (placed.place.layer < list.size()) list[placed.place.layer].add(*placed.tensor, placed.place.suffix);
  };
  for (const PlacedTensor& placed : source.tensors) {
    if (placed.place.part == Place::Part::layer) add(layers, placed, 0);
    if (placed.place.part == Place::Part::encoder) add(encoder, placed, 0);
    if (placed.place.part == Place::Part::mtp) add(mtp, placed, source.layers);
  }
  const Count window = source.number("attention.sliding_window");
  const std::vector<bool> local = window ? windowed(source, layers.size(), result) : std::vector<bool>(layers.size());
  const bool causal = model.kind != ModelKind::embedding || source.number("attention.causal", 1) != 0;
  const auto append = [&](const std::vector<GgufLayer>& list, std::vector<std::uint16_t>& order, bool sees_all) {
    for (const GgufLayer& tensors : list) {
      Layer layer = layer_of_gguf(tensors, model);
      if (auto* attention = std::get_if<Attention>(&layer.mixer)) {
        attention->causal = causal && !sees_all;
        if (!sees_all && tensors.index() < local.size() && local[tensors.index()]) attention->window = window;
      }
      order.push_back(intern(model, layer));
    }
  };
  append(encoder, model.encoder, true);
  append(layers, model.order, false);
  append(mtp, model.mtp, false);
}

/// A projector file's tower: its transformer from the metadata, the rest as small tensors.
void read_projector(const Gguf& file, Model& model) {
  Tower tower;
  const std::string prefix = file.find("clip.vision.embedding_length") != nullptr ? "clip.vision." : "clip.audio.";
  const auto number = [&](std::string_view key, Count most) {
    return min(file.number(prefix + std::string(key)), most);
  };
  if (prefix == "clip.audio.") tower.kind = Tower::Kind::audio;
  tower.hidden = number("embedding_length", limits::kWidth);
  tower.layers = number("block_count", limits::kLayers);
  tower.heads = number("attention.head_count", limits::kHeads);
  tower.ffn = number("feed_forward_length", limits::kWidth);
  tower.patch = number("patch_size", limits::kPixels);
  tower.image = number("image_size", limits::kPixels);
  tower.patch_bias = false;
  tower.bias = false;
  Count elements;
  for (const FileTensor& tensor : file.tensors) {
    elements += tensor.elements;
    if (tensor.name.find("ffn_gate.weight") != std::string::npos) tower.gated = true;
    if (tensor.name.ends_with("ffn_up.bias") || tensor.name.ends_with("ffn_down.bias")) tower.bias = true;
  }
  count_tower(tower);
  tower.other_parameters = elements - tower.parameters;
  model.towers.push_back(std::move(tower));
  if (model.kind == ModelKind::language) model.kind = ModelKind::vision_language;
}

/// What the description of everything outside the layers does not explain.
void add_outer_rest(const Source& source, Model& model) {
  std::vector<Tensor> tensors;
  append_outer_tensors(model, tensors);
  Count described, stored;
  for (const Tensor& tensor : tensors) described += tensor.elements();
  for (const PlacedTensor& placed : source.tensors) {
    const Place::Part part = placed.place.part;
    const bool outer = part == Place::Part::token_embedding || part == Place::Part::output ||
                       part == Place::Part::other || part == Place::Part::per_layer_embedding;
    if (outer) stored += placed.tensor->elements;
  }
  model.extra_parameters = stored - described;
}

void report_rest(const Model& model, std::vector<Assumption>& assumed) {
  Count rest = model.extra_parameters;
  for (const std::uint16_t kind : model.order) rest += model.kinds[kind].extra_parameters;
  if (rest * 1000 > model.parameters) assumed.push_back({"rest", std::to_string(rest.value())});
}

Result<Source> source_of(const std::vector<Gguf>& files) {
  Source source;
  std::uint64_t parts = 0, expected = 1;
  for (const Gguf& file : files) {
    if (file.text("general.architecture") == kProjector) continue;
    ++parts;
    expected = std::max(expected, file.number("split.count", 1));
    // The first part holds all metadata; the others the tensors alone.
    if (source.head == nullptr || !file.text("general.architecture").empty()) source.head = &file;
  }
  if (source.head == nullptr) return missing("model", "the model's own file beside its projector");
  if (parts < expected) {
    return missing("split.count", std::to_string(expected) + " parts, " + std::to_string(parts) + " given");
  }
  source.architecture = source.head->text("general.architecture");
  if (source.architecture.empty()) return missing("general.architecture", "a model's file");
  const std::uint64_t blocks = source.number("block_count");
  const std::uint64_t predicting = source.number("nextn_predict_layers");
  if (blocks == 0 || Count(blocks) > limits::kLayers) {
    return Error{ErrorCode::out_of_range, source.architecture + ".block_count", std::to_string(blocks),
                 "1 to " + std::to_string(limits::kLayers.value()), 0};
  }
  source.layers = static_cast<std::uint32_t>(blocks - std::min(predicting, blocks - 1));
  for (const Gguf& file : files) {
    if (file.text("general.architecture") == kProjector) continue;
    for (const FileTensor& tensor : file.tensors) {
      const Place place = place_of_gguf(tensor.name, source.layers);
      if (place.part != Place::Part::none) source.tensors.push_back({&tensor, place});
    }
  }
  return source;
}

}  // namespace

std::string weights_of_file_type(std::uint64_t file_type) {
  // enum llama_ftype (llama.cpp/include/llama.h).
  struct Row {
    std::uint64_t id;
    std::string_view name;
  };
  constexpr std::array kRows = {
      Row{0, "gguf_f32"}, Row{1, "gguf_f16"}, Row{2, "q4_0"},      Row{3, "q4_1"},    Row{7, "q8_0"},
      Row{8, "q5_0"},     Row{9, "q5_1"},     Row{10, "q2_k"},     Row{11, "q3_k_s"}, Row{12, "q3_k_m"},
      Row{13, "q3_k_l"},  Row{14, "q4_k_s"},  Row{15, "q4_k_m"},   Row{16, "q5_k_s"}, Row{17, "q5_k_m"},
      Row{18, "q6_k"},    Row{19, "iq2_xxs"}, Row{20, "iq2_xs"},   Row{21, "q2_k_s"}, Row{22, "iq3_xs"},
      Row{23, "iq3_xxs"}, Row{24, "iq1_s"},   Row{25, "iq4_nl"},   Row{26, "iq3_s"},  Row{27, "iq3_m"},
      Row{28, "iq2_s"},   Row{29, "iq2_m"},   Row{30, "iq4_xs"},   Row{31, "iq1_m"},  Row{32, "gguf_bf16"},
      Row{36, "tq1_0"},   Row{37, "tq2_0"},   Row{38, "mxfp4_moe"}};
  for (const Row& row : kRows) {
    if (row.id == file_type) return std::string(row.name);
  }
  return {};
}

Result<Imported> model_of_gguf(const std::vector<Gguf>& files) {
  auto found = source_of(files);
  if (!found) return found.error();
  const Source& source = *found;
  Imported result;
  result.gguf = true;
  Model& model = result.model;
  model.hidden = min(source.number("embedding_length"), limits::kWidth);
  if (!model.hidden) return missing(source.architecture + ".embedding_length", "the width of the model");
  model.name = source.head->text("general.name");
  if (model.name.empty()) model.name = source.architecture;
  model.id = model.name;
  read_outer(source, model);
  if (!model.vocab) return missing("token_embd.weight", "a model's file");
  model.norm = norm_of(source);
  read_layers(source, model, result);
  apply_class(source, model, result);
  add_outer_rest(source, model);

  Stored towers;
  for (const Gguf& file : files) {
    result.assumed.reserve(8);
    if (file.unknown_types != 0) result.assumed.push_back({"unknown_types", std::to_string(file.unknown_types)});
    if (file.text("general.architecture") != kProjector) continue;
    read_projector(file, model);
    for (const FileTensor& tensor : file.tensors) towers += {tensor.elements, tensor.bytes};
  }
  derive_tensors(model);
  if (model.parameters > limits::kParameters) {
    return Error{ErrorCode::too_large, "", "", std::to_string(limits::kParameters.value()) + " parameters", 0};
  }
  report_rest(model, result.assumed);

  const GgufValue* type = source.head->find("general.file_type");
  if (type != nullptr) result.weights = weights_of_file_type(type->number);
  if (result.weights.empty()) {
    result.weights = "q4_k_m";
    result.assumed.push_back({"file_type", result.weights});
  }
  auto weights = std::make_shared<FileWeights>();
  weights->format = result.weights;
  weights->stored = stored_in_file(source.tensors, model, false);
  weights->stored.towers += towers;
  complete_file_weights(model, weights->stored);
  model.file_weights = std::move(weights);
  return result;
}

}  // namespace vram::imports
