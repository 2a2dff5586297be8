#include "core/report/turned_round.h"

namespace vram {

json::Value turned_round_to_json(const Evaluation& evaluation, const Facts& facts) {
  json::Value largest = json::Value::array();
  for (const Field field : turnable_fields(evaluation.scenario)) {
    const auto found = largest_value(evaluation, facts, field);
    if (!found) continue;
    json::Value entry = json::Value::object();
    entry.set("field", row_of(field).name).set("value", found->value).set("limit", found->limit);
    if (std::string_view(found->limit) == "memory") {
      entry.set("grows", kGroupNames[static_cast<std::size_t>(found->grows)]);
    }
    largest.push(std::move(entry));
  }
  json::Value result = json::Value::object();
  result.set("largest", std::move(largest));
  if (std::string weights = best_weights(evaluation, facts); !weights.empty()) result.set("best_weights", weights);
  if (const TierFit* tier = smallest_tier(evaluation)) result.set("tier", tier->tier->id);
  if (const ConfigurationFit* machine = smallest_machine(evaluation)) {
    result.set("configuration", machine->configuration->id);
  }
  return result;
}

json::Value model_fits_to_json(const std::vector<ModelFit>& models) {
  json::Value list = json::Value::array();
  for (const ModelFit& fit : models) {
    json::Value entry = json::Value::object();
    entry.set("model", fit.model->id)
        .set("name", fit.model->name)
        .set("parameters", fit.model->parameters)
        .set("weights", fit.weights)
        .set("verdict", name_in(kVerdictNames, fit.verdict))
        .set("need", fit.need)
        .set("usable", fit.usable)
        .set("most", kGroupNames[static_cast<std::size_t>(fit.most)]);
    list.push(std::move(entry));
  }
  return list;
}

}  // namespace vram
