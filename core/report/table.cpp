#include "core/report/table.h"

#include <algorithm>

namespace vram {
namespace {

/// Length in characters, so that columns line up in UTF-8.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  for (std::size_t i = width_of(text); i < width; ++i) out += ' ';
  return out;
}

std::string aligned_right(std::string_view text, std::size_t width) {
  std::string out;
  for (std::size_t i = width_of(text); i < width; ++i) out += ' ';
  out += text;
  return out;
}

class Writer {
 public:
  Writer(const Evaluation& evaluation, const Formulas& formulas, const Texts& texts, TableOptions options)
      : evaluation_(evaluation), formulas_(formulas), texts_(texts), options_(options) {}

  std::string write(const Catalog& catalog) {
    headline();
    for (const DeviceLedger& device : evaluation_.ledger.devices) device_table(device);
    reservation();
    tiers();
    configurations();
    warnings();
    line(texts_.fill("table.footer", {{"date", catalog.date}}));
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }
  /// GiB, or MiB for what would otherwise read as nothing.
  [[nodiscard]] std::string gib(Bytes bytes) const {
    if (bytes >= kGiB || bytes == Bytes(0)) return format_gib(bytes, texts_.numbers()) + " GiB";
    return format_decimal(bytes.as_double() / kMiB.as_double(), 1, texts_.numbers()) + " MiB";
  }
  [[nodiscard]] std::string verdict(Verdict verdict) const {
    return std::string(texts_("verdict." + std::string(name_in(kVerdictNames, verdict))));
  }

  void headline() {
    const Scenario& scenario = evaluation_.scenario;
    line(scenario.model->name + " · " +
         std::string(texts_("choice.task." + std::string(name_in(kTaskNames, scenario.task)))) + " · " +
         name_of(scenario.weights) + " · " + std::string(name_in(kRuntimeNames, scenario.runtime)));
    const Memory& memory = evaluation_.memory;
    const std::pair<std::string_view, const Band*> levels[] = {{"level.allocated", &memory.allocated},
                                                               {"level.reserved", &memory.reserved},
                                                               {"level.device", &memory.device},
                                                               {"level.need", &memory.need}};
    for (const auto& level : levels) {
      line("  " + padded(texts_(level.first), 34) + aligned_right(gib(level.second->expected), 12) + "   (" +
           gib(level.second->low) + " - " + gib(level.second->high) + ")");
    }
    line("  " + padded(texts_("table.peak_phase"), 34) +
         std::string(texts_("phase." + std::string(name_in(kPhaseNames, evaluation_.peak_phase)))));
    line("");
  }

  void device_table(const DeviceLedger& device) {
    const GpuSlot& slot = evaluation_.scenario.gpus[device.gpus.front()];
    const GpuFit& fit = evaluation_.gpus[device.gpus.front()];
    std::string title = slot.gpu->name;
    if (device.gpus.size() > 1) title = std::to_string(device.gpus.size()) + " x " + title;
    line(title + ": " + gib(fit.memory.need.expected) + " / " + gib(slot.usable) + " - " + verdict(fit.verdict));
    for (const Item& item : device.items) {
      if (item.bytes.high == Bytes(0)) continue;
      item_line(item);
    }
    line("  " + padded(texts_("table.display"), 40) + aligned_right(gib(slot.display.expected), 12));
    line("  " + padded(texts_("table.margin"), 40) + aligned_right(gib(slot.margin), 12));
    line("");
  }

  void item_line(const Item& item) {
    std::string text =
        "  " + padded(texts_("item." + std::string(item.id)), 40) + aligned_right(gib(item.bytes.expected), 12);
    if (!(item.bytes.low == item.bytes.high)) text += "   (" + gib(item.bytes.low) + " - " + gib(item.bytes.high) + ")";
    line(text);
    if (!options_.explain) return;
    const FormulaNote* note = formulas_.find(item.formula);
    line("      " + filled_formula(item, texts_.numbers()) + " = " +
         format_integer(item.bytes.expected.value(), texts_.numbers()) + " B");
    if (note != nullptr) line("      " + note->expression);
    const std::string source = *item.source != '\0' ? item.source : note != nullptr ? note->source : "";
    line("      " + texts_.fill("table.source", {{"source", source}}));
  }

  void reservation() {
    const Reservation& reservation = evaluation_.ledger.reservation;
    if (!reservation.applies) return;
    line(texts_.fill("table.reservation",
                     {{"bytes", gib(reservation.bytes)},
                      {"tokens", format_integer(reservation.cache_tokens.value(), texts_.numbers())},
                      {"sequences", format_integer(reservation.sequences.value(), texts_.numbers())}}));
    line("");
  }

  void tiers() {
    for (const TierFit& fit : evaluation_.tiers) {
      line("  " + padded(tier_label(*fit.tier, texts_), 40) + aligned_right(gib(fit.tier->usable), 12) + "   " +
           verdict(fit.verdict));
    }
    line("");
  }

  void configurations() {
    std::size_t shown = 0;
    for (const ConfigurationFit& fit : evaluation_.configurations) {
      if (shown == 5 || (shown > 0 && fit.verdict == Verdict::no)) break;
      line("  " + padded(fit.configuration->name, 52) + verdict(fit.verdict) + reason(fit));
      ++shown;
    }
    line("");
  }

  [[nodiscard]] std::string reason(const ConfigurationFit& fit) const {
    if (*fit.reason == '\0') return {};
    std::string text =
        texts_.fill("reason." + std::string(fit.reason), {{"need", gib(fit.need)}, {"usable", gib(fit.usable)}});
    for (const RuleCheck& rule : fit.rules) {
      if (std::string_view(rule.id) != fit.reason) continue;
      for (const RuleCheck::Value& value : rule.values) {
        const std::string number = is_bytes(value) ? gib(value.value) : std::to_string(value.value);
        text = fill_pattern(text, {{value.name, number}});
      }
    }
    return " (" + text + ")";
  }

  void warnings() {
    for (const Warning& warning : evaluation_.scenario.warnings) line("! " + warning_sentence(warning, texts_));
  }

  const Evaluation& evaluation_;
  const Formulas& formulas_;
  const Texts& texts_;
  TableOptions options_;
  std::string out_;
};

}  // namespace

std::string answer_table(const Evaluation& evaluation, const Catalog& catalog, const Formulas& formulas,
                         const Texts& texts, TableOptions options) {
  return Writer(evaluation, formulas, texts, options).write(catalog);
}

std::string filled_formula(const Item& item, const NumberStyle& numbers) {
  std::string out = item.formula;
  bool first = true;
  for (const Term& term : item.terms) {
    out += first ? ": " : " · ";
    first = false;
    out += term.name;
    out += ' ';
    out += format_integer(term.value, numbers);
  }
  return out;
}

std::string tier_label(const Tier& tier, const Texts& texts) {
  return texts.fill("tier.label", {{"n", format_integer((tier.gpu->nominal / kGiB).value(), texts.numbers())}});
}

std::string warning_sentence(const Warning& warning, const Texts& texts) {
  std::string sentence(texts("warning." + std::string(warning.id)));
  sentence = fill_pattern(sentence, {{"field", warning.field}});
  for (const Warning::Value& value : warning.values) sentence = fill_pattern(sentence, {{value.name, value.text}});
  return sentence;
}

}  // namespace vram
