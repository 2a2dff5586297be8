#include "wasm/ui/widgets/stepper.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "wasm/ui/text.h"
#include "wasm/ui/widgets/marks.h"
#include "wasm/ui/widgets/text_field.h"

namespace vram::ui {
namespace {

constexpr float kValueWidth = 64;

/// A square button that repeats while it is held.
bool step_button(Ui& ui, ImGuiID id, const ImRect& area, Mark sign, std::string_view label, bool enabled) {
  ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
  const Press pressed = press(ui, id, area, {Role::button, label, {}, false, enabled});
  ImGui::PopItemFlag();
  if (pressed.held) ui.wake_in(50);
  ui.draw->AddRectFilled(area.Min, area.Max, pressed.hovered ? ui.colours->line : ui.colours->track, kRadius);
  mark(ui, sign, area.GetCenter(), 13, enabled ? ui.colours->accent : with_alpha(ui.colours->muted, 0.55F));
  return pressed.clicked;
}

}  // namespace

std::optional<std::string> stepper(Ui& ui, Column& column, ImGuiID id, const Stepper& what, std::uint64_t value) {
  column.space(12);
  const float buttons = 2 * kControlHeight + kValueWidth;
  const float room = column.width - buttons - 12;
  const float text_height = paragraph_height(ui, kLabel, what.label, room);
  const ImRect area = column.take(std::max(kControlHeight, text_height));
  bool lit = false;
  if (what.help != 0) {
    const float wide = std::clamp(std::ceil(text_width(ui, kLabel, what.label)) + 22, kControlHeight, room);
    const ImRect words(area.Min, {area.Min.x + wide, area.Max.y});
    const Press asked = press(ui, id_of("label", id), words, {Role::button, what.label, {}, false});
    if (asked.clicked) ui.help = ui.help == what.help ? 0 : what.help;
    lit = asked.hovered || ui.help == what.help;
    if (text_height < 24 * ui.text_scale) {
      mark(ui, Mark::question, {words.Max.x - 9, area.GetCenter().y}, 13 * ui.text_scale,
           lit ? ui.colours->accent : with_alpha(ui.colours->muted, 0.7F));
    }
  }
  Column label{area.Min.x, area.Min.y + std::floor((area.GetHeight() - text_height) / 2), room};
  paragraph(ui, label, kLabel, lit ? ui.colours->text : ui.colours->muted, what.label);

  const float top = area.Min.y + std::floor((area.GetHeight() - kControlHeight) / 2);
  const auto square = [&](float x) { return ImRect(x, top, x + kControlHeight, top + kControlHeight); };
  std::uint64_t next = value;
  const ImRect place(area.Max.x - kControlHeight - kValueWidth, top, area.Max.x - kControlHeight, top + kControlHeight);
  if (step_button(ui, id_of("less", id), square(area.Max.x - buttons), Mark::minus, ui.text("ui.less"),
                  value > what.minimum)) {
    next = value - 1;
  }
  if (step_button(ui, id_of("more", id), square(area.Max.x - kControlHeight), Mark::plus, ui.text("ui.more"),
                  value < what.maximum)) {
    next = value + 1;
  }
  if (ui.editing == id) {
    const Typing typing =
        text_field(ui, id, place, ui.typed, {.label = what.label, .numeric = true, .activate = ui.typing_starts});
    ui.typing_starts = false;
    if (typing == Typing::done || typing == Typing::cancelled) ui.editing = 0;
    if (typing == Typing::done) return ui.typed;
    return std::nullopt;
  }
  const std::string shown = std::to_string(value);
  const Press pressed = press(ui, id, place, {Role::value, what.label, shown});
  text_in(ui, place, kControlStrong, pressed.hovered ? ui.colours->accent : ui.colours->text, shown, Align::centre);
  ring(ui, id, place, kRadius);
  if (pressed.clicked) {
    ui.editing = id;
    ui.typed = shown;
    ui.typing_starts = true;
  }
  if ((key(ui, id, ImGuiKey_LeftArrow) || key(ui, id, ImGuiKey_DownArrow)) && value > what.minimum) next = value - 1;
  if ((key(ui, id, ImGuiKey_RightArrow) || key(ui, id, ImGuiKey_UpArrow)) && value < what.maximum) next = value + 1;
  if (next == value) return std::nullopt;
  ui.again = true;
  return std::to_string(next);
}

}  // namespace vram::ui
