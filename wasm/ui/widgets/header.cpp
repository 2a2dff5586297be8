#include "wasm/ui/widgets/header.h"

#include <algorithm>
#include <cmath>

#include "wasm/ui/text.h"
#include "wasm/ui/widgets/marks.h"
#include "wasm/ui/widgets/text_field.h"

namespace vram::ui {
namespace {

constexpr float kMarkRoom = 22;
constexpr float kEditWidth = 132;

ImGuiID value_id(ImGuiID id) { return id_of("value", id); }

/// The value, or the field in which it is typed.
std::optional<std::string> value_part(Ui& ui, ImGuiID id, const Header& what, const ImRect& area, float width) {
  const ImGuiID value = value_id(id);
  if (ui.editing == value) {
    const float edit = std::min(kEditWidth * ui.text_scale, area.GetWidth());
    const Typing typing = text_field(ui, value, ImRect(area.Max.x - edit, area.Min.y, area.Max.x, area.Max.y), ui.typed,
                                     {.label = what.label, .numeric = true, .activate = ui.typing_starts});
    ui.typing_starts = false;
    if (typing == Typing::done || typing == Typing::cancelled) {
      ui.editing = 0;
      ui.focus.take_visibly(what.control != 0 ? what.control : value);
    }
    if (typing == Typing::done) return ui.typed;
    return std::nullopt;
  }
  const float room = std::max(width, kControlHeight);
  const ImRect box(area.Max.x - room, area.Min.y, area.Max.x, area.Max.y);
  const ImRect words(box.Min + ImVec2(0, 5), box.Max);  // on the label's base line
  if (what.editable.empty()) {
    text_in(ui, words, kControlStrong, ui.colours->text, what.value, Align::right);
    return std::nullopt;
  }
  const Press pressed = press(ui, value, box, {Role::value, what.label, what.value});
  text_in(ui, words, kControlStrong, pressed.hovered ? ui.colours->accent : ui.colours->text, what.value, Align::right);
  ring(ui, value, ImRect(box.Min + ImVec2(-1, 10), box.Max - ImVec2(-1, 2)), kSegmentRadius - 2);
  if (pressed.clicked) {
    ui.editing = value;
    ui.typed = what.editable;
    ui.typing_starts = true;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> header(Ui& ui, Column& column, ImGuiID id, const Header& what) {
  const float mark_room = what.help.empty() ? 0 : kMarkRoom;
  const float value_width = what.value.empty() ? 0 : std::ceil(text_width(ui, kControlStrong, what.value));
  const bool typing = ui.editing == value_id(id);
  const float value_room = typing             ? kEditWidth * ui.text_scale
                           : value_width == 0 ? 0
                                              : std::max(value_width, kControlHeight);
  const float spare = column.width - value_room - (value_room > 0 ? 8 : 0);
  const float label_room = std::max(spare - mark_room, 60.0F);
  const float label_width = std::ceil(text_width(ui, kLabel, what.label));
  const float text_height = paragraph_height(ui, kLabel, what.label, label_room);
  const ImRect area = column.take(std::max(kControlHeight, text_height + 4));

  const float shown = std::min(label_width, label_room);
  const float top = area.Max.y - text_height - (text_height > 24 * ui.text_scale ? 2 : 8);
  bool lit = false;
  if (!what.help.empty()) {
    const float wide = std::max(shown + mark_room, kControlHeight);
    const Press pressed = press(ui, id, ImRect(area.Min.x, area.Min.y, area.Min.x + wide, area.Max.y),
                                {Role::button, what.label, {}, false});
    if (pressed.clicked) ui.help = ui.help == id ? 0 : id;
    lit = pressed.hovered || ui.help == id;
    const float line = std::ceil(kLabel.size * ui.text_scale * 1.4F);
    mark(ui, Mark::question, {area.Min.x + shown + 13, top + line / 2}, 13 * ui.text_scale,
         lit ? ui.colours->accent : with_alpha(ui.colours->muted, 0.7F));
  }
  Column label{area.Min.x, top, label_room};
  paragraph(ui, label, kLabel, lit ? ui.colours->text : ui.colours->muted, what.label);
  if (value_room == 0) return std::nullopt;
  // Both texts stand at the bottom of the row, near the control that they belong to.
  const float shift = std::min(5.0F, area.GetHeight() - kControlHeight);
  return value_part(ui, id, what, ImRect(area.Min.x, area.Max.y - kControlHeight - shift, area.Max.x, area.Max.y),
                    value_width);
}

void help_line(Ui& ui, Column& column, ImGuiID id, const Header& what) {
  if (what.help.empty()) return;
  const bool keyboard = ui.focus.shows(what.control != 0 ? what.control : value_id(id)) && ui.editing == 0;
  if (ui.help != id && !keyboard) return;
  column.space(4);
  paragraph(ui, column, kNote, ui.colours->muted, what.help);
  column.space(4);
}

}  // namespace vram::ui
