#include "wasm/ui/widgets/text_field.h"

#include <algorithm>

namespace vram::ui {
namespace {

int resize(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
  auto* text = static_cast<std::string*>(data->UserData);
  text->resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = text->data();
  return 0;
}

}  // namespace

Typing text_field(Ui& ui, ImGuiID id, const ImRect& area, std::string& text, const TextField& what) {
  ui.trace.controls.push_back(
      {id, Role::textbox, area.Min, area.Max, std::string(what.label), text, !ui.in_popup, ui.in_popup});
  if (what.boxed) {
    ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->card, kRadius);
    ui.draw->AddRect(area.Min, area.Max, ui.colours->accent, kRadius, 0, 1.5F);
  }
  const float size = imgui_size(kControl.size, ui.text_scale);
  ImGui::PushFont(ui.regular, size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(12, (area.GetHeight() - size) / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colours->text);
  ImGui::PushStyleColor(ImGuiCol_TextDisabled, ui.colours->muted);
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, with_alpha(ui.colours->accent, 0.3F));
  ImGui::PushStyleColor(ImGuiCol_InputTextCursor, ui.colours->text);
  ImGui::PushOverrideID(id);
  ImGui::SetCursorScreenPos(area.Min);
  ImGui::SetNextItemWidth(area.GetWidth());
  if (what.activate) {
    ImGui::SetKeyboardFocusHere();
    ui.again = true;
  }
  ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_AutoSelectAll |
                              ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_EscapeClearsAll;
  if (what.numeric) flags |= ImGuiInputTextFlags_CharsNoBlank;
  const std::string before = text;
  const std::string hint(what.hint);
  const bool entered =
      ImGui::InputTextWithHint("##text", hint.c_str(), text.data(), text.capacity() + 1, flags, resize, &text);
  Typing result = text != before ? Typing::changed : Typing::none;
  if (ImGui::IsItemDeactivated()) result = Typing::done;
  if (entered) result = Typing::done;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && (ImGui::IsItemActive() || ImGui::IsItemDeactivated())) {
    text = before;
    result = Typing::cancelled;
  }
  if (ImGui::IsItemActive()) ui.numeric = what.numeric;
  if (ImGui::IsItemActive() && !ui.in_popup) ui.focus.take(id);
  ImGui::PopID();
  ImGui::PopStyleColor(5);
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (result != Typing::none) ui.again = true;
  return result;
}

}  // namespace vram::ui
