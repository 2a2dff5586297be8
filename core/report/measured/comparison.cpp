#include "core/report/measured/comparison.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/format/storage_format.h"
#include "core/report/measured/log_text.h"

namespace vram::measured {
namespace {

constexpr double kLeastFactor = 0.1, kMostFactor = 10;  ///< of the field `calibration`

bool is_one_of(Group group, std::initializer_list<Group> groups) {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

/// Items of these groups on one card, in its largest phase.
Band sum_on(const DeviceLedger& device, std::initializer_list<Group> groups) {
  Band sum;
  const Phase phase = peak_phase(device);
  for (const Item& item : device.items) {
    if (item.phases.has(phase) && is_one_of(item.group, groups) && item.level != Level::device) sum += item.bytes;
  }
  return sum;
}

/// Over all cards, or on the busiest one.
Band sum_of(const Evaluation& evaluation, bool all_cards, std::initializer_list<Group> groups) {
  const Ledger& ledger = evaluation.ledger;
  if (!all_cards) return sum_on(ledger.devices[busiest(ledger)], groups);
  Band sum;
  for (const DeviceLedger& device : ledger.devices) {
    const Band one = sum_on(device, groups);
    const Count cards = device.gpus.size();
    sum += {one.low * cards, one.expected * cards, one.high * cards};
  }
  return sum;
}

Band level_of(const Evaluation& evaluation, bool all_cards, Band Memory::*level) {
  if (!all_cards) return evaluation.memory.*level;
  Band sum;
  for (const GpuFit& gpu : evaluation.gpus) sum += gpu.memory.*level;
  return sum;
}

Band graphs_of(const Evaluation& evaluation) {
  Band sum;
  for (const Item& item : evaluation.ledger.devices[busiest(evaluation.ledger)].items) {
    if (std::string_view(item.id) == "cuda_graphs") sum += item.bytes;
  }
  return sum;
}

/// What a server fills with cache is what its budget leaves: our tokens' worth of it.
Band pool_of(const Evaluation& evaluation, Band cache) {
  const Reservation& reservation = evaluation.ledger.reservation;
  const InferenceSettings& settings = evaluation.scenario.inference;
  const Count held = settings.sequences * settings.context_average;
  if (!reservation.applies || !held) return cache;
  return Band::exact(mul_div(cache.expected, reservation.cache_tokens, held));
}

std::optional<Band> ours_for(Quantity quantity, const Evaluation& evaluation, bool all_cards) {
  using enum Group;
  switch (quantity) {
    case Quantity::weights: return sum_of(evaluation, all_cards, {weights, master_weights});
    case Quantity::kv_cache: return pool_of(evaluation, sum_of(evaluation, all_cards, {kv_cache}));
    case Quantity::state: return sum_of(evaluation, all_cards, {state});
    case Quantity::buffers: return sum_of(evaluation, all_cards, {activations, logits, temporary});
    case Quantity::cuda_graphs: return graphs_of(evaluation);
    case Quantity::allocated:
    case Quantity::failed: return level_of(evaluation, all_cards, &Memory::allocated);
    case Quantity::reserved: return level_of(evaluation, all_cards, &Memory::reserved);
    case Quantity::device:
      if (evaluation.ledger.reservation.applies) return Band::exact(evaluation.ledger.reservation.bytes);
      return level_of(evaluation, all_cards, &Memory::device);
  }
  return std::nullopt;
}

/// The larger part first: what this kind of difference came from when others met it.
std::vector<const char*> causes_of(Quantity quantity, bool more) {
  switch (quantity) {
    case Quantity::weights: return {"format", "tied_copy", "offload"};
    case Quantity::kv_cache:
    case Quantity::state: return {"context", "cache_type", "slots"};
    case Quantity::buffers: return {"attention", "ubatch", "version"};
    case Quantity::cuda_graphs: return {"capture_sizes", "version"};
    case Quantity::allocated: return {"checkpointing", "attention", "longest_batch"};
    case Quantity::reserved:
      return more ? std::vector<const char*>{"fragmentation", "checkpointing", "attention"}
                  : std::vector<const char*>{"moment", "attention"};
    case Quantity::device:
      return more ? std::vector<const char*>{"other_process", "fragmentation", "context_size"}
                  : std::vector<const char*>{"moment", "offload"};
    case Quantity::failed: return {"lower_bound", "fragmentation"};
  }
  return {};
}

Bytes difference(const ComparedItem& item) {
  return item.measured > item.ours.expected ? item.measured - item.ours.expected : item.ours.expected - item.measured;
}

/// What our buffers must be multiplied with so that this reading comes out.
std::optional<double> factor_for(const ComparedItem& item, Bytes buffers) {
  if (!buffers) return std::nullopt;
  const Bytes rest = item.quantity == Quantity::buffers ? Bytes() : item.ours.expected - buffers;
  if (item.measured <= rest) return std::nullopt;
  const double factor = (item.measured - rest).as_double() / buffers.as_double();
  if (factor < kLeastFactor || factor > kMostFactor) return std::nullopt;
  return scaled(1000, factor).as_double() / 1000;
}

std::optional<double> calibration_of(const LogReading& reading, const Comparison& comparison,
                                     const Evaluation& evaluation) {
  // The best witness first; a failed run's figure is a lower bound and corrects nothing, a server's budget neither.
  for (const Quantity quantity : {Quantity::buffers, Quantity::allocated, Quantity::reserved, Quantity::device}) {
    if (quantity == Quantity::device && evaluation.ledger.reservation.applies) continue;
    for (const ComparedItem& item : comparison.items) {
      if (item.quantity != quantity || reading.find(Quantity::failed) != nullptr) continue;
      const bool all_cards = reading.find(quantity)->gpus > 1;
      return factor_for(item, ours_for(Quantity::buffers, evaluation, all_cards)->expected);
    }
  }
  return std::nullopt;
}

/// "Meta Llama 3.1 8B Instruct" -> "meta-llama-3.1-8b-instruct"; "llama3.1:8b" -> "llama-3.1-8b" is not attempted.
std::string id_of_name(std::string_view name) {
  std::string id = lower(name);
  for (char& c : id) {
    if (c == ' ' || c == '_' || c == ':') c = '-';
  }
  return id;
}

json::Value json_of(Band band) {
  json::Value value = json::Value::object();
  value.set("low", band.low).set("expected", band.expected).set("high", band.high);
  return value;
}

}  // namespace

Comparison compare(const LogReading& reading, const Evaluation& evaluation) {
  Comparison result;
  for (const Measurement& measurement : reading.measurements) {
    const auto ours = ours_for(measurement.quantity, evaluation, measurement.gpus > 1);
    if (ours) result.items.push_back({measurement.quantity, measurement.bytes, *ours});
  }
  result.largest = result.items.size();
  Bytes most;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    // Totals hold the parts: where parts were measured, the part is named.
    const bool total = result.items[i].quantity >= Quantity::allocated;
    if (total && result.items.size() > 1 && result.items.front().quantity < Quantity::allocated) continue;
    const Bytes bytes = difference(result.items[i]);
    if (bytes <= most) continue;
    most = bytes;
    result.largest = i;
  }
  if (result.largest < result.items.size()) {
    const ComparedItem& item = result.items[result.largest];
    result.causes = causes_of(item.quantity, item.measured > item.ours.expected);
  }
  result.calibration = calibration_of(reading, result, evaluation);
  return result;
}

Request request_of_log(const LogReading& reading, const Request& base, const Facts& facts) {
  Request request = base;
  // Settings that only other engines know would be errors beside this one.
  for (const Setting& setting : reading.settings) {
    (void)set_from_text(request, row_of(setting.field).name, setting.value);
  }
  if (!reading.weights_name.empty()) (void)set_from_text(request, "weights", reading.weights_name);
  if (!reading.model_name.empty()) {
    const std::string id = id_of_name(reading.model_name);
    auto model = facts.models.find(reading.model_name);
    if (!model) model = facts.models.find(id);
    if (!model && id.starts_with("meta-")) model = facts.models.find(id.substr(5));
    if (model) {
      request.clear(Field::architecture);
      request.clear(Field::parameters_b);
      request.set(Field::model, FieldValue(model->id));
    }
  }
  return request;
}

json::Value comparison_to_json(const LogReading& reading, const Request& request, const Comparison& comparison) {
  json::Value sources = json::Value::array();
  for (const Source source : reading.sources) sources.push(kSourceNames[static_cast<std::size_t>(source)]);
  json::Value items = json::Value::array();
  for (const ComparedItem& item : comparison.items) {
    json::Value entry = json::Value::object();
    entry.set("quantity", kQuantityNames[static_cast<std::size_t>(item.quantity)])
        .set("measured", item.measured)
        .set("ours", json_of(item.ours))
        .set("difference", item.measured.as_double() - item.ours.expected.as_double());
    items.push(std::move(entry));
  }
  json::Value causes = json::Value::array();
  for (const char* cause : comparison.causes) causes.push(cause);
  json::Value result = json::Value::object();
  result.set("sources", std::move(sources)).set("request", request_to_json(request)).set("model", reading.model_name);
  result.set("items", std::move(items));
  if (comparison.largest < comparison.items.size()) {
    result.set("largest", kQuantityNames[static_cast<std::size_t>(comparison.items[comparison.largest].quantity)]);
  }
  result.set("causes", std::move(causes));
  if (comparison.calibration) result.set("calibration", *comparison.calibration);
  return result;
}

}  // namespace vram::measured
