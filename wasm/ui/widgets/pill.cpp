#include "wasm/ui/widgets/pill.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "wasm/ui/text.h"

namespace vram::ui {

Mark mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::comfortable: return Mark::double_check;
    case Verdict::fits: return Mark::check;
    case Verdict::tight: return Mark::caution;
    case Verdict::no: return Mark::cross;
  }
  return Mark::cross;
}

void verdict_pill(Ui& ui, Column& column, Verdict verdict, std::string_view word, std::string_view detail) {
  constexpr float kHeight = 32;
  constexpr float kSide = 12;
  constexpr float kMark = 26;
  const auto width_of = [&ui](std::string_view content) {
    return std::ceil(text_width(ui, kControlStrong, content)) + kMark + 2 * kSide;
  };
  std::string text(word);
  if (!detail.empty()) text.append(" \u00b7 ").append(detail);
  const bool below = width_of(text) > column.width;
  if (below) text = word;
  const ImRect row = column.take(kHeight);
  const ImRect area(row.Min, ImVec2(row.Min.x + std::min(width_of(text), row.GetWidth()), row.Max.y));
  const ImU32 colour = ui.colours->of(verdict);
  ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->soft(verdict), kHeight / 2);
  mark(ui, mark_of(verdict), {area.Min.x + kSide + 7, area.GetCenter().y}, 12, colour);
  text_in(ui, ImRect(area.Min.x + kSide + kMark - 4, area.Min.y, area.Max.x - kSide + 4, area.Max.y), kControlStrong,
          colour, text);
  if (!below) return;
  column.space(6);
  paragraph(ui, column, kLabelStrong, colour, detail);
}

}  // namespace vram::ui
