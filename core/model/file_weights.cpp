#include "core/model/file_weights.h"

#include <array>

#include "core/model/limits.h"

namespace vram {
namespace {

constexpr Bytes kMostBytes = limits::kParameters * 8;

/// A list of `N` whole numbers.
template <std::size_t N>
bool read_numbers(ObjectReader& object, const std::string& path, const json::Value& value, std::array<Count, N>& out) {
  if (!value.is(json::Kind::array) || value.items().size() != N) {
    object.state().error = Error{ErrorCode::wrong_type, path, json::brief(value),
                                 "list of " + std::to_string(N) + " integers", value.line()};
    return false;
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (!ObjectReader::read_count(value.items()[i], path, out[i], kMostBytes, 0, object.state())) return false;
  }
  return true;
}

void read_stored(ObjectReader& object, std::string_view key, Stored& stored) {
  const json::Value* value = object.take(key);
  if (value == nullptr || !object.ok()) return;
  std::array<Count, 2> pair;
  if (read_numbers(object, object.path_of(key), *value, pair)) stored = {pair[0], pair[1]};
}

void read_kinds(ObjectReader& object, StoredWeights& stored) {
  const json::Value* kinds = object.take("kinds");
  if (kinds == nullptr || !object.expect("kinds", *kinds, json::Kind::array)) return;
  if (Count(kinds->items().size()) > limits::kLayers) {
    object.fail(ErrorCode::too_large, "kinds", nullptr, std::to_string(limits::kLayers.value()));
    return;
  }
  for (const json::Value& item : kinds->items()) {
    std::array<Count, 8> n;
    if (!read_numbers(object, object.path_of("kinds"), item, n)) return;
    stored.kinds.push_back({{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}, n[7], n[6]});
  }
}

void read_order(ObjectReader& object, std::string_view key, std::size_t layers, const StoredWeights& stored,
                std::vector<std::uint16_t>& order) {
  const json::Value* runs = object.take(key);
  if (runs == nullptr) {
    if (layers != 0) object.require(key);
    return;
  }
  if (!object.expect(key, *runs, json::Kind::array)) return;
  for (const json::Value& item : runs->items()) {
    std::array<Count, 2> run;
    if (!read_numbers(object, object.path_of(key), item, run)) return;
    if (run[0] >= Count(stored.kinds.size()) || run[1] > Count(layers - order.size())) {
      object.fail(ErrorCode::out_of_range, key, &item, "a kind's place and at most " + std::to_string(layers));
      return;
    }
    order.insert(order.end(), static_cast<std::size_t>(run[1].value()), static_cast<std::uint16_t>(run[0].value()));
  }
  if (order.size() != layers) object.fail(ErrorCode::conflict, key, nullptr, std::to_string(layers) + " layers");
}

json::Value pair_of(Count first, Count second) {
  json::Value pair = json::Value::array();
  pair.push(first).push(second);
  return pair;
}

void write_stored(json::Value& object, std::string_view key, const Stored& stored) {
  if (stored.elements || stored.bytes) object.set(key, pair_of(stored.elements, stored.bytes));
}

void write_runs(json::Value& object, std::string_view key, const std::vector<std::uint16_t>& order) {
  if (order.empty()) return;
  json::Value runs = json::Value::array();
  for (std::size_t at = 0; at < order.size();) {
    std::size_t count = 1;
    while (at + count < order.size() && order[at + count] == order[at]) ++count;
    runs.push(pair_of(Count(order[at]), Count(count)));
    at += count;
  }
  object.set(key, std::move(runs));
}

}  // namespace

void complete_file_weights(const Model& model, StoredWeights& stored) {
  stored.total = stored.token_embedding + stored.output + stored.other + stored.towers + stored.per_layer_embedding;
  for (const std::vector<std::uint16_t>* order : {&stored.order, &stored.encoder}) {
    for (const std::uint16_t kind : *order) stored.total += stored.kinds[kind].total();
  }
  stored.tied_output = model.tied && model.has_output ? stored.token_embedding : Stored();
  bool quantised = false;
  for (const LayerWeights& kind : stored.kinds) quantised = quantised || kind.quantised_bytes;
  for (const std::vector<Tensor>& kind : model.kind_tensors) {
    for (const Tensor& tensor : kind) {
      if (!tensor.is_vector()) stored.largest_matrix = max(stored.largest_matrix, tensor.rows * tensor.cols);
    }
  }
  if (quantised) stored.largest_quantised_matrix = stored.largest_matrix;
}

void read_file_weights(ObjectReader& object, Model& model) {
  const json::Value* value = object.take("stored");
  if (value == nullptr || !object.ok()) return;
  ObjectReader inner(*value, object.path_of("stored"), object.state());
  if (!inner.ok()) return;
  auto weights = std::make_shared<FileWeights>();
  inner.text("format", weights->format);
  const auto format = parse_weight_format(weights->format);
  if (!format) {
    inner.fail(ErrorCode::unknown_choice, "format", inner.take("format"), "a storage format of weights");
    return;
  }
  weights->format = name_of(*format);
  StoredWeights& stored = weights->stored;
  read_stored(inner, "token_embedding", stored.token_embedding);
  read_stored(inner, "output", stored.output);
  read_stored(inner, "other", stored.other);
  read_stored(inner, "towers", stored.towers);
  read_stored(inner, "per_layer_embedding", stored.per_layer_embedding);
  read_kinds(inner, stored);
  read_order(inner, "layers", model.order.size(), stored, stored.order);
  read_order(inner, "encoder", model.encoder.size(), stored, stored.encoder);
  read_order(inner, "mtp", model.mtp.size(), stored, stored.mtp);
  inner.finish();
  if (!object.ok()) return;
  complete_file_weights(model, stored);
  model.file_weights = std::move(weights);
}

json::Value write_file_weights(const FileWeights& weights) {
  const StoredWeights& stored = weights.stored;
  json::Value object = json::Value::object();
  object.set("format", weights.format);
  write_stored(object, "token_embedding", stored.token_embedding);
  write_stored(object, "output", stored.output);
  write_stored(object, "other", stored.other);
  write_stored(object, "towers", stored.towers);
  write_stored(object, "per_layer_embedding", stored.per_layer_embedding);
  json::Value kinds = json::Value::array();
  for (const LayerWeights& kind : stored.kinds) {
    json::Value item = json::Value::array();
    for (const Stored& part : {kind.split, kind.replicated, kind.experts}) item.push(part.elements).push(part.bytes);
    item.push(kind.quantised_elements).push(kind.quantised_bytes);
    kinds.push(std::move(item));
  }
  object.set("kinds", std::move(kinds));
  write_runs(object, "layers", stored.order);
  write_runs(object, "encoder", stored.encoder);
  write_runs(object, "mtp", stored.mtp);
  return object;
}

}  // namespace vram
