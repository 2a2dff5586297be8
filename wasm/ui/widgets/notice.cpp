#include "wasm/ui/widgets/notice.h"

#include "wasm/ui/text.h"
#include "wasm/ui/widgets/marks.h"

namespace vram::ui {

void notice(Ui& ui, Column& column, Tone tone, std::string_view text) {
  constexpr float kSide = 12;
  const float sign = tone == Tone::plain ? 0 : 26;
  const ImU32 back = tone == Tone::fault     ? ui.colours->bad_soft
                     : tone == Tone::caution ? ui.colours->warn_soft
                                             : ui.colours->track;
  const ImU32 ink = tone == Tone::fault ? ui.colours->bad : tone == Tone::caution ? ui.colours->warn : ui.colours->text;
  const float room = column.width - 2 * kSide - sign;
  const ImRect area = column.take(paragraph_height(ui, kLabel, text, room) + 2 * 10);
  ui.draw->AddRectFilled(area.Min, area.Max, back, kRadius);
  if (sign > 0) mark(ui, Mark::caution, {area.Min.x + kSide + 8, area.Min.y + 20}, 15, ink);
  Column inner{area.Min.x + kSide + sign, area.Min.y + 10, room};
  paragraph(ui, inner, kLabel, ink, text);
}

bool primary_button(Ui& ui, Column& column, ImGuiID id, std::string_view label) {
  const ImRect area = column.take(kButtonHeight);
  const Press pressed = press(ui, id, area, {Role::button, label});
  ui.draw->AddRectFilled(area.Min, area.Max,
                         pressed.hovered ? with_alpha(ui.colours->accent, 0.88F) : ui.colours->accent, kRadius);
  text_in(ui, area, kControlStrong, ui.colours->on_accent, label, Align::centre);
  ring(ui, id, area, kRadius);
  return pressed.clicked;
}

}  // namespace vram::ui
