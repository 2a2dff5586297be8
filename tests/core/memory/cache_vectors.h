// The vectors of cache, state and inference buffers, and the shipped models and constants they run on.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/base/embedded_files.h"
#include "core/base/json.h"
#include "core/scenario/constants.h"
#include "tests/core/data_file.h"
#include "tests/core/model/shipped_models.h"

namespace vram::testing {

inline json::Value shipped_file(std::string_view name) {
  for (const embedded::File& file : embedded::catalog_files()) {
    if (file.name != name) continue;
    Result<json::Value> value = json::parse(file.text);
    if (value) return *value;
  }
  return {};
}

inline std::shared_ptr<const Model> find_model(std::string_view id) { return shipped_models().catalogue.find(id); }

inline const ConstantTable& shipped_constants() {
  static const ConstantTable table = [] {
    std::vector<Error> faults;
    return read_constants(shipped_file("runtimes.json"), faults);
  }();
  return table;
}

/// The rows of one list of tests/data/vectors_cache.json.
inline const std::vector<json::Value>& cache_vectors(std::string_view list) {
  static const json::Value file = read_data_file("vectors_cache.json");
  static const std::vector<json::Value> none;
  const json::Value* rows = file.find(list);
  return rows == nullptr ? none : rows->items();
}

inline std::string_view text_in(const json::Value& row, std::string_view key) {
  const json::Value* value = row.find(key);
  return value == nullptr ? std::string_view() : std::string_view(value->text());
}
inline Count count_in(const json::Value& row, std::string_view key, Count fallback = 0) {
  const json::Value* value = row.find(key);
  return value == nullptr ? fallback : Count(value->integer());
}
inline bool flag_in(const json::Value& row, std::string_view key) {
  const json::Value* value = row.find(key);
  return value != nullptr && value->boolean();
}

}  // namespace vram::testing
