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
  std::string text(word);
  if (!detail.empty()) text.append(" \u00b7 ").append(detail);
  const ImRect row = column.take(kHeight);
  const float wanted = std::ceil(text_width(ui, kControlStrong, text)) + kMark + 2 * kSide;
  const ImRect area(row.Min, ImVec2(row.Min.x + std::min(wanted, row.GetWidth()), row.Max.y));
  const ImU32 colour = ui.colours->of(verdict);
  ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->soft(verdict), kHeight / 2);
  mark(ui, mark_of(verdict), {area.Min.x + kSide + 7, area.GetCenter().y}, 12, colour);
  text_in(ui, ImRect(area.Min.x + kSide + kMark - 4, area.Min.y, area.Max.x - kSide + 4, area.Max.y), kControlStrong,
          colour, text, Align::left, true);
}

}  // namespace vram::ui
