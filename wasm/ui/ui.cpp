#include "wasm/ui/ui.h"

#include <string>

namespace vram::ui {

Press press(Ui& ui, ImGuiID id, const ImRect& area, const Pressable& what) {
  Press result;
  ui.trace.controls.push_back({id, what.role, area.Min, area.Max, std::string(what.label), std::string(what.value),
                               what.stop && what.enabled, ui.in_popup});
  if (what.enabled && what.stop && !ui.in_popup) ui.focus.stop(id, area.Min, area.Max);
  result.focused = what.enabled && ui.keys(id);
  if (result.focused) {
    result.clicked = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false) ||
                     ImGui::IsKeyPressed(ImGuiKey_Space, false);
  }
  if (!ImGui::ItemAdd(area, id, nullptr, ImGuiItemFlags_NoNav)) return result;
  if (!what.enabled) return result;
  bool hovered = false;
  bool held = false;
  if (ImGui::ButtonBehavior(area, id, &hovered, &held)) result.clicked = true;
  result.hovered = hovered;
  result.held = held;
  if (ImGui::IsItemActivated() && what.stop && !ui.in_popup) ui.focus.take(id);
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (result.clicked) ui.again = true;
  return result;
}

void ring(Ui& ui, ImGuiID id, const ImRect& area, float rounding) {
  if (!ui.focus.shows(id)) return;
  const float out = kRing + 1;
  ui.draw->AddRect(area.Min - ImVec2(out, out), area.Max + ImVec2(out, out), ui.colours->accent, rounding + out, 0,
                   kRing);
}

bool key(const Ui& ui, ImGuiID id, ImGuiKey which) { return ui.keys(id) && ImGui::IsKeyPressed(which); }

}  // namespace vram::ui
