// The result, card by card. Everything shown is read from the evaluation; nothing is computed here but shares of a bar.
#pragma once

#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "wasm/ui/ui.h"

namespace vram::ui {

struct AnswerView {
  const Evaluation* evaluation = nullptr;
  const Formulas* formulas = nullptr;
  const Catalog* catalog = nullptr;
};

/// The number per GPU, the verdict with its GPU, the interval; all that a narrow page shows first. With `bars` the bars.
void draw_headline(Ui& ui, Column& column, const AnswerView& view);
/// One bar per GPU, equal ones together, and the axis.
void draw_bars(Ui& ui, Column& column, const AnswerView& view);
/// A row per group, largest phase only; each opens to its items with formula, numbers and source.
void draw_legend(Ui& ui, Column& column, const AnswerView& view);
/// The tiers with their verdicts, then the machines that fit, smallest first, and the nearest that does not.
void draw_tiers(Ui& ui, Column& column, const AnswerView& view);
void draw_machines(Ui& ui, Column& column, const AnswerView& view);
/// Single changes that help; returns the one that was pressed.
const Suggestion* draw_suggestions(Ui& ui, Column& column, const AnswerView& view);
/// The machine around the cards, topic by topic: platform, power, memory, drives, room to grow.
void draw_machine_advice(Ui& ui, Column& column, const AnswerView& view);
/// A sentence with the sign of a caution or a dot before it.
void draw_remark(Ui& ui, Column& column, std::string_view text, bool caution);
/// What is assumed, what to know, what a server reserves, what lies in system memory.
void draw_remarks(Ui& ui, Column& column, const AnswerView& view);

/// "4 x GeForce RTX 5090", or the names of unlike cards.
std::string gpus_text(const Scenario& scenario);
std::string verdict_text(const Texts& texts, Verdict verdict);
/// One or two sentences for the live region.
std::string summary_of(const Evaluation& evaluation, const Texts& texts);

}  // namespace vram::ui
