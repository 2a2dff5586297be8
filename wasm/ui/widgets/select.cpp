#include "wasm/ui/widgets/select.h"

#include <algorithm>
#include <cmath>

#include "wasm/ui/text.h"
#include "wasm/ui/widgets/marks.h"
#include "wasm/ui/widgets/text_field.h"

namespace vram::ui {
namespace {

constexpr std::size_t kSearchFrom = 9;  ///< options
constexpr float kListHeight = 320;
constexpr float kInset = 8;
constexpr const char* kPopup = "##list";

void search(OpenList& list, std::span<const Option> options, std::size_t selected) {
  list.found.clear();
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (list.query.empty() || matches(options[i].label + ' ' + options[i].keywords, list.query))
      list.found.push_back(i);
  }
  const auto at = std::find(list.found.begin(), list.found.end(), selected);
  list.marked = at == list.found.end() ? 0 : static_cast<std::size_t>(at - list.found.begin());
  list.scroll = true;
}

void open(Ui& ui, OpenList& list, ImGuiID id, std::span<const Option> options, std::size_t selected) {
  list.id = id;
  list.query.clear();
  search(list, options, selected);
  list.starts = true;
  ImGui::OpenPopupEx(id_of(kPopup, id));
  ui.popup_open = true;
  ui.again = true;
}

/// Below the button, or above it where that leaves more room.
ImRect place_for(const Ui& ui, const ImRect& button, float height) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float top = std::max(ui.visible_top, 0.0F) + 4;
  const float bottom = (ui.visible_bottom > 0 ? std::min(ui.visible_bottom, display.y) : display.y) - 4;
  const float below = bottom - button.Max.y - 4;
  const float above = button.Min.y - 4 - top;
  const float width = std::min(std::max(button.GetWidth(), 264.0F), display.x - 8);
  const float x = std::clamp(button.Min.x, 4.0F, std::max(4.0F, display.x - 4 - width));
  const bool up = below < height && above > below;
  height = std::min(height, std::max(up ? above : below, 140.0F));
  const float y = up ? button.Min.y - 4 - height : button.Max.y + 4;
  return {x, y, x + width, y + height};
}

void move_mark(Ui& ui, OpenList& list) {
  const auto count = static_cast<std::ptrdiff_t>(list.found.size());
  std::ptrdiff_t step = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) step = 1;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) step = -1;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) step = 6;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) step = -6;
  if (step == 0 || count == 0) return;
  const auto next = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(list.marked) + step, 0, count - 1);
  list.marked = static_cast<std::size_t>(next);
  list.scroll = true;
  ui.again = true;
}

void draw_option(Ui& ui, const ImRect& row, const Option& option, bool marked, bool selected) {
  if (marked) ui.draw->AddRectFilled(row.Min, row.Max, ui.colours->track, kSegmentRadius);
  float right = row.Max.x - 12;
  if (selected) {
    mark(ui, Mark::check, {right - 6, row.GetCenter().y}, 11, ui.colours->accent);
    right -= 22;
  }
  if (!option.note.empty()) {
    const float width = text_width(ui, kNote, option.note);
    if (width < (right - row.Min.x) * 0.5F) {
      text_in(ui, ImRect(right - width, row.Min.y, right, row.Max.y), kNote, ui.colours->muted, option.note,
              Align::right);
      right -= width + 10;
    }
  }
  const ImRect words(row.Min.x + 12, row.Min.y, right, row.Max.y);
  Type type = selected ? kControlStrong : kControl;
  if (text_width(ui, type, option.label) > words.GetWidth()) type = kNote;
  text_in(ui, words, type, ui.colours->text, option.label, Align::left, true);
}

std::optional<std::size_t> draw_rows(Ui& ui, OpenList& list, std::span<const Option> options, std::size_t selected) {
  std::optional<std::size_t> chosen;
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, kControlHeight * static_cast<float>(list.found.size())});
  const float scroll = ImGui::GetScrollY();
  const float view = ImGui::GetWindowHeight();
  if (list.scroll) {
    const float top = kControlHeight * static_cast<float>(list.marked);
    if (top < scroll || top + kControlHeight > scroll + view) ImGui::SetScrollY(top - (view - kControlHeight) / 2);
    list.scroll = false;
    ui.again = true;
  }
  const bool moved = ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0;
  const auto first = static_cast<std::size_t>(std::max(scroll / kControlHeight, 0.0F));
  const auto last = std::min(list.found.size(), first + static_cast<std::size_t>(view / kControlHeight) + 2);
  for (std::size_t at = first; at < last; ++at) {
    const std::size_t index = list.found[at];
    const ImVec2 corner = origin + ImVec2(0, kControlHeight * static_cast<float>(at));
    const ImRect row(corner, corner + ImVec2(width, kControlHeight));
    const Press pressed = press(ui, id_of("row", list.id) + static_cast<ImGuiID>(at) + 1, row,
                                {Role::option, options[index].label, {}, false});
    if (pressed.hovered && moved && list.marked != at) {
      list.marked = at;
      ui.again = true;
    }
    if (pressed.clicked) chosen = index;
    draw_option(ui, row, options[index], at == list.marked, index == selected);
  }
  return chosen;
}

std::optional<std::size_t> draw_list(Ui& ui, OpenList& list, std::string_view label, std::span<const Option> options,
                                     std::size_t selected, bool with_search) {
  std::optional<std::size_t> chosen;
  const ImVec2 corner = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  float top = kInset;
  if (with_search) {
    const ImRect field(corner + ImVec2(kInset, kInset), corner + ImVec2(width - kInset, kInset + kControlHeight));
    const Typing typing =
        text_field(ui, id_of("search", list.id), field, list.query,
                   {.label = label, .hint = ui.text("ui.search"), .activate = list.starts && !ui.touch});
    if (typing == Typing::changed) search(list, options, options.size());
    top += kControlHeight + 6;
  }
  move_mark(ui, list);
  const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  if (enter && !list.starts && list.marked < list.found.size()) chosen = list.found[list.marked];
  list.starts = false;
  if (list.found.empty()) {
    Column column{corner.x + kInset + 12, corner.y + top + 10, width - 2 * kInset - 24};
    paragraph(ui, column, kControl, ui.colours->muted, ui.text("ui.no_match"));
    return chosen;
  }
  ImGui::SetCursorScreenPos(corner + ImVec2(kInset, top));
  if (ImGui::BeginChild("rows", {width - 2 * kInset, ImGui::GetWindowHeight() - top - kInset}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav)) {
    ImDrawList* const outer = ui.draw;
    ui.draw = ImGui::GetWindowDrawList();
    if (const auto pressed = draw_rows(ui, list, options, selected)) chosen = pressed;
    ui.draw = outer;
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace

std::optional<std::size_t> select(Ui& ui, OpenList& list, Column& column, ImGuiID id, std::string_view label,
                                  std::string_view shown, std::span<const Option> options, std::size_t selected) {
  const float room = column.width - 14 - 36;
  const float text_height = paragraph_height(ui, kControl, shown, room);
  const ImRect area = column.take(std::max(kControlHeight, text_height + 12));
  const Press pressed = press(ui, id, area, {Role::select, label, shown});
  if (pressed.clicked || key(ui, id, ImGuiKey_DownArrow)) open(ui, list, id, options, selected);

  ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->card, kRadius);
  ui.draw->AddRect(area.Min, area.Max, pressed.hovered || list.id == id ? ui.colours->muted : ui.colours->line,
                   kRadius);
  Column words{area.Min.x + 14, area.GetCenter().y - std::floor(text_height / 2), room};
  paragraph(ui, words, kControl, ui.colours->text, shown);
  mark(ui, Mark::down, {area.Max.x - 20, area.GetCenter().y}, 12, ui.colours->muted);
  ring(ui, id, area, kRadius);
  if (list.id != id) return std::nullopt;

  const bool with_search = options.size() >= kSearchFrom;
  const float rows = static_cast<float>(std::max<std::size_t>(list.found.size(), 1)) * kControlHeight;
  const ImRect place =
      place_for(ui, area, std::min(rows, kListHeight) + 2 * kInset + (with_search ? kControlHeight + 6 : 0));
  ImGui::SetNextWindowPos(place.Min);
  ImGui::SetNextWindowSize(place.GetSize());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, 12);
  std::optional<std::size_t> chosen;
  bool leave = false;
  const bool visible = ImGui::BeginPopupEx(
      id_of(kPopup, id), ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  if (visible) {
    ImDrawList* const outer = ui.draw;
    ui.draw = ImGui::GetWindowDrawList();
    ui.in_popup = true;
    chosen = draw_list(ui, list, label, options, selected, with_search);
    leave = chosen || ImGui::IsKeyPressed(ImGuiKey_Escape, false) || ImGui::IsKeyPressed(ImGuiKey_Tab, false);
    if (leave) ImGui::CloseCurrentPopup();
    ui.in_popup = false;
    ui.draw = outer;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  if (!visible || leave) {
    list.id = 0;
    ui.again = true;
  }
  if (chosen == selected) chosen.reset();
  return chosen;
}

}  // namespace vram::ui
