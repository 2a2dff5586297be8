// Models from JSON: catalogue entries and a request's `architecture`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/model.h"

namespace vram {

/// Reads one model in either spelling: `layers` a list of runs, or the flat form of a uniform model, which is expanded
/// (catalog/schema/model.schema.json describes both). Unknown keys are errors in `strict` mode (the catalogue) and
/// ignored otherwise (imported architectures). A `params_total` that the count misses is reported through
/// Model::published_parameters, never trusted. Errors name the JSON path under `path`.
Result<Model> read_model(const json::Value& value, std::string_view path, bool strict);

/// Writes a model so that read_model() gives it back: the `architecture` of a link and "add this model".
json::Value write_model(const Model& model);

/// A generic dense language model of that many parameters, interpolated between real families
/// (hidden, layers, heads and ffn grow with size as in Llama 3 / Qwen 3; see generic.cpp for the anchors).
/// `parameters` from 1e7 to 3e12; the count of the result is within 3 % of it.
Model generic_model(Count parameters);

struct ModelCatalogue {
  std::vector<std::shared_ptr<const Model>> models;

  /// By id or alias, case-insensitive, organisation prefix optional; nullptr when unknown.
  [[nodiscard]] std::shared_ptr<const Model> find(std::string_view name) const;
  /// Up to `limit` ids that resemble `name`, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> similar(std::string_view name, std::size_t limit) const;
};

/// Reads {"models":[...]}; each bad entry goes to `faults` and the rest lives.
ModelCatalogue read_models(const json::Value& file, std::vector<Error>& faults);

}  // namespace vram
