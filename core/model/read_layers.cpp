// The layered spelling: runs of layers, each written out or named once under `kinds`.
#include <algorithm>

#include "core/model/fields.h"
#include "core/model/read_parts.h"

namespace vram {
namespace {

using model_fields::describe;
using model_fields::FieldReader;
using model_fields::kKey;

/// Reads the object under the part's key into `slot`, a variant that may hold it.
template <class Part, class Slot>
void read_part(ObjectReader& layer, Slot& slot, Count hidden) {
  const json::Value* value = layer.take(kKey<Part>);
  if (value == nullptr || !layer.ok()) return;
  if (slot.index() != 0) {
    layer.fail(ErrorCode::conflict, kKey<Part>, nullptr, "one such part a layer");
    return;
  }
  ObjectReader object(*value, layer.path_of(kKey<Part>), layer.state());
  Part part;
  describe(FieldReader(object), part, hidden);
  if constexpr (std::same_as<Part, Attention>) check_attention(object, part);
  if constexpr (std::same_as<Part, Experts>) {
    if (part.active > part.count) object.fail(ErrorCode::out_of_range, "active", nullptr, "at most count");
  }
  object.finish();
  slot = part;
}

void read_mixer(ObjectReader& layer, Mixer& mixer, Count hidden) {
  read_part<Attention>(layer, mixer, hidden);
  read_part<LatentAttention>(layer, mixer, hidden);
  read_part<GatedDeltaNet>(layer, mixer, hidden);
  read_part<KimiDelta>(layer, mixer, hidden);
  read_part<Mamba1>(layer, mixer, hidden);
  read_part<Mamba2>(layer, mixer, hidden);
  read_part<ShortConv>(layer, mixer, hidden);
  read_part<LinearAttention>(layer, mixer, hidden);
  read_part<Rwkv>(layer, mixer, hidden);
}

Layer read_layer(ObjectReader& object, Count hidden) {
  Layer layer;
  read_mixer(object, layer.mixer, hidden);
  if (const json::Value* parallel = object.take("parallel")) {
    ObjectReader inner(*parallel, object.path_of("parallel"), object.state());
    read_mixer(inner, layer.parallel_mixer, hidden);
    inner.finish();
  }
  if (const json::Value* cross = object.take("cross_attention")) {
    ObjectReader inner(*cross, object.path_of("cross_attention"), object.state());
    describe(FieldReader(inner), layer.cross_attention, hidden);
    check_attention(inner, layer.cross_attention);
    inner.finish();
  }
  read_part<Mlp>(object, layer.feed_forward, hidden);
  read_part<Experts>(object, layer.feed_forward, hidden);
  Count norms;
  object.count("norms", norms, 2, 8);
  layer.norms = static_cast<std::uint8_t>(norms.value());
  object.flag("prediction_head", layer.prediction_head, false);
  object.count("extra_params", layer.extra_parameters, 0, limits::kParameters);
  return layer;
}

struct NamedKind {
  std::string_view name;
  Layer layer;
};

/// Appends the layers of `runs` to `out`.
void read_runs(const json::Value& runs, const std::string& path, ReadState& state, const std::vector<NamedKind>& kinds,
               Model& model, std::vector<std::uint16_t>& out) {
  if (state.error) return;
  if (!runs.is(json::Kind::array) || runs.items().empty()) {
    state.error = Error{ErrorCode::wrong_type, path, json::brief(runs), "list of layer runs", runs.line()};
    return;
  }
  for (std::size_t i = 0; i < runs.items().size() && !state.error; ++i) {
    ObjectReader run(runs.items()[i], path + "[" + std::to_string(i) + "]", state);
    std::vector<std::uint16_t> layers;
    Count times;
    if (const json::Value* of = run.take("of")) {
      run.count("repeat", times, 1, limits::kLayers, 1);
      read_runs(*of, run.path_of("of"), state, kinds, model, layers);
    } else {
      run.count("count", times, 1, limits::kLayers, 1);
      std::string name;
      run.text("kind", name);
      if (name.empty()) {
        layers.push_back(intern(model, read_layer(run, model.hidden)));
      } else {
        const auto found =
            std::find_if(kinds.begin(), kinds.end(), [&](const NamedKind& kind) { return kind.name == name; });
        if (found == kinds.end()) {
          run.fail(ErrorCode::unknown_choice, "kind", run.take("kind"), "a name under kinds");
        } else {
          layers.push_back(intern(model, found->layer));
        }
      }
    }
    run.finish();
    if (Count(out.size()) + times * Count(layers.size()) > limits::kLayers) {
      run.fail(ErrorCode::too_large, "", nullptr, std::to_string(limits::kLayers.value()) + " layers");
    }
    for (Count n = 0; n < times && !state.error; n += 1) out.insert(out.end(), layers.begin(), layers.end());
  }
}

}  // namespace

std::uint16_t intern(Model& model, const Layer& layer) {
  const auto found = std::find(model.kinds.begin(), model.kinds.end(), layer);
  const auto index = static_cast<std::uint16_t>(found - model.kinds.begin());
  if (found == model.kinds.end()) model.kinds.push_back(layer);
  return index;
}

void check_attention(ObjectReader& object, const Attention& attention) {
  if (!object.ok()) return;
  if (!attention.head_dim) object.fail(ErrorCode::missing_field, "head_dim", nullptr, "hidden / heads is not whole");
  if (!attention.kv_heads || attention.heads.value() % attention.kv_heads.value() != 0) {
    object.fail(ErrorCode::conflict, "kv_heads", object.take("kv_heads"), "a divisor of heads");
  }
}

void read_layered(ObjectReader& object, Model& model) {
  std::vector<NamedKind> kinds;
  if (const json::Value* named = object.take("kinds"); named != nullptr) {
    if (object.expect("kinds", *named, json::Kind::object)) {
      for (const json::Member& member : named->members()) {
        ObjectReader kind(member.value, object.path_of("kinds." + member.key), object.state());
        kinds.push_back({member.key, read_layer(kind, model.hidden)});
        kind.finish();
      }
    }
  }
  const auto read = [&](std::string_view key, std::vector<std::uint16_t>& order) {
    if (const json::Value* runs = object.take(key)) {
      read_runs(*runs, object.path_of(key), object.state(), kinds, model, order);
    }
  };
  read("layers", model.order);
  read("encoder", model.encoder);
  read("mtp", model.mtp);
}

}  // namespace vram
