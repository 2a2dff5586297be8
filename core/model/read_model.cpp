#include "core/model/read_model.h"

#include "core/model/fields.h"
#include "core/model/file_weights.h"
#include "core/model/read_parts.h"
#include "core/model/tensors.h"

namespace vram {
namespace {

using model_fields::describe;
using model_fields::describe_graph;
using model_fields::FieldReader;

void read_aliases(ObjectReader& object, Model& model) {
  const json::Value* aliases = object.take("aliases");
  if (aliases == nullptr || !object.expect("aliases", *aliases, json::Kind::array)) return;
  for (const json::Value& alias : aliases->items()) {
    if (!object.expect("aliases", alias, json::Kind::string)) return;
    model.aliases.push_back(alias.text());
  }
}

void read_per_layer_embedding(ObjectReader& object, Model& model) {
  const json::Value* value = object.take("per_layer_embedding");
  if (value == nullptr) return;
  if (!value->is(json::Kind::object)) {
    object.count("per_layer_embedding", model.per_layer_embedding, 0, limits::kParameters);
    return;
  }
  ObjectReader inner(*value, object.path_of("per_layer_embedding"), object.state());
  inner.count("params", model.per_layer_embedding, 0, limits::kParameters);
}

/// `graph` with `set`: the layers of a network that is no stack of transformer layers.
bool read_graph(ObjectReader& object, const std::shared_ptr<const vision::Library>& library, Model& model) {
  const json::Value* const graph = object.take("graph");
  const json::Value* const set = object.take("set");
  if (graph == nullptr || !object.ok()) return false;
  auto program = vision::read_program(*graph, set, library, object.path_of(""));
  if (program) {
    model.program = std::move(*program);
  } else {
    object.state().error = program.error();
  }
  return true;
}

void check(ObjectReader& object, const Model& model) {
  if (!object.ok()) return;
  if (model.program || model.pipeline) return;
  if (!model.vocab && model.kind != ModelKind::vision) object.fail(ErrorCode::missing_field, "vocab", nullptr, "");
  if (model.order.empty() && model.encoder.empty()) object.fail(ErrorCode::missing_field, "layers", nullptr, "");
  // Sums of the parts saturate only on absurd input: refuse it rather than answer with the ceiling.
  if (model.parameters > limits::kParameters) {
    object.fail(ErrorCode::too_large, "", nullptr, std::to_string(limits::kParameters.value()) + " parameters");
  }
}

}  // namespace

Result<Model> read_model(const json::Value& value, std::string_view path, bool strict,
                         const std::shared_ptr<const vision::Library>& library) {
  ReadState state;
  state.strict = strict;
  ObjectReader object(value, std::string(path), state);
  if (state.error) return *state.error;

  Model model;
  if (value.find("graph") != nullptr || value.find("pipeline") != nullptr) {
    describe_graph(FieldReader(object), model);
  } else {
    describe(FieldReader(object), model);
  }
  read_aliases(object, model);
  read_per_layer_embedding(object, model);
  object.take("note");  // for the catalogue's editors
  const json::Value* layers = value.find("layers");
  if (read_pipeline(object, library, model)) {
    // Counted by its parts.
  } else if (read_graph(object, library, model)) {
    model.parameters = model.published_parameters;
  } else if (layers != nullptr && layers->is(json::Kind::array)) {
    read_layered(object, model);
  } else {
    read_flat(object, model);
  }
  read_towers(object, model);
  if (state.error) return *state.error;
  if (!model.program && !model.pipeline) derive_tensors(model);
  read_file_weights(object, model);
  object.finish();
  check(object, model);
  if (state.error) return *state.error;
  model.definition = json::write(value);
  return model;
}

Result<Model> merge_model(const Model& base, const json::Value& changes, std::string_view path) {
  if (!changes.is(json::Kind::object)) {
    return Error{ErrorCode::wrong_type, std::string(path), json::brief(changes), "object", changes.line()};
  }
  json::Value merged = write_model(base);
  if (const Result<json::Value> definition = json::parse(base.definition); definition) merged = *definition;
  json::Value result = json::Value::object();
  for (const json::Member& member : merged.members()) {
    // A stated total and the file's weights belong to the model as it was.
    if (member.key != "params_total" && member.key != "stored") result.set(member.key, member.value);
  }
  for (const json::Member& member : changes.members()) result.replace(member.key, member.value);
  return read_model(result, path, false, vision::library_of(base.program.get(), base.pipeline.get()));
}

}  // namespace vram
