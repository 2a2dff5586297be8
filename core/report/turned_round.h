// Turned-round answers as plain data.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/fit/turned_round.h"

namespace vram {

/// {"largest":[{"field","value","limit","grows"}], "best_weights":.., "tier":.., "configuration":..}: everything but the
/// models, which take longer.
json::Value turned_round_to_json(const Evaluation& evaluation, const Facts& facts);

/// [{"model","name","parameters","weights","verdict","need","usable","most"}]
json::Value model_fits_to_json(const std::vector<ModelFit>& models);

}  // namespace vram
