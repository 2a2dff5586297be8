#include "wasm/ui/widgets/segmented.h"

#include <algorithm>

#include "wasm/ui/text.h"

namespace vram::ui {
namespace {

constexpr float kPadding = 16;  ///< beside a label, both sides together
constexpr float kInset = 4;     ///< of a segment in its place

std::size_t per_row(const Ui& ui, std::span<const std::string_view> options, float width) {
  float widest = 0;
  for (const std::string_view option : options) widest = std::max(widest, text_width(ui, kControlStrong, option));
  const auto fitting = static_cast<std::size_t>(std::max(1.0F, width / (widest + kPadding)));
  // Rows as even as they can be: 4 options that do not fit in one row become 2 + 2, not 3 + 1.
  const std::size_t rows = (options.size() + fitting - 1) / fitting;
  return (options.size() + rows - 1) / rows;
}

}  // namespace

std::size_t segmented_rows(const Ui& ui, std::span<const std::string_view> options, float width) {
  const std::size_t columns = per_row(ui, options, width);
  return (options.size() + columns - 1) / columns;
}

std::optional<std::size_t> segmented(Ui& ui, Column& column, ImGuiID id, std::string_view label,
                                     std::span<const std::string_view> options, std::size_t selected) {
  if (options.empty()) return std::nullopt;
  const std::size_t columns = per_row(ui, options, column.width);
  const std::size_t rows = (options.size() + columns - 1) / columns;
  const ImRect area = column.take(kControlHeight * static_cast<float>(rows));
  const float cell = area.GetWidth() / static_cast<float>(columns);
  const Press pressed =
      press(ui, id, area, {Role::segmented, label, selected < options.size() ? options[selected] : std::string_view()});

  std::size_t hovered = options.size();
  if (pressed.hovered) {
    const ImVec2 at = ImGui::GetMousePos() - area.Min;
    hovered = static_cast<std::size_t>(std::max(at.y, 0.0F) / kControlHeight) * columns +
              std::min(columns - 1, static_cast<std::size_t>(std::max(at.x, 0.0F) / cell));
  }
  std::optional<std::size_t> chosen;
  if (pressed.clicked && hovered < options.size() && hovered != selected) chosen = hovered;
  if (key(ui, id, ImGuiKey_LeftArrow) || key(ui, id, ImGuiKey_UpArrow)) {
    if (selected > 0) chosen = std::min(selected, options.size()) - 1;
  } else if (key(ui, id, ImGuiKey_RightArrow) || key(ui, id, ImGuiKey_DownArrow)) {
    if (selected + 1 < options.size()) chosen = selected + 1;
    if (selected >= options.size()) chosen = 0;
  }
  if (chosen) ui.again = true;

  ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->track, kRadius);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const ImVec2 corner =
        area.Min + ImVec2(static_cast<float>(i % columns) * cell, static_cast<float>(i / columns) * kControlHeight);
    const ImRect place(corner, corner + ImVec2(cell, kControlHeight));
    const bool taken = i == selected;
    if (taken) {
      const ImVec2 inset(kInset, kInset);
      ui.draw->AddRectFilled(place.Min + inset, place.Max - inset, ui.colours->card, kSegmentRadius);
      ui.draw->AddRect(place.Min + inset, place.Max - inset, ui.colours->line, kSegmentRadius);
    }
    text_in(ui, place, taken ? kControlStrong : kControl, taken || i == hovered ? ui.colours->text : ui.colours->muted,
            options[i], Align::centre);
  }
  ring(ui, id, area, kRadius);
  return chosen;
}

}  // namespace vram::ui
