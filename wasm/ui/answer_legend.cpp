#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/number.h"
#include "core/report/table.h"
#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/bar.h"
#include "wasm/ui/widgets/fold.h"
#include "wasm/ui/widgets/marks.h"

namespace vram::ui {
namespace {

constexpr float kPercentFrom = 330;  ///< narrower rows drop the share

struct Row {
  std::string_view label;
  Bytes bytes;
  std::string share;
  std::string_view id;
  bool reserve = false;
  Group group = Group::weights;
};

/// Swatch, name, share, size; true while the row is open.
bool draw_row(Ui& ui, Column& column, const Row& row, bool opens) {
  constexpr float kSwatch = 14;
  constexpr float kChevron = 22;
  const bool wide = column.width >= kPercentFrom * ui.text_scale;
  const std::string size = gigabytes(*ui.texts, row.bytes);
  const float size_width = std::max(wide ? 76.0F * ui.text_scale : 0.0F, std::ceil(text_width(ui, kControl, size)));
  const float share_width = wide && !row.share.empty() ? 52 * ui.text_scale + 8 : 0;
  const float label_room = column.width - kSwatch - 10 - share_width - 8 - size_width - kChevron;
  const float label_height = paragraph_height(ui, kControl, row.label, label_room);

  const ImRect area = column.take(std::max(kControlHeight, label_height + 8));
  const ImGuiID id = id_of(row.id, id_of("legend"));
  bool open = opens && is_unfolded(ui, id);
  bool lit = false;
  if (opens) {
    const Press pressed = press(ui, id, area, {Role::fold, row.label, ui.text(open ? "ui.open" : "ui.closed")});
    if (pressed.clicked) set_unfolded(ui, id, open = !open);
    lit = pressed.hovered;
  }
  const float middle = area.GetCenter().y;
  const ImRect swatch(area.Min.x, middle - kSwatch / 2, area.Min.x + kSwatch, middle + kSwatch / 2);
  if (row.reserve) {
    ui.draw->AddRectFilled(swatch.Min, swatch.Max, ui.colours->line, 4);
    ui.draw->AddRect(swatch.Min, swatch.Max, ui.colours->muted, 4);
  } else {
    fill_rect(ui, swatch, ui.colours->fill(row.group), 4, ImDrawFlags_RoundCornersAll);
  }
  float right = area.Max.x;
  if (opens)
    mark(ui, open ? Mark::down : Mark::right, {right - 6, middle}, 9, lit ? ui.colours->accent : ui.colours->muted);
  right -= kChevron;
  text_in(ui, ImRect(right - size_width, area.Min.y, right, area.Max.y), kControl, ui.colours->text, size,
          Align::right);
  right -= size_width + 8;
  if (share_width > 0) {
    text_in(ui, ImRect(right - share_width + 8, area.Min.y, right, area.Max.y), kControl, ui.colours->muted, row.share,
            Align::right);
  }
  Column text{swatch.Max.x + 10, middle - std::floor(label_height / 2), label_room};
  paragraph(ui, text, kControl, lit ? ui.colours->accent : ui.colours->text, row.label);
  ring(ui, id, area, kSegmentRadius);
  return open;
}

void draw_item(Ui& ui, Column& column, const AnswerView& view, const Item& item) {
  Column inner{column.x + 24, column.y, column.width - 24 - 22};
  const std::string size = gigabytes(*ui.texts, item.bytes.expected);
  const float width = std::ceil(text_width(ui, kLabel, size));
  const std::string label(ui.text("item." + std::string(item.id)));
  Column name{inner.x, inner.y, inner.width - width - 10};
  const float top = name.y;
  paragraph(ui, name, kLabel, ui.colours->text, label);
  text_in(ui, ImRect(inner.x, top, inner.x + inner.width, top + std::ceil(kLabel.size * ui.text_scale * 1.4F)), kLabel,
          ui.colours->text, size, Align::right);
  inner.y = name.y;
  const FormulaNote* note = view.formulas->find(item.formula);
  if (note != nullptr && !note->expression.empty()) paragraph(ui, inner, kNote, ui.colours->muted, note->expression);
  const std::string bytes =
      ui.texts->fill("ui.bytes", {{"n", format_integer(item.bytes.expected.value(), ui.texts->numbers())}});
  paragraph(ui, inner, kNote, ui.colours->muted, filled_formula(item, ui.texts->numbers()) + " = " + bytes);
  if (!(item.bytes.low == item.bytes.high)) {
    paragraph(ui, inner, kNote, ui.colours->muted,
              ui.texts->fill("ui.item_band", {{"low", gigabytes_number(*ui.texts, item.bytes.low)},
                                              {"high", gigabytes(*ui.texts, item.bytes.high)}}));
  }
  const std::string source = *item.source != '\0' ? item.source : note != nullptr ? note->source : std::string();
  if (!source.empty())
    paragraph(ui, inner, kNote, ui.colours->muted, ui.texts->fill("ui.source", {{"source", source}}));
  column.y = inner.y + 10;
}

}  // namespace

void draw_legend(Ui& ui, Column& column, const AnswerView& view) {
  const Evaluation& evaluation = *view.evaluation;
  const std::size_t busy = busiest(evaluation.ledger);
  const DeviceLedger& device = evaluation.ledger.devices[busy];
  const GpuSlot& slot = evaluation.scenario.gpus[device.gpus.front()];
  const Phase phase = peak_phase(device);
  const Bytes need = memory_in_phase(device, phase).need.expected;
  for (std::size_t index = 0; index < kGroupCount; ++index) {
    const auto group = static_cast<Group>(index);
    if (group == Group::cached) continue;
    std::vector<const Item*> items;
    Bytes bytes;
    for (const Item& item : device.items) {
      if (item.group != group || !item.phases.has(phase) || !item.bytes.high) continue;
      items.push_back(&item);
      bytes += item.bytes.expected;
    }
    if (items.empty()) continue;
    const std::string key = "group." + std::string(kGroupNames[index]);
    const double share = need ? 100 * bytes.as_double() / need.as_double() : 0;
    Row row{
        .label = ui.text(key),
        .bytes = bytes,
        .share = ui.texts->fill(
            "ui.percent", {{"n", share > 0 && share < 0.5 ? "< 1" : format_decimal(share, 0, ui.texts->numbers())}}),
        .id = kGroupNames[index],
        .group = group};
    if (!draw_row(ui, column, row, true)) continue;
    for (const Item* item : items) draw_item(ui, column, view, *item);
  }
  if (slot.display.expected) {
    draw_row(
        ui, column,
        {.label = ui.text("ui.display"), .bytes = slot.display.expected, .share = {}, .id = "display", .reserve = true},
        false);
  }
  if (slot.margin) {
    draw_row(ui, column,
             {.label = ui.text("ui.margin"), .bytes = slot.margin, .share = {}, .id = "margin", .reserve = true},
             false);
  }
}

}  // namespace vram::ui
