#include <algorithm>
#include <cmath>
#include <string>

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

std::string tier_text(const Ui& ui, const Tier& tier) {
  const std::string key = "tier." + tier.id;
  return ui.texts->has(key) ? std::string(ui.text(key)) : tier.id;
}

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

std::string outcome_text(const Ui& ui, const ConfigurationFit& fit) {
  if (fit.verdict != Verdict::no) {
    return ui.texts->fill("ui.spare", {{"n", gigabytes(*ui.texts, fit.spare)}});
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

/// Sign, name, cards and outcome; the verdict stands at the right where there is room.
void draw_machine(Ui& ui, Column& column, const AnswerView& view, const ConfigurationFit& fit) {
  const float sign = 28;
  const ImU32 colour = ui.colours->of(fit.verdict);
  Column inner{column.x + sign, column.y + 6, column.width - sign};
  mark(ui, mark_of(fit.verdict), {column.x + 9, inner.y + std::floor(kControl.size * ui.text_scale * 0.7F)}, 12,
       colour);
  const std::string verdict = verdict_text(*ui.texts, fit.verdict);
  std::string details = cards_text(*fit.configuration, view.catalog->facts.gpus) + " \u00b7 " + outcome_text(ui, fit);
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
  column.y = inner.y + 6;
}

}  // namespace

void draw_tiers(Ui& ui, Column& column, const AnswerView& view) {
  const float verdict_width = widest_verdict(ui) + 22;
  float name_width = 0;
  for (const TierFit& fit : view.evaluation->tiers) {
    name_width = std::max(name_width, std::ceil(text_width(ui, kControlStrong, tier_text(ui, *fit.tier))));
  }
  const bool narrow = column.width < kNarrow * ui.text_scale;
  const bool stacked = name_width + verdict_width + 12 > column.width;
  for (const TierFit& fit : view.evaluation->tiers) {
    ImRect row = column.take(34);
    text_in(ui, ImRect(row.Min, {row.Min.x + name_width, row.Max.y}), kControlStrong, ui.colours->text,
            tier_text(ui, *fit.tier));
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
  column.space(4);
  for (std::size_t i = 0; i < shown; ++i) draw_machine(ui, column, view, all[i]);
  if (first_not != all.end()) draw_machine(ui, column, view, *first_not);
  const std::size_t left = all.size() - shown - (first_not != all.end() ? 1 : 0);
  if (left == 0) return;
  if (!fold(ui, column, id_of("machines.rest"), ui.text("ui.machines_rest"), std::to_string(left))) return;
  for (std::size_t i = shown; i < all.size(); ++i) {
    if (i != fitting) draw_machine(ui, column, view, all[i]);
  }
}

}  // namespace vram::ui
