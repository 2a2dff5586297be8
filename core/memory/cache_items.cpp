#include "core/memory/cache_items.h"

#include <variant>

namespace vram {
namespace {

/// Shape of the first layer of the range that caches: what the formula shows.
struct Shape {
  Count heads, dim;
};

Shape shown_shape(const Model& model, LayerRange range, bool latent) {
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    for (const Mixer* mixer : {&model.kinds[kind].mixer, &model.kinds[kind].parallel_mixer}) {
      const auto* attention = std::get_if<Attention>(mixer);
      const auto* mla = std::get_if<LatentAttention>(mixer);
      const bool shown = latent ? mla != nullptr : attention != nullptr && !attention->shares_cache;
      if (!shown || !occurrences(model, range, kind)) continue;
      if (latent) return {1, mla->kv_rank + mla->rope_dim};
      return {attention->kv_heads, attention->head_dim};
    }
  }
  return {};
}

}  // namespace

Count sequences_per_copy(const Scenario& scenario) {
  const Count sequences = scenario.inference.sequences;
  return scenario.task == Task::serving ? ceil_div(sequences, scenario.parallel.data) : sequences;
}

void append_cache(const Model& model, LayerRange range, const CacheSize& size, const CacheSpans& spans, Phases phases,
                  const char* formula, DeviceLedger& device) {
  const auto append = [&](const char* id, Bytes bytes, const char* id_of_formula, Shape shape) {
    if (!bytes) return;
    Terms terms{{"layers", size.full_layers},
                {"tokens", size.full_tokens},
                {"kv_heads", shape.heads},
                {"head_dim", shape.dim},
                {"sequences", spans.sequences}};
    if (size.limited_layers) {
      terms = {
          {"layers", size.full_layers},           {"tokens", size.full_tokens}, {"window_layers", size.limited_layers},
          {"window_tokens", size.limited_tokens}, {"kv_heads", shape.heads},    {"head_dim", shape.dim},
          {"sequences", spans.sequences}};
    }
    device.items.push_back(
        {id, Group::kv_cache, Level::allocated, phases, Band::exact(bytes), id_of_formula, terms, ""});
  };
  const Shape plain = shown_shape(model, range, false);
  append("kv_cache.k", size.k, formula, plain);
  append("kv_cache.v", size.v, formula, plain);
  append("kv_cache.latent", size.latent, "F-4.3", shown_shape(model, range, true));
  append("kv_cache.index", size.index, "F-4.3", {});
  append("kv_cache.cross", size.cross, "F-4.9", plain);
}

void append_state(const StateSize& size, Count sequences, Phases phases, DeviceLedger& device) {
  const auto append = [&](const char* id, Bytes bytes) {
    if (!bytes) return;
    device.items.push_back({id,
                            Group::state,
                            Level::allocated,
                            phases,
                            Band::exact(bytes),
                            "F-4.8",
                            {{"layers", size.layers}, {"sequences", sequences}},
                            ""});
  };
  append("state.conv", size.conv);
  append("state.recurrent", size.matrix);
}

}  // namespace vram
