// Towers: `towers` (a list), or one object each under `vision` and `audio`.
#include "core/model/fields.h"
#include "core/model/read_parts.h"
#include "core/model/tensors.h"

namespace vram {
namespace {

using model_fields::describe;
using model_fields::FieldReader;

void read_projector(ObjectReader& object, Tower& tower) {
  const json::Value* list = object.take("projector");
  if (list == nullptr || !object.expect("projector", *list, json::Kind::array)) return;
  if (Count(list->items().size()) > limits::kProjections) {
    object.fail(ErrorCode::too_large, "projector", nullptr, std::to_string(limits::kProjections.value()));
  }
  for (std::size_t i = 0; i < list->items().size() && object.ok(); ++i) {
    ObjectReader item(list->items()[i], object.path_of("projector[" + std::to_string(i) + "]"), object.state());
    Projection projection;
    describe(FieldReader(item), projection);
    item.finish();
    tower.projector.push_back(projection);
  }
}

/// Imported descriptions state totals without saying what makes them up; the rest is kept as small tensors.
void add_stated_rest(ObjectReader& object, Tower& tower) {
  Count stated;
  Count stated_projector;
  object.count("params", stated, 0, limits::kParameters);
  object.count("projector_params", stated_projector, 0, limits::kParameters);
  object.count("num_position_embeddings", tower.positions, tower.positions, limits::kTokens);
  count_tower(tower);
  tower.other_parameters += stated - tower.parameters;  // saturates at 0
  tower.projector_norms += stated_projector - tower.projector_parameters;
}

void read_tower(const json::Value& value, const std::string& path, Tower::Kind kind, ReadState& state, Model& model) {
  ObjectReader object(value, path, state);
  if (!object.ok()) return;
  // Some published configurations keep empty towers.
  if (!state.strict && !object.has("hidden")) return;
  Tower tower;
  object.word("kind", tower.kind, kind, model_fields::kTowerKinds);
  describe(FieldReader(object), tower);
  read_projector(object, tower);
  if (!state.strict) add_stated_rest(object, tower);
  object.finish();
  model.towers.push_back(std::move(tower));
}

}  // namespace

void read_towers(ObjectReader& object, Model& model) {
  if (const json::Value* value = object.take("vision")) {
    read_tower(*value, object.path_of("vision"), Tower::Kind::vision, object.state(), model);
  }
  if (const json::Value* value = object.take("audio")) {
    read_tower(*value, object.path_of("audio"), Tower::Kind::audio, object.state(), model);
  }
  const json::Value* list = object.take("towers");
  if (list == nullptr || !object.expect("towers", *list, json::Kind::array)) return;
  if (Count(list->items().size()) > limits::kTowers) {
    object.fail(ErrorCode::too_large, "towers", nullptr, std::to_string(limits::kTowers.value()));
  }
  for (std::size_t i = 0; i < list->items().size() && object.ok(); ++i) {
    read_tower(list->items()[i], object.path_of("towers[" + std::to_string(i) + "]"), Tower::Kind::vision,
               object.state(), model);
  }
}

}  // namespace vram
