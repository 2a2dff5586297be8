#include "core/model/imports/file_places.h"

#include <algorithm>
#include <array>

#include "core/base/number.h"
#include "core/format/storage_format.h"

namespace vram::imports {
namespace {

using Part = Place::Part;
using Share = Place::Share;

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <std::size_t N>
bool holds_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return holds(text, part); });
}

/// What tensor parallelism keeps whole on every card (as group_of() in core/model/stored_weights.cpp).
Share share_of(std::string_view suffix) {
  constexpr std::array kExperts = {std::string_view("_exps."), std::string_view(".experts.")};
  constexpr std::array kWhole = {
      std::string_view("norm"),      std::string_view("bias"),      std::string_view("gate_inp"),
      std::string_view("attn_q_a"),  std::string_view("attn_kv_a"), std::string_view("q_a_proj"),
      std::string_view("kv_a_proj"), std::string_view("ssm_a"),     std::string_view("ssm_d"),
      std::string_view("A_log"),     std::string_view("router"),    std::string_view(".gate.weight"),
      std::string_view("indexer"),   std::string_view("sinks")};
  if (holds_any(suffix, kExperts)) return Share::experts;
  return holds_any(suffix, kWhole) ? Share::replicated : Share::split;
}

/// "12.rest" -> 12 and "rest".
bool take_layer(std::string_view text, Place& place) {
  const std::size_t dot = text.find('.');
  std::uint64_t layer = 0;
  if (dot == std::string_view::npos || !parse_integer(text.substr(0, dot), layer) || layer >= 4096) return false;
  place.layer = static_cast<std::uint32_t>(layer);
  place.suffix = text.substr(dot + 1);
  place.share = share_of(text);  // with the dot in front
  return true;
}

Place in_part(Part part) {
  Place place;
  place.part = part;
  return place;
}

Place in_layer(std::string_view text, Part part, std::uint32_t layers) {
  Place place = in_part(part);
  if (!take_layer(text, place)) return in_part(Part::other);
  if (part == Part::layer && place.layer >= layers) {
    place.part = Part::mtp;
    place.layer -= layers;
  }
  return place;
}

void add(Stored& sum, const FileTensor& tensor) { sum += {tensor.elements, tensor.bytes}; }

void add(LayerWeights& layer, const FileTensor& tensor, Share share) {
  switch (share) {
    case Share::split: add(layer.split, tensor); break;
    case Share::replicated: add(layer.replicated, tensor); break;
    case Share::experts: add(layer.experts, tensor); break;
  }
  if (!tensor.quantised) return;
  layer.quantised_elements += tensor.elements;
  layer.quantised_bytes += tensor.bytes;
}

bool same(const LayerWeights& a, const LayerWeights& b) {
  const auto equal = [](const Stored& x, const Stored& y) { return x.elements == y.elements && x.bytes == y.bytes; };
  return equal(a.split, b.split) && equal(a.replicated, b.replicated) && equal(a.experts, b.experts) &&
         a.quantised_bytes == b.quantised_bytes && a.quantised_elements == b.quantised_elements;
}

std::vector<std::uint16_t> interned(const std::vector<LayerWeights>& layers, std::vector<LayerWeights>& kinds) {
  std::vector<std::uint16_t> order;
  for (const LayerWeights& layer : layers) {
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const LayerWeights& kind) { return same(kind, layer); });
    order.push_back(static_cast<std::uint16_t>(found - kinds.begin()));
    if (found == kinds.end()) kinds.push_back(layer);
  }
  return order;
}

/// The elements of each layer as the model's description has them.
void describe_elements(std::vector<LayerWeights>& layers, const std::vector<std::uint16_t>& order,
                       const StoredWeights& described) {
  for (std::size_t i = 0; i < layers.size() && i < order.size(); ++i) {
    const LayerWeights& kind = described.kinds[order[i]];
    layers[i].split.elements = kind.split.elements;
    layers[i].replicated.elements = kind.replicated.elements;
    layers[i].experts.elements = kind.experts.elements;
    layers[i].quantised_elements = layers[i].quantised_bytes ? kind.split.elements + kind.experts.elements : Count();
  }
}

}  // namespace

Place place_of_gguf(std::string_view name, std::uint32_t layers) {
  if (holds(name, "rope_freqs") || holds(name, "rope_factors")) return in_part(Part::none);
  if (name.starts_with("blk.")) return in_layer(name.substr(4), Part::layer, layers);
  if (name.starts_with("dec.blk.")) return in_layer(name.substr(8), Part::layer, layers);
  if (name.starts_with("enc.blk.")) return in_layer(name.substr(8), Part::encoder, layers);
  if (name.starts_with("v.") || name.starts_with("mm.") || name.starts_with("a.") || name.starts_with("resampler.")) {
    return in_part(Part::tower);
  }
  if (name == "token_embd.weight") return in_part(Part::token_embedding);
  if (name == "output.weight") return in_part(Part::output);
  if (name == "per_layer_token_embd.weight") return in_part(Part::per_layer_embedding);
  return in_part(Part::other);
}

Place place_of_checkpoint(std::string_view name, std::uint32_t layers, bool has_encoder) {
  constexpr std::array kTowers = {std::string_view("visual."),      std::string_view("vision_tower"),
                                  std::string_view("vision_model"), std::string_view("vision_embed"),
                                  std::string_view("audio_tower"),  std::string_view("multi_modal_projector"),
                                  std::string_view("mm_projector"), std::string_view("image_newline"),
                                  std::string_view("embed_vision"), std::string_view("vision_encoder"),
                                  std::string_view("patch_merger"), std::string_view("vision_language_adapter"),
                                  std::string_view("embed_audio")};
  if (holds(name, "rotary_emb") || holds(name, "inv_freq") || name.ends_with(".masked_bias"))
    return in_part(Part::none);
  if (holds_any(name, kTowers)) return in_part(Part::tower);
  if (name.starts_with("mtp.")) {
    Place place = in_part(Part::mtp);
    place.suffix = name.substr(4);
    place.share = share_of(name);
    return place;
  }
  constexpr std::array kLayerWords = {std::string_view("layers."), std::string_view("h."), std::string_view("layer."),
                                      std::string_view("blocks."), std::string_view("block.")};
  for (const std::string_view word : kLayerWords) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos || (at != 0 && name[at - 1] != '.')) continue;
    const std::string_view rest = name.substr(at + word.size());
    if (rest.empty() || rest[0] < '0' || rest[0] > '9') continue;
    const bool encoder = has_encoder && holds(name.substr(0, at), "encoder");
    return in_layer(rest, encoder ? Part::encoder : Part::layer, layers);
  }
  if (holds(name, "embed_tokens_per_layer")) return in_part(Part::per_layer_embedding);
  constexpr std::array kEmbeddings = {std::string_view("embed_tokens"),     std::string_view("wte."),
                                      std::string_view("word_embeddings."), std::string_view("embeddings.weight"),
                                      std::string_view("tok_embeddings"),   std::string_view("shared.weight"),
                                      std::string_view("embed_in."),        std::string_view("word_embedding.")};
  if (holds_any(name, kEmbeddings)) return in_part(Part::token_embedding);
  if (name.ends_with("lm_head.weight") || name.ends_with("embed_out.weight") || name == "output.weight" ||
      name.ends_with("output_layer.weight")) {
    return in_part(Part::output);
  }
  return in_part(Part::other);
}

StoredWeights stored_in_file(const std::vector<PlacedTensor>& tensors, const Model& model, bool packed) {
  StoredWeights stored;
  std::vector<LayerWeights> layers(model.order.size()), encoder(model.encoder.size()), mtp(model.mtp.size());
  for (const PlacedTensor& placed : tensors) {
    const FileTensor& tensor = *placed.tensor;
    const auto add_layer = [&](std::vector<LayerWeights>& list) {
      if (placed.place.layer < list.size()) {
        add(list[placed.place.layer], tensor, tensor.dimensions < 2 ? Share::replicated : placed.place.share);
      }
    };
    switch (placed.place.part) {
      case Part::layer: add_layer(layers); break;
      case Part::encoder: add_layer(encoder); break;
      case Part::mtp: add_layer(mtp); break;
      case Part::token_embedding: add(stored.token_embedding, tensor); break;
      case Part::output: add(stored.output, tensor); break;
      case Part::other: add(stored.other, tensor); break;
      case Part::tower: add(stored.towers, tensor); break;
      case Part::per_layer_embedding: add(stored.per_layer_embedding, tensor); break;
      case Part::none: break;
    }
  }
  if (packed) {
    const StoredWeights described = store(model, WeightFormat{}, quantiser_context(model));
    describe_elements(layers, described.order, described);
    describe_elements(encoder, described.encoder, described);
    describe_elements(mtp, described.mtp, described);
  }
  stored.order = interned(layers, stored.kinds);
  stored.encoder = interned(encoder, stored.kinds);
  stored.mtp = interned(mtp, stored.kinds);
  return stored;
}

}  // namespace vram::imports
