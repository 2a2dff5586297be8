// The models that ship, read once, and shorthands for building and reading descriptions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/embedded_files.h"
#include "core/base/json.h"
#include "core/model/read_model.h"

namespace vram::testing {

struct ShippedModels {
  ModelCatalogue catalogue;
  std::vector<Error> faults;
};

inline const ShippedModels& shipped_models() {
  static const ShippedModels shipped = [] {
    ShippedModels result;
    for (const embedded::File& file : embedded::catalog_files()) {
      if (!file.name.ends_with("models.json")) continue;
      const Result<json::Value> value = json::parse(file.text);
      if (value) append_models(*value, result.catalogue, result.faults);
    }
    return result;
  }();
  return shipped;
}

/// A catalogue model; an empty one when the catalogue does not hold it, which no test takes for a model.
inline const Model& shipped_model(std::string_view name) {
  static const Model none;
  const std::shared_ptr<const Model> model = shipped_models().catalogue.find(name);
  return model ? *model : none;
}

inline Result<Model> read_text(std::string_view text, bool strict = true) {
  const Result<json::Value> value = json::parse(text);
  return value ? read_model(*value, "m", strict) : Result<Model>(value.error());
}

/// Equal in everything but the text they were read from.
inline bool same_model(const Model& a, const Model& b) {
  return a.id == b.id && a.name == b.name && a.family == b.family && a.license == b.license && a.source == b.source &&
         a.aliases == b.aliases && a.license_verified == b.license_verified && a.unverified == b.unverified &&
         a.kind == b.kind && a.hidden == b.hidden && a.vocab == b.vocab && a.embedding_dim == b.embedding_dim &&
         a.tied == b.tied && a.has_output == b.has_output && a.output_bias == b.output_bias &&
         a.positions == b.positions && a.token_types == b.token_types && a.norm == b.norm &&
         a.embedding_norm == b.embedding_norm && a.final_norm == b.final_norm && a.pooler == b.pooler &&
         a.linear_bias == b.linear_bias && a.parallel_block == b.parallel_block && a.post_norms == b.post_norms &&
         a.final_softcap == b.final_softcap && a.relative_biases == b.relative_biases &&
         a.relative_rows == b.relative_rows && a.context_max == b.context_max &&
         a.per_layer_embedding == b.per_layer_embedding && a.classes == b.classes && a.projection == b.projection &&
         a.projection_bias == b.projection_bias && a.patch == b.patch && a.image == b.image &&
         a.class_token == b.class_token && a.mel_bins == b.mel_bins && a.encoder_positions == b.encoder_positions &&
         a.extra_parameters == b.extra_parameters && a.kinds == b.kinds && a.order == b.order &&
         a.encoder == b.encoder && a.mtp == b.mtp && a.towers == b.towers && a.parameters == b.parameters &&
         a.active_parameters == b.active_parameters && a.published_parameters == b.published_parameters;
}

}  // namespace vram::testing
