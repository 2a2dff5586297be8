#include "wasm/ui/widgets/toggle.h"

#include <algorithm>
#include <cmath>

#include "wasm/ui/text.h"

namespace vram::ui {

std::optional<bool> toggle(Ui& ui, Column& column, ImGuiID id, std::string_view label, bool on) {
  constexpr float kWidth = 40;
  constexpr float kHeight = 24;
  const float room = column.width - kWidth - 16;
  const float text_height = paragraph_height(ui, kLabel, label, room);
  column.space(8);
  const ImRect area = column.take(std::max(kControlHeight, text_height));
  const Press pressed = press(ui, id, area, {Role::toggle, label, ui.text(on ? "ui.on" : "ui.off")});
  Column text{area.Min.x, area.Min.y + std::floor((area.GetHeight() - text_height) / 2), room};
  paragraph(ui, text, kLabel, pressed.hovered ? ui.colours->text : ui.colours->muted, label);
  const ImVec2 corner(area.Max.x - kWidth, area.GetCenter().y - kHeight / 2);
  ui.draw->AddRectFilled(corner, corner + ImVec2(kWidth, kHeight), on ? ui.colours->accent : ui.colours->track,
                         kHeight / 2);
  if (!on) ui.draw->AddRect(corner, corner + ImVec2(kWidth, kHeight), ui.colours->muted, kHeight / 2);
  const float x = corner.x + (on ? kWidth - kHeight / 2 : kHeight / 2);
  ui.draw->AddCircleFilled({x, area.GetCenter().y}, 8, on ? ui.colours->on_accent : ui.colours->muted);
  ring(ui, id, area, kSegmentRadius);
  if (!pressed.clicked) return std::nullopt;
  return !on;
}

std::optional<std::uint64_t> chips(Ui& ui, Column& column, ImGuiID id, std::span<const std::string_view> options,
                                   std::uint64_t mask) {
  constexpr float kSpace = 8;
  std::optional<std::uint64_t> changed;
  float x = column.x;
  float y = column.y;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const float width = std::max(kControlHeight, std::ceil(text_width(ui, kLabelStrong, options[i])) + 24);
    if (x > column.x && x + width > column.x + column.width) {
      x = column.x;
      y += kControlHeight + kSpace;
    }
    const ImRect area(x, y, x + width, y + kControlHeight);
    x += width + kSpace;
    const std::uint64_t bit = std::uint64_t{1} << i;
    const bool on = (mask & bit) != 0;
    const ImGuiID chip = id_of(options[i], id);
    const Press pressed = press(ui, chip, area, {Role::checkbox, options[i], ui.text(on ? "ui.on" : "ui.off")});
    if (on) {
      ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->accent, kRadius);
    } else {
      ui.draw->AddRect(area.Min, area.Max, pressed.hovered ? ui.colours->muted : ui.colours->line, kRadius);
    }
    text_in(ui, area, on ? kLabelStrong : kLabel, on ? ui.colours->on_accent : ui.colours->text, options[i],
            Align::centre);
    ring(ui, chip, area, kRadius);
    if (pressed.clicked) changed = mask ^ bit;
  }
  column.y = y + kControlHeight;
  return changed;
}

}  // namespace vram::ui
