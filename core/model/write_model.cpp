// Models as JSON, in the layered spelling.
#include <algorithm>

#include "core/model/fields.h"
#include "core/model/file_weights.h"
#include "core/model/read_model.h"

namespace vram {
namespace {

using model_fields::describe;
using model_fields::FieldWriter;
using model_fields::kKey;

template <class Slot>
void write_part(json::Value& layer, const Slot& slot, Count hidden) {
  std::visit(
      [&](const auto& part) {
        using Part = std::remove_cvref_t<decltype(part)>;
        if constexpr (!std::same_as<Part, std::monostate>) {
          json::Value object = json::Value::object();
          describe(FieldWriter(object), part, hidden);
          layer.set(kKey<Part>, std::move(object));
        }
      },
      slot);
}

json::Value write_layer(const Layer& layer, Count hidden) {
  json::Value object = json::Value::object();
  write_part(object, layer.mixer, hidden);
  if (layer.parallel_mixer.index() != 0) {
    json::Value inner = json::Value::object();
    write_part(inner, layer.parallel_mixer, hidden);
    object.set("parallel", std::move(inner));
  }
  if (layer.cross_attention.heads) {
    json::Value inner = json::Value::object();
    describe(FieldWriter(inner), layer.cross_attention, hidden);
    object.set("cross_attention", std::move(inner));
  }
  write_part(object, layer.feed_forward, hidden);
  if (layer.norms != 2) object.set("norms", std::uint32_t{layer.norms});
  if (layer.prediction_head) object.set("prediction_head", true);
  if (layer.extra_parameters) object.set("extra_params", layer.extra_parameters);
  return object;
}

std::string kind_name(std::uint16_t kind) { return "k" + std::to_string(kind); }

/// A run of equal layers: written out where the model has one kind only, by name otherwise.
json::Value write_run(const Model& model, std::uint16_t kind, std::size_t count) {
  json::Value run = json::Value::object();
  if (count != 1) run.set("count", Count(count));
  if (model.kinds.size() > 1) {
    run.set("kind", kind_name(kind));
    return run;
  }
  const json::Value layer = write_layer(model.kinds[kind], model.hidden);
  for (const json::Member& member : layer.members()) run.set(member.key, member.value);
  return run;
}

/// How often order[from, from+period) repeats from there on.
std::size_t repeats(const std::vector<std::uint16_t>& order, std::size_t from, std::size_t period) {
  std::size_t end = from + period;
  while (end < order.size() && order[end] == order[end - period]) ++end;
  return (end - from) / period;
}

void append_runs(const Model& model, const std::vector<std::uint16_t>& order, std::size_t from, std::size_t to,
                 json::Value& runs) {
  while (from < to) {
    std::size_t count = 1;
    while (from + count < to && order[from + count] == order[from]) ++count;
    runs.push(write_run(model, order[from], count));
    from += count;
  }
}

json::Value write_order(const Model& model, const std::vector<std::uint16_t>& order) {
  constexpr std::size_t kLongestPeriod = 32;
  json::Value runs = json::Value::array();
  std::size_t plain_from = 0;  // where the layers not yet written start
  std::size_t at = 0;
  while (at < order.size()) {
    std::size_t best_period = 0;
    std::size_t best_cover = 0;
    const std::size_t equal = repeats(order, at, 1);
    for (std::size_t period = 2; period <= std::min(kLongestPeriod, order.size() - at); ++period) {
      if (equal >= period) continue;
      const std::size_t times = repeats(order, at, period);
      if (times > 1 && times * period > best_cover) {
        best_period = period;
        best_cover = times * period;
      }
    }
    if (best_period == 0) {
      ++at;
      continue;
    }
    append_runs(model, order, plain_from, at, runs);
    json::Value run = json::Value::object();
    json::Value of = json::Value::array();
    append_runs(model, order, at, at + best_period, of);
    run.set("repeat", Count(best_cover / best_period));
    run.set("of", std::move(of));
    runs.push(std::move(run));
    at += best_cover;
    plain_from = at;
  }
  append_runs(model, order, plain_from, order.size(), runs);
  return runs;
}

json::Value write_tower(const Tower& tower) {
  json::Value object = json::Value::object();
  FieldWriter(object).word("kind", tower.kind, Tower::Kind::vision, model_fields::kTowerKinds);
  describe(FieldWriter(object), tower);
  if (!tower.projector.empty()) {
    json::Value projector = json::Value::array();
    for (const Projection& projection : tower.projector) {
      json::Value item = json::Value::object();
      describe(FieldWriter(item), projection);
      projector.push(std::move(item));
    }
    object.set("projector", std::move(projector));
  }
  return object;
}

}  // namespace

json::Value write_model(const Model& model) {
  // A graph is text already: it is written as it was read.
  if (model.program || model.pipeline) {
    if (auto definition = json::parse(model.definition)) return std::move(*definition);
  }
  json::Value object = json::Value::object();
  describe(FieldWriter(object), model);
  if (!model.aliases.empty()) {
    json::Value aliases = json::Value::array();
    for (const std::string& alias : model.aliases) aliases.push(alias);
    object.set("aliases", std::move(aliases));
  }
  if (model.per_layer_embedding) object.set("per_layer_embedding", model.per_layer_embedding);
  if (model.kinds.size() > 1) {
    json::Value kinds = json::Value::object();
    for (std::size_t i = 0; i < model.kinds.size(); ++i) {
      kinds.set(kind_name(static_cast<std::uint16_t>(i)), write_layer(model.kinds[i], model.hidden));
    }
    object.set("kinds", std::move(kinds));
  }
  object.set("layers", write_order(model, model.order));
  if (!model.encoder.empty()) object.set("encoder", write_order(model, model.encoder));
  if (!model.mtp.empty()) object.set("mtp", write_order(model, model.mtp));
  if (!model.towers.empty()) {
    json::Value towers = json::Value::array();
    for (const Tower& tower : model.towers) towers.push(write_tower(tower));
    object.set("towers", std::move(towers));
  }
  if (model.file_weights) object.set("stored", write_file_weights(*model.file_weights));
  return object;
}

}  // namespace vram
