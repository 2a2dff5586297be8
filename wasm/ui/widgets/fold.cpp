#include "wasm/ui/widgets/fold.h"

#include <algorithm>
#include <cmath>

#include "wasm/ui/text.h"
#include "wasm/ui/widgets/marks.h"

namespace vram::ui {

bool is_unfolded(const Ui& ui, ImGuiID id) {
  return std::find(ui.unfolded.begin(), ui.unfolded.end(), id) != ui.unfolded.end();
}

void set_unfolded(Ui& ui, ImGuiID id, bool open) {
  std::erase(ui.unfolded, id);
  if (open) ui.unfolded.push_back(id);
}

bool fold(Ui& ui, Column& column, ImGuiID id, std::string_view label, std::string_view note) {
  constexpr float kChevron = 24;
  const float note_width = note.empty() ? 0 : std::ceil(text_width(ui, kNote, note));
  const float room = column.width - kChevron - (note_width > 0 ? note_width + 12 : 0);
  const float height = paragraph_height(ui, kLabelStrong, label, room);
  const ImRect area = column.take(std::max(44.0F, height));
  bool open = is_unfolded(ui, id);
  const Press pressed = press(ui, id, area, {Role::fold, label, ui.text(open ? "ui.open" : "ui.closed")});
  if (pressed.clicked) {
    open = !open;
    set_unfolded(ui, id, open);
  }
  mark(ui, open ? Mark::down : Mark::right, {area.Min.x + 7, area.GetCenter().y}, 10,
       pressed.hovered ? ui.colours->accent : ui.colours->muted);
  Column text{area.Min.x + kChevron, area.Min.y + std::floor((area.GetHeight() - height) / 2), room};
  paragraph(ui, text, kLabelStrong, pressed.hovered ? ui.colours->accent : ui.colours->text, label);
  if (note_width > 0) text_in(ui, area, kNote, ui.colours->muted, note, Align::right);
  ring(ui, id, area, kSegmentRadius);
  return open;
}

}  // namespace vram::ui
