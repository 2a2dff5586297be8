#include "core/memory/training/stage_weights.h"

namespace vram {
namespace {

constexpr Stored divided(Stored part, Count parts) {
  return {ceil_div(part.elements, parts), ceil_div(part.bytes, parts)};
}

}  // namespace

StageWeights stage_weights(const Scenario& scenario, const Shard& shard) {
  const Model& model = *scenario.model;
  const StoredWeights& stored = *scenario.stored;
  const Parallel& parallel = scenario.parallel;
  const Count expert_parts = parallel.expert > Count(1) ? parallel.expert : parallel.tensor;
  StageWeights stage;
  stage.layers.assign(model.kinds.size(), 0);
  Stored layers;
  // Layers of one kind mostly follow each other: look at a kind again only when it changes.
  std::uint16_t kind = 0xFFFF;
  Stored layer;
  Count experts, quantised;
  const auto add = [&](std::uint16_t stored_kind, std::uint16_t model_kind) {
    if (stored_kind != kind) {
      kind = stored_kind;
      const LayerWeights& weights = stored.kinds[kind];
      const Stored routed = divided(weights.experts, expert_parts);
      layer = divided(weights.split, parallel.tensor) + weights.replicated + routed;
      experts = routed.elements;
      quantised = mul_div(weights.quantised_elements, layer.elements, weights.total().elements);
      if (layer.elements > stage.layer.elements) stage.layer = layer;
    }
    layers += layer;
    stage.expert_elements += experts;
    stage.quantised_elements += quantised;
    ++stage.layers[model_kind];
  };
  for (std::uint32_t i = shard.first_layer; i < shard.layer_end; ++i) add(stored.order[i], model.order[i]);
  if (shard.encoder) {
    for (std::size_t i = 0; i < stored.encoder.size(); ++i) add(stored.encoder[i], model.encoder[i]);
  }
  stage.all = shard_weights(scenario, shard);
  stage.root = {stage.all.elements - layers.elements, stage.all.bytes - layers.bytes};
  return stage;
}

}  // namespace vram
