#include "core/report/answer.h"

namespace vram {
namespace {

json::Value object() { return json::Value::object(); }
json::Value array() { return json::Value::array(); }

json::Value of(const Band& band) {
  json::Value value = object();
  value.set("low", band.low).set("expected", band.expected).set("high", band.high);
  return value;
}

json::Value of(const Memory& memory) {
  json::Value value = object();
  value.set("allocated", of(memory.allocated))
      .set("reserved", of(memory.reserved))
      .set("device", of(memory.device))
      .set("need", of(memory.need));
  return value;
}

json::Value of(const Item& item, const Formulas& formulas) {
  json::Value phases = array();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    if (item.phases.has(static_cast<Phase>(i))) phases.push(kPhaseNames[i]);
  }
  json::Value terms = array();
  for (const Term& term : item.terms) {
    json::Value pair = array();
    pair.push(term.name).push(term.value);
    terms.push(std::move(pair));
  }
  json::Value formula = object();
  formula.set("id", item.formula).set("terms", std::move(terms));
  std::string source = item.source;
  if (const FormulaNote* note = formulas.find(item.formula); note != nullptr && source.empty()) source = note->source;

  json::Value value = object();
  value.set("id", item.id)
      .set("group", kGroupNames[static_cast<std::size_t>(item.group)])
      .set("level", kLevelNames[static_cast<std::size_t>(item.level)])
      .set("phases", std::move(phases))
      .set("bytes", of(item.bytes))
      .set("formula", std::move(formula))
      .set("source", source);
  return value;
}

json::Value gpus_of(const Evaluation& evaluation, const Formulas& formulas) {
  std::vector<json::Value> items_by_device;
  for (const DeviceLedger& device : evaluation.ledger.devices) {
    json::Value items = array();
    for (const Item& item : device.items) items.push(of(item, formulas));
    items_by_device.push_back(std::move(items));
  }
  json::Value list = array();
  for (const GpuFit& fit : evaluation.gpus) {
    const GpuSlot& slot = evaluation.scenario.gpus[fit.slot];
    json::Value gpu = object();
    gpu.set("gpu", slot.gpu->id)
        .set("usable", slot.usable)
        .set("memory", of(fit.memory))
        .set("margin", slot.margin)
        .set("display", slot.display.expected)
        .set("layers",
             evaluation.ledger.devices[fit.device].layer_end - evaluation.ledger.devices[fit.device].first_layer)
        .set("verdict", name_in(kVerdictNames, fit.verdict))
        .set("items", items_by_device[fit.device]);
    list.push(std::move(gpu));
  }
  return list;
}

json::Value phases_json(const Evaluation& evaluation) {
  const DeviceLedger& device = evaluation.ledger.devices[busiest(evaluation.ledger)];
  const Phases present = phases_of(device);
  json::Value list = array();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    const auto phase = static_cast<Phase>(i);
    if (!present.has(phase)) continue;
    json::Value entry = object();
    entry.set("id", kPhaseNames[i]).set("allocated", of(memory_in_phase(device, phase).allocated));
    list.push(std::move(entry));
  }
  return list;
}

json::Value values_of(const std::vector<RuleCheck::Value>& values) {
  json::Value map = object();
  for (const RuleCheck::Value& value : values) {
    map.set(value.name, value.text.empty() ? json::Value(value.value) : json::Value(value.text));
  }
  return map;
}

json::Value tiers_of(const Evaluation& evaluation) {
  json::Value list = array();
  for (const TierFit& fit : evaluation.tiers) {
    json::Value tier = object();
    tier.set("id", fit.tier->id)
        .set("usable", fit.tier->usable)
        .set("verdict", name_in(kVerdictNames, fit.verdict))
        .set("need", fit.need);
    list.push(std::move(tier));
  }
  return list;
}

json::Value suggestion_list(const std::vector<Suggestion>& suggestions) {
  json::Value list = array();
  for (const Suggestion& suggestion : suggestions) {
    // The change in the request's own JSON form, so that a client can merge it as it is.
    Request change;
    (void)set_from_text(change, row_of(suggestion.field).name, suggestion.value);
    if (suggestion.also) (void)set_from_text(change, row_of(suggestion.also->field).name, suggestion.also->value);
    json::Value entry = object();
    entry.set("change", request_to_json(change))
        .set("saves", suggestion.saves)
        .set("verdict", name_in(kVerdictNames, suggestion.verdict))
        .set("cost", suggestion.cost);
    list.push(std::move(entry));
  }
  return list;
}

json::Value configurations_of(const Evaluation& evaluation) {
  json::Value list = array();
  for (const ConfigurationFit& fit : evaluation.configurations) {
    json::Value rules = array();
    for (const RuleCheck& check : fit.rules) {
      json::Value rule = object();
      rule.set("id", check.id).set("ok", check.ok).set("values", values_of(check.values));
      rules.push(std::move(rule));
    }
    json::Value configuration = object();
    configuration.set("id", fit.configuration->id)
        .set("verdict", name_in(kVerdictNames, fit.verdict))
        .set("need", fit.need)
        .set("usable", fit.usable)
        .set("rules", std::move(rules))
        .set("spare", fit.spare);
    if (*fit.reason != '\0') configuration.set("reason", fit.reason);
    if (fit.most_context) configuration.set("most_context", fit.most_context);
    if (fit.most_batch) configuration.set("most_batch", fit.most_batch);
    if (list.items().empty() && !evaluation.nearest_changes.empty()) {
      configuration.set("changes", suggestion_list(evaluation.nearest_changes));
    }
    list.push(std::move(configuration));
  }
  return list;
}

json::Value advice_of(const Evaluation& evaluation) {
  static constexpr std::array<std::string_view, 3> kLevels = {"info", "advise", "must"};
  json::Value list = array();
  for (const Advice& advice : evaluation.advice) {
    json::Value entry = object();
    entry.set("id", advice.id)
        .set("topic", name_in(kTopicNames, advice.topic))
        .set("level", name_in(kLevels, advice.level))
        .set("values", values_of(advice.values))
        .set("source", advice.source);
    list.push(std::move(entry));
  }
  return list;
}

json::Value warnings_of(const Evaluation& evaluation) {
  json::Value list = array();
  for (const Warning& warning : evaluation.scenario.warnings) {
    json::Value values = object();
    for (const Warning::Value& value : warning.values) values.set(value.name, value.text);
    json::Value entry = object();
    entry.set("id", warning.id).set("field", warning.field).set("values", std::move(values));
    list.push(std::move(entry));
  }
  return list;
}

}  // namespace

json::Value answer_to_json(const Evaluation& evaluation, const Catalog& catalog, const Formulas& formulas) {
  json::Value answer = object();
  answer.set("version", kVocabularyVersion).set("catalogue_date", catalog.date).set("memory", of(evaluation.memory));
  if (evaluation.ledger.reservation.applies) {
    const Reservation& reservation = evaluation.ledger.reservation;
    json::Value entry = object();
    entry.set("expected", reservation.bytes)
        .set("cache_tokens", reservation.cache_tokens)
        .set("sequences", reservation.sequences);
    answer.set("reservation", std::move(entry));
  }
  if (const JobAccuracy* accuracy = evaluation.accuracy; accuracy != nullptr) {
    json::Value entry = object();
    entry.set("job", accuracy->id)
        .set("rows", Count(accuracy->rows))
        .set("sources", Count(accuracy->sources))
        .set("median", accuracy->median)
        .set("p90", accuracy->p90);
    answer.set("accuracy", std::move(entry));
  }
  json::Value host = object();
  host.set("ram", of(evaluation.ledger.host.ram))
      .set("checkpoint", evaluation.ledger.host.checkpoint)
      .set("disk", host_needs(evaluation.scenario, evaluation.ledger).disk);
  answer.set("verdict", name_in(kVerdictNames, evaluation.verdict))
      .set("peak_phase", name_in(kPhaseNames, evaluation.peak_phase))
      .set("phases", phases_json(evaluation))
      .set("gpus", gpus_of(evaluation, formulas))
      .set("host", std::move(host))
      .set("tiers", tiers_of(evaluation))
      .set("configurations", configurations_of(evaluation))
      .set("advice", advice_of(evaluation))
      .set("suggestions", suggestion_list(evaluation.suggestions))
      .set("warnings", warnings_of(evaluation));
  return answer;
}

std::string error_sentence(const Error& error, const Texts& texts) {
  const std::string key = "error." + std::string(id_of(error.code));
  std::string sentence = texts.fill(key, {{"field", error.where}, {"got", error.got}, {"expected", error.expected}});
  if (error.line == 0) return sentence;
  return texts.fill("error.at_line", {{"line", std::to_string(error.line)}, {"message", sentence}});
}

json::Value error_to_json(const Error& error, const Texts& texts) {
  json::Value inner = object();
  inner.set("code", id_of(error.code))
      .set("field", error.where)
      .set("got", error.got)
      .set("expected", error.expected)
      .set("message", error_sentence(error, texts));
  json::Value outer = object();
  outer.set("error", std::move(inner));
  return outer;
}

}  // namespace vram
