#include "wasm/ui/focus.h"

#include <utility>

#include "imgui_internal.h"

namespace vram::ui {

void Focus::begin_frame(bool held) {
  drawing_.clear();
  reveal_ = false;
  // ImGui would move between text fields by itself.
  ImGui::SetKeyOwner(ImGuiKey_Tab, ImHashStr("focus"));
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) visible_ = false;
  if (held || stops_.empty() || !ImGui::IsKeyPressed(ImGuiKey_Tab)) return;
  const int step = ImGui::GetIO().KeyShift ? -1 : 1;
  const int last = static_cast<int>(stops_.size()) - 1;
  const int now = index_of(id_);
  const int next = now < 0 ? (step > 0 ? 0 : last) : now + step;
  if (next < 0 || next > last) {
    leave();
  } else {
    take_visibly(stops_[static_cast<std::size_t>(next)].id);
  }
}

bool Focus::stop(ImGuiID id, ImVec2 min, ImVec2 max) {
  drawing_.push_back({id, min, max});
  return has(id);
}

void Focus::end_frame() { std::swap(stops_, drawing_); }

void Focus::take(ImGuiID id) {
  id_ = id;
  visible_ = false;
}

void Focus::take_visibly(ImGuiID id) {
  id_ = id;
  visible_ = true;
  reveal_ = true;
}

void Focus::enter(bool backwards) {
  if (stops_.empty()) return;
  take_visibly(backwards ? stops_.back().id : stops_.front().id);
}

void Focus::leave() {
  id_ = 0;
  visible_ = false;
}

bool Focus::leaves_by_tab(bool shift) const {
  if (stops_.empty()) return true;
  return has(shift ? stops_.front().id : stops_.back().id);
}

std::optional<ImVec4> Focus::revealed() const {
  const int index = index_of(id_);
  if (!reveal_ || index < 0) return std::nullopt;
  const Stop& stop = stops_[static_cast<std::size_t>(index)];
  return ImVec4(stop.min.x, stop.min.y, stop.max.x, stop.max.y);
}

int Focus::index_of(ImGuiID id) const {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    if (stops_[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace vram::ui
