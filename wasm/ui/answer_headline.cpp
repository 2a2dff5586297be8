#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/number.h"
#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/bar.h"
#include "wasm/ui/widgets/pill.h"

namespace vram::ui {
namespace {

constexpr std::size_t kMostBars = 4;   ///< of GPUs that hold the same
constexpr std::size_t kMostKinds = 8;  ///< of GPUs that do not

const GpuFit& worst(const Evaluation& evaluation) {
  const GpuFit* result = &evaluation.gpus.front();
  for (const GpuFit& fit : evaluation.gpus) {
    if (fit.verdict > result->verdict) result = &fit;
    if (fit.verdict == result->verdict && result->memory.need.expected < fit.memory.need.expected) result = &fit;
  }
  return *result;
}

Bytes total_of(const Evaluation& evaluation, const GpuFit& fit) {
  const GpuSlot& slot = evaluation.scenario.gpus[fit.slot];
  return fit.memory.need.expected + slot.display.expected + slot.margin;
}

std::vector<BarPart> parts_of(const Ui& ui, const Evaluation& evaluation, const GpuFit& fit) {
  const DeviceLedger& device = evaluation.ledger.devices[fit.device];
  const Phase phase = peak_phase(device);
  std::vector<BarPart> parts;
  for (std::size_t group = 0; group < kGroupCount; ++group) {
    if (static_cast<Group>(group) == Group::cached) continue;
    Bytes bytes;
    for (const Item& item : device.items) {
      if (item.group == static_cast<Group>(group) && item.phases.has(phase)) bytes += item.bytes.expected;
    }
    if (bytes) parts.push_back({ui.colours->fill(static_cast<Group>(group)), bytes.as_double(), false});
  }
  const GpuSlot& slot = evaluation.scenario.gpus[fit.slot];
  const Bytes reserve = slot.display.expected + slot.margin;
  if (reserve) parts.push_back({{}, reserve.as_double(), true});
  return parts;
}

/// "14.5 GB" and, on the same line where there is room, "of 31.8 GB usable".
void draw_number(Ui& ui, Column& column, const Evaluation& evaluation, const GpuFit& fit) {
  const std::string number = gigabytes(*ui.texts, fit.memory.need.expected);
  const std::string of =
      ui.texts->fill("ui.of_usable", {{"n", gigabytes(*ui.texts, evaluation.scenario.gpus[fit.slot].usable)}});
  const ImRect line = column.take(std::ceil(line_height(ui, kHeadline)));
  const float width = std::ceil(text_width(ui, kHeadline, number));
  text_in(ui, ImRect(line.Min, {line.Min.x + std::max(width, 1.0F), line.Max.y}), kHeadline, ui.colours->text, number);
  const float left = line.Min.x + width + 12;
  if (left + text_width(ui, kBody, of) <= line.Max.x) {
    // On the number's base line.
    const float drop = (line_height(ui, kHeadline) - line_height(ui, kBody)) * 0.29F;
    text_in(ui, ImRect(left, line.Min.y + 2 * drop, line.Max.x, line.Max.y), kBody, ui.colours->muted, of);
  } else {
    paragraph(ui, column, kBody, ui.colours->muted, of);
  }
}

std::string bar_title(const Ui& ui, const Evaluation& evaluation, const DeviceLedger& device, const GpuFit& fit) {
  const std::string& name = evaluation.scenario.gpus[fit.slot].gpu->name;
  if (device.gpus.size() > 1) {
    return ui.texts->fill("ui.times_gpu", {{"n", std::to_string(device.gpus.size())}, {"gpu", name}});
  }
  return ui.texts->fill("ui.nth_gpu", {{"n", std::to_string(fit.slot + 1)}, {"gpu", name}});
}

/// "4 x GeForce RTX 5090, each" and "53.0 of 31.8 GB", below each other where they must.
void draw_bar_title(Ui& ui, Column& column, const Evaluation& evaluation, const DeviceLedger& device,
                    const GpuFit& fit) {
  const std::string title = bar_title(ui, evaluation, device, fit);
  const std::string sizes =
      ui.texts->fill("ui.of_pair", {{"need", gigabytes_number(*ui.texts, fit.memory.need.expected)},
                                    {"usable", gigabytes(*ui.texts, evaluation.scenario.gpus[fit.slot].usable)}});
  const float title_width = std::ceil(text_width(ui, kNote, title));
  const float sizes_width = std::ceil(text_width(ui, kNote, sizes));
  if (title_width + sizes_width + 10 <= column.width) {
    const ImRect line = column.take(std::ceil(line_height(ui, kNote)) + 10);
    text_in(ui, ImRect(line.Min, {line.Min.x + title_width, line.Max.y}), kNote, ui.colours->text, title);
    text_in(ui, line, kNote, ui.colours->of(fit.verdict), sizes, Align::right);
  } else {
    paragraph(ui, column, kNote, ui.colours->text, title);
    paragraph(ui, column, kNote, ui.colours->of(fit.verdict), sizes);
    column.space(4);
  }
}

void draw_device(Ui& ui, Column& column, const Evaluation& evaluation, const DeviceLedger& device, double scale) {
  const GpuFit& fit = evaluation.gpus[device.gpus.front()];
  const bool alone = evaluation.gpus.size() == 1;
  if (!alone) {
    draw_bar_title(ui, column, evaluation, device, fit);
  }
  const std::vector<BarPart> parts = parts_of(ui, evaluation, fit);
  const double limit = evaluation.scenario.gpus[fit.slot].usable.as_double();
  const std::size_t bars = std::min(device.gpus.size(), kMostBars);
  for (std::size_t bar = 0; bar < bars; ++bar) {
    stacked_bar(ui, column, parts, limit, scale, alone ? 34 : bars > 1 ? 18 : 22);
    column.space(alone ? 0 : 6);
  }
  if (device.gpus.size() > bars) {
    paragraph(ui, column, kNote, ui.colours->muted,
              ui.texts->fill("ui.more_alike", {{"n", std::to_string(device.gpus.size() - bars)}}));
  }
  if (!alone) column.space(6);
}

}  // namespace

std::string verdict_text(const Texts& texts, Verdict verdict) {
  return std::string(texts("verdict." + std::string(name_in(kVerdictNames, verdict))));
}

std::string gpus_text(const Scenario& scenario) {
  std::string text;
  for (std::size_t i = 0; i < scenario.gpus.size();) {
    std::size_t end = i + 1;
    while (end < scenario.gpus.size() && scenario.gpus[end].gpu->id == scenario.gpus[i].gpu->id) ++end;
    if (!text.empty()) text += " + ";
    if (end - i > 1) text += std::to_string(end - i) + " \u00d7 ";
    text += scenario.gpus[i].gpu->name;
    i = end;
  }
  return text;
}

void draw_headline(Ui& ui, Column& column, const AnswerView& view) {
  const Evaluation& evaluation = *view.evaluation;
  const GpuFit& fit = worst(evaluation);
  const bool several = evaluation.gpus.size() > 1;
  paragraph(ui, column, kLabel, ui.colours->muted, ui.text(several ? "ui.needed_fullest" : "ui.needed"));
  draw_number(ui, column, evaluation, fit);
  column.space(8);
  verdict_pill(ui, column, evaluation.verdict, verdict_text(*ui.texts, evaluation.verdict),
               gpus_text(evaluation.scenario));
  column.space(10);
  const Band& need = fit.memory.need;
  paragraph(ui, column, kNote, ui.colours->muted,
            ui.texts->fill("ui.band",
                           {{"low", gigabytes_number(*ui.texts, need.low)},
                            {"high", gigabytes(*ui.texts, need.high)},
                            {"phase", ui.text("phase." + std::string(name_in(kPhaseNames, evaluation.peak_phase)))}}));
  if (several) paragraph(ui, column, kNote, ui.colours->muted, ui.text("ui.no_sum"));
  if (const JobAccuracy* accuracy = evaluation.accuracy; accuracy != nullptr) {
    const std::string error = format_decimal(std::max(accuracy->median * 100, 0.1), 1, ui.texts->numbers());
    paragraph(ui, column, kNote, ui.colours->muted,
              ui.texts->fill("ui.accuracy", {{"error", error}, {"n", std::to_string(accuracy->rows)}}));
  }
}

void draw_bars(Ui& ui, Column& column, const AnswerView& view) {
  const Evaluation& evaluation = *view.evaluation;
  double scale = 0;
  for (const GpuFit& fit : evaluation.gpus) {
    scale =
        std::max({scale, total_of(evaluation, fit).as_double(), evaluation.scenario.gpus[fit.slot].usable.as_double()});
  }
  const std::size_t kinds = std::min(evaluation.ledger.devices.size(), kMostKinds);
  for (std::size_t i = 0; i < kinds; ++i) draw_device(ui, column, evaluation, evaluation.ledger.devices[i], scale);
  bar_axis(ui, column, scale);
  if (evaluation.ledger.devices.size() > kinds) {
    paragraph(ui, column, kNote, ui.colours->muted,
              ui.texts->fill("ui.more_devices", {{"n", std::to_string(evaluation.ledger.devices.size() - kinds)}}));
  }
}

std::string summary_of(const Evaluation& evaluation, const Texts& texts) {
  const GpuFit& fit = worst(evaluation);
  return texts.fill("ui.summary", {{"need", gigabytes(texts, fit.memory.need.expected)},
                                   {"usable", gigabytes(texts, evaluation.scenario.gpus[fit.slot].usable)},
                                   {"verdict", verdict_text(texts, evaluation.verdict)},
                                   {"gpus", gpus_text(evaluation.scenario)}});
}

}  // namespace vram::ui
