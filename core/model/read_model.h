// Models from JSON: catalogue entries and a request's `architecture`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/model.h"
#include "core/model/vision/program.h"

namespace vram {

/// Reads one model in either spelling: `layers` a list of runs, or the flat form of a uniform or patterned model, which
/// is expanded (catalog/schema/models.schema.json describes both). Unknown keys are errors in `strict` mode (the
/// catalogue) and ignored otherwise (imported architectures). A `params_total` that the count misses is reported through
/// Model::published_parameters, never trusted. Errors name the JSON path under `path`. A model with a `graph` may use the
/// blocks of `library`; its stated total counts until somebody walks the graph.
Result<Model> read_model(const json::Value& value, std::string_view path, bool strict,
                         const std::shared_ptr<const vision::Library>& library = nullptr);

/// Writes a model in the layered spelling so that read_model() gives it back: the `architecture` of a link and "add this
/// model". read_model(write_model(m)) equals m in everything but the order of members and `definition`.
json::Value write_model(const Model& model);

/// `base` with the members of `changes` in place of its own, e.g. {"layers": 12}: a request that gives both `model` and
/// `architecture`. Members are replaced as a whole; the base's stated total is dropped.
Result<Model> merge_model(const Model& base, const json::Value& changes, std::string_view path);

/// A generic dense language model of that many parameters, interpolated between real families
/// (hidden, layers, heads and ffn grow with size as in Llama 3 / Qwen 3; see generic.cpp for the anchors).
/// `parameters` from 1e7 to 3e12, taken to the nearer end outside; the count of the result is within 3 % of it, and a
/// larger request never gives fewer parameters, layers, hidden or cache.
Model generic_model(Count parameters);

struct ModelCatalogue {
  std::vector<std::shared_ptr<const Model>> models;

  /// By id or alias, case-insensitive, organisation prefix optional, -instruct, -it, -chat, -base and -hf at the end
  /// optional; nullptr when unknown.
  [[nodiscard]] std::shared_ptr<const Model> find(std::string_view name) const;
  /// Up to `limit` ids that resemble `name`, best first, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> similar(std::string_view name, std::size_t limit) const;

  /// Sorts the names of all models for find(); read_models() has done so already. Call it after changing `models`.
  void index();

  struct Name {
    std::string name;  ///< in lower case
    std::uint32_t model = 0;
    std::uint8_t rank = 0;  ///< 0 id, 1 alias, 2 last part of an alias: the lower rank wins
  };
  std::vector<Name> names;  ///< sorted by name
};

/// Reads {"models":[...]}; each bad entry goes to `faults` and the rest lives. Faults beside those of read_model(): a
/// missing or repeated id, and a `params_total` that is not the count (does_not_add_up).
ModelCatalogue read_models(const json::Value& file, std::vector<Error>& faults);

/// Reads another file's {"blocks": {..}, "models": [..]} into the catalogue: networks as graphs over shared blocks.
void append_models(const json::Value& file, ModelCatalogue& catalogue, std::vector<Error>& faults);

}  // namespace vram
