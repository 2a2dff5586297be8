// Hugging Face's config.json as a catalogue entry.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/imports/config_view.h"

namespace vram::imports {

struct ConfigReading {
  json::Value entry;    ///< the flat or layered form of a model, as in catalog/models.json
  std::string weights;  ///< the request's word for the storage format; empty when the file does not say
  std::vector<Assumption> assumed;
};

/// Errors: missing_field where the file is no model's configuration.
Result<ConfigReading> read_hf_config(const json::Value& config);

/// The storage format that `quantization_config` and `torch_dtype` stand for; empty when they name none we know.
std::string weights_of_config(const ConfigView& config, std::vector<Assumption>& assumed);

}  // namespace vram::imports
