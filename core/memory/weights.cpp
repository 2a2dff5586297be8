#include "core/memory/weights.h"

#include <algorithm>

namespace vram {
namespace {

constexpr Stored divided(Stored stored, Count parts) {
  return {ceil_div(stored.elements, parts), ceil_div(stored.bytes, parts)};
}

}  // namespace

WeightParts weight_parts(const Scenario& scenario, const Shard& shard, const WeightPlacement& placement) {
  const StoredWeights& stored = *scenario.stored;
  Stored split, replicated, experts;
  const auto add = [&](const LayerWeights& layer) {
    split += layer.split;
    replicated += layer.replicated;
    experts += layer.experts;
  };
  const std::size_t end = std::min<std::size_t>(shard.layer_end, stored.order.size());
  for (std::size_t i = shard.first_layer; i < end; ++i) add(stored.kinds[stored.order[i]]);
  if (shard.encoder) {
    for (const std::uint16_t kind : stored.encoder) add(stored.kinds[kind]);
  }

  WeightParts parts;
  parts.layers = divided(split, placement.tensor) + replicated;
  if (placement.experts) parts.experts = divided(experts, max(placement.tensor, placement.expert));
  const bool holds_embedding = shard.embedding && placement.embedding;
  if (holds_embedding) parts.embedding += divided(stored.token_embedding, placement.tensor);
  if (shard.embedding && placement.per_layer_embedding) parts.embedding += stored.per_layer_embedding;
  if (shard.output) {
    if (placement.output) {
      parts.output = divided(stored.output, placement.tensor);
      // The stage behind the embedding's needs the matrix as well.
      if (placement.second_output || !holds_embedding) parts.output += divided(stored.tied_output, placement.tensor);
    }
    parts.other = stored.other;
  }
  if (shard.towers) parts.towers = stored.towers;
  return parts;
}

const char* formula_of(WeightScheme scheme) {
  switch (scheme) {
    case WeightScheme::plain: return "F-3.1";
    case WeightScheme::gguf: return "F-3.3";
    case WeightScheme::bnb4:
    case WeightScheme::bnb8: return "F-3.4";
    case WeightScheme::gptq: return "F-3.5";
    case WeightScheme::awq: return "F-3.6";
    case WeightScheme::wna16: return "F-3.7";
    case WeightScheme::fp8: return "F-3.8";
    case WeightScheme::nvfp4: return "F-3.9";
    case WeightScheme::mxfp4: return "F-3.10";
    case WeightScheme::exl: return "F-3.11";
  }
  return "";
}

Count compute_bytes(const WeightFormat& format) {
  return format.scheme == WeightScheme::plain && format.base == TensorType::f32 ? 4 : 2;
}

void append_weights(const Scenario& scenario, const WeightParts& parts, const WeightPlacement& placement,
                    const Shard& shard, Phases phases, DeviceLedger& device) {
  const char* formula = formula_of(scenario.weights.scheme);
  const Count bits = nominal_bits_x100(scenario.weights);
  const auto append = [&](const char* id, Stored part, Terms terms) {
    if (part.bytes) {
      device.items.push_back(
          {id, Group::weights, Level::allocated, phases, Band::exact(part.bytes), formula, terms, ""});
    }
  };
  append("weights.layers", parts.layers,
         {{"layers", shard.layers()},
          {"parameters", parts.layers.elements},
          {"bits_x100", bits},
          {"tensor_parallel", placement.tensor}});
  append("weights.experts", parts.experts,
         {{"layers", shard.layers()},
          {"parameters", parts.experts.elements},
          {"bits_x100", bits},
          {"parallel", max(placement.tensor, placement.expert)}});
  append("weights.embedding", parts.embedding,
         {{"vocab", scenario.model->vocab},
          {"parameters", parts.embedding.elements},
          {"tensor_parallel", placement.tensor}});
  append(
      "weights.output", parts.output,
      {{"vocab", scenario.model->vocab}, {"parameters", parts.output.elements}, {"tensor_parallel", placement.tensor}});
  append("weights.other", parts.other, {{"parameters", parts.other.elements}});
  append("weights.vision", parts.towers, {{"parameters", parts.towers.elements}});
}

}  // namespace vram
