#include <algorithm>
#include <cmath>
#include <string>

#include "core/report/table.h"
#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/bar.h"
#include "wasm/ui/widgets/fold.h"
#include "wasm/ui/widgets/pill.h"

namespace vram::ui {
namespace {

constexpr std::size_t kMostFitting = 4;
constexpr float kNarrow = 380;  ///< rows below this put the verdict, or the bar, on a line of its own

float widest_verdict(const Ui& ui) {
  float width = 0;
  for (std::size_t i = 0; i < kVerdictNames.size(); ++i) {
    width = std::max(width, text_width(ui, kLabelStrong, verdict_text(*ui.texts, static_cast<Verdict>(i))));
  }
  return std::ceil(width);
}

std::string cards_text(const Configuration& configuration, const GpuCatalogue& gpus) {
  std::string text;
  for (const ConfigurationGpus& cards : configuration.gpus) {
    const auto gpu = gpus.find(cards.gpu_id);
    if (!text.empty()) text += " + ";
    if (cards.count > 1) text += std::to_string(cards.count) + " \u00d7 ";
    text += gpu ? gpu->name : cards.gpu_id;
  }
  return text;
}

/// Price and availability, as the vendor writes them.
std::string shop_text(const Configuration& machine) {
  std::string text = machine.price;
  if (!text.empty() && !machine.availability.empty()) text += " \u00b7 ";
  return text + machine.availability;
}

std::string outcome_text(const Ui& ui, const ConfigurationFit& fit) {
  if (fit.verdict != Verdict::no) {
    std::string text = ui.texts->fill("ui.spare", {{"n", gigabytes(*ui.texts, fit.spare)}});
    const Count room = max(fit.most_context, fit.most_batch);
    if (room) {
      text.append(", ").append(ui.texts->fill(fit.most_context ? "ui.room_context" : "ui.room_batch",
                                              {{"n", format_integer(room.value(), ui.texts->numbers())}}));
    }
    return text;
  }
  const std::string key = "reason." + std::string(fit.reason);
  if (std::string_view(fit.reason) == "memory") {
    return ui.texts->fill(key,
                          {{"need", gigabytes(*ui.texts, fit.need)}, {"usable", gigabytes(*ui.texts, fit.usable)}});
  }
  std::string text(ui.text(*fit.reason == '\0' ? "verdict.no" : std::string_view(key)));
  for (const RuleCheck& rule : fit.rules) {
    if (std::string_view(rule.id) != fit.reason) continue;
    for (const RuleCheck::Value& value : rule.values) {
      const std::string number =
          is_bytes(value) ? gigabytes(*ui.texts, value.value) : format_integer(value.value, ui.texts->numbers());
      text = fill_pattern(text, {{value.name, number}});
    }
  }
  return text;
}

/// What a bigger step adds to the smallest machine that fits.
std::string step_text(const Ui& ui, const ConfigurationFit& fit, const ConfigurationFit& smallest) {
  if (fit.verdict > Verdict::fits || smallest.verdict > Verdict::fits || fit.spare < smallest.spare + kGiB) return {};
  return " (" + ui.texts->fill("ui.step_adds", {{"n", gigabytes(*ui.texts, fit.spare - smallest.spare)}}) + ")";
}

/// "KV cache: Q8_0; context: 4,096 tokens", what would make the job fit the nearest machine.
std::string changes_text(const Ui& ui, const std::vector<Suggestion>& changes) {
  std::string text;
  for (const Suggestion& change : changes) {
    const FieldRow& row = row_of(change.field);
    if (!text.empty()) text += "; ";
    text.append(ui.text("field." + std::string(row.name))).append(": ");
    text += shown_value(*ui.texts, row, change.value);
  }
  return text;
}

/// Sign, name, cards and outcome; the verdict stands at the right where there is room.
void draw_machine(Ui& ui, Column& column, const AnswerView& view, const ConfigurationFit& fit) {
  const float sign = 28;
  const ImU32 colour = ui.colours->of(fit.verdict);
  Column inner{column.x + sign, column.y + 6, column.width - sign};
  mark(ui, mark_of(fit.verdict), {column.x + 9, inner.y + std::floor(kControl.size * ui.text_scale * 0.7F)}, 12,
       colour);
  const std::string verdict = verdict_text(*ui.texts, fit.verdict);
  std::string details = cards_text(*fit.configuration, view.catalog->facts.gpus) + " \u00b7 " + outcome_text(ui, fit) +
                        step_text(ui, fit, view.evaluation->configurations.front());
  Column name = inner;
  if (column.width >= kNarrow * ui.text_scale) {
    const float line = std::ceil(kControl.size * ui.text_scale * 1.4F);
    text_in(ui, ImRect(inner.x, inner.y, inner.x + inner.width, inner.y + line), kLabelStrong, colour, verdict,
            Align::right);
    name.width -= std::ceil(text_width(ui, kLabelStrong, verdict)) + 12;
  } else if (fit.verdict != Verdict::no) {
    details = verdict + " \u00b7 " + details;
  }
  paragraph(ui, name, kControl, ui.colours->text, fit.configuration->name);
  inner.y = name.y;
  paragraph(ui, inner, kNote, ui.colours->muted, details);
  const std::string_view sold = fit.configuration->text.in(ui.texts->language());
  if (!sold.empty()) paragraph(ui, inner, kNote, ui.colours->muted, sold);
  const std::string shop = shop_text(*fit.configuration);
  if (!shop.empty()) paragraph(ui, inner, kNote, ui.colours->text, shop);
  column.y = inner.y + 6;
}

}  // namespace

void draw_tiers(Ui& ui, Column& column, const AnswerView& view) {
  const float verdict_width = widest_verdict(ui) + 22;
  float name_width = 0;
  for (const TierFit& fit : view.evaluation->tiers) {
    name_width = std::max(name_width, std::ceil(text_width(ui, kControlStrong, tier_label(*fit.tier, *ui.texts))));
  }
  const bool narrow = column.width < kNarrow * ui.text_scale;
  const bool stacked = name_width + verdict_width + 12 > column.width;
  for (const TierFit& fit : view.evaluation->tiers) {
    ImRect row = column.take(34);
    text_in(ui, ImRect(row.Min, {row.Min.x + name_width, row.Max.y}), kControlStrong, ui.colours->text,
            tier_label(*fit.tier, *ui.texts));
    if (stacked) row = column.take(34);
    const float middle = row.GetCenter().y;
    const float word = stacked ? row.Min.x : row.Max.x - verdict_width;
    const ImU32 colour = ui.colours->of(fit.verdict);
    mark(ui, mark_of(fit.verdict), {word + 6, middle}, 11, colour);
    text_in(ui, ImRect(word + 20, row.Min.y, row.Max.x, row.Max.y), kLabelStrong, colour,
            verdict_text(*ui.texts, fit.verdict));
    const double share = fit.tier->usable ? fit.need.as_double() / fit.tier->usable.as_double() : 0;
    const float left = row.Min.x + name_width + 14;
    if (!narrow) {
      thin_bar(ui, ImRect(left, middle - 4, word - 14, middle + 4), share, colour);
    } else {
      thin_bar(ui, column.take(8), share, colour);
      column.space(8);
    }
    paragraph(ui, column, kNote, ui.colours->muted, fit.tier->starting_point.in(ui.texts->language()));
    column.space(6);
  }
}

void draw_machines(Ui& ui, Column& column, const AnswerView& view) {
  const auto& all = view.evaluation->configurations;
  const auto first_not =
      std::find_if(all.begin(), all.end(), [](const ConfigurationFit& fit) { return fit.verdict == Verdict::no; });
  const auto fitting = static_cast<std::size_t>(first_not - all.begin());
  const std::size_t shown = std::min(fitting, kMostFitting);
  if (all.empty()) return;
  paragraph(ui, column, kNote, ui.colours->muted,
            ui.texts->fill(fitting == 0            ? "ui.machines_none"
                           : fitting == all.size() ? "ui.machines_all"
                           : fitting == 1          ? "ui.machines_one"
                                                   : "ui.machines_fit",
                           {{"n", std::to_string(fitting)}, {"all", std::to_string(all.size())}}));
  const auto is_sample = [](const ConfigurationFit& fit) { return fit.configuration->synthetic; };
  if (std::any_of(all.begin(), all.end(), is_sample)) {
    paragraph(ui, column, kNote, ui.colours->muted, ui.text("ui.sample_machines"));
  }
  column.space(4);
  for (std::size_t i = 0; i < shown; ++i) draw_machine(ui, column, view, all[i]);
  if (first_not != all.end()) draw_machine(ui, column, view, *first_not);
  if (fitting == 0 && !view.evaluation->nearest_changes.empty()) {
    const std::string changes = changes_text(ui, view.evaluation->nearest_changes);
    paragraph(ui, column, kLabel, ui.colours->text, ui.texts->fill("ui.changes_nearest", {{"changes", changes}}));
    column.space(6);
  }
  const std::size_t left = all.size() - shown - (first_not != all.end() ? 1 : 0);
  if (left == 0) return;
  if (!fold(ui, column, id_of("machines.rest"), ui.text("ui.machines_rest"), std::to_string(left))) return;
  for (std::size_t i = shown; i < all.size(); ++i) {
    if (i != fitting) draw_machine(ui, column, view, all[i]);
  }
}

}  // namespace vram::ui
