#include "core/report/imported.h"

#include <algorithm>

#include "core/model/file_weights.h"
#include "core/model/read_model.h"

namespace vram {
namespace {

struct TypeSum {
  std::string_view type;
  std::uint64_t tensors = 0;
  Count elements;
  Bytes bytes;
};

json::Value types_of(const imports::ImportSet& files) {
  std::vector<TypeSum> sums;
  for (const imports::FileTensor* tensor : files.tensors()) {
    auto found = std::find_if(sums.begin(), sums.end(), [&](const TypeSum& sum) { return sum.type == tensor->type; });
    if (found == sums.end()) found = sums.insert(sums.end(), {tensor->type, 0, {}, {}});
    ++found->tensors;
    found->elements += tensor->elements;
    found->bytes += tensor->bytes;
  }
  std::stable_sort(sums.begin(), sums.end(), [](const TypeSum& a, const TypeSum& b) { return a.bytes > b.bytes; });
  json::Value list = json::Value::array();
  for (const TypeSum& sum : sums) {
    json::Value entry = json::Value::object();
    entry.set("type", sum.type).set("tensors", sum.tensors).set("elements", sum.elements).set("bytes", sum.bytes);
    list.push(std::move(entry));
  }
  return list;
}

}  // namespace

json::Value imported_to_json(const imports::Imported& imported, const imports::ImportSet& files) {
  const Model& model = imported.model;
  json::Value request = json::Value::object();
  request.set("architecture", write_model(model));
  if (!imported.weights.empty()) request.set("weights", imported.weights);
  json::Value assumed = json::Value::array();
  for (const imports::Assumption& assumption : imported.assumed) {
    json::Value entry = json::Value::object();
    entry.set("id", assumption.id).set("value", assumption.value);
    assumed.push(std::move(entry));
  }
  json::Value result = json::Value::object();
  result.set("request", std::move(request))
      .set("name", model.name)
      .set("parameters", model.parameters)
      .set("weights", imported.weights)
      .set("stored", model.file_weights ? model.file_weights->stored.total.bytes : Bytes())
      .set("types", types_of(files))
      .set("assumed", std::move(assumed));
  return result;
}

}  // namespace vram
