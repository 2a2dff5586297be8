// Who has the keyboard. Our own, because a form needs less than ImGui's navigation and promises more: every control is one
// stop, arrows belong to the control, and Tab leaves the canvas at either end.
#pragma once

#include <optional>
#include <vector>

#include "imgui.h"

namespace vram::ui {

class Focus {
 public:
  /// Moves by the Tab keys pressed since the last frame, over the stops that the last frame drew. While `held` (a list is
  /// open) Tab does nothing here.
  void begin_frame(bool held);
  /// Registers the next stop in drawing order; true when it has the focus.
  bool stop(ImGuiID id, ImVec2 min, ImVec2 max);
  void end_frame();

  /// By a press: no ring.
  void take(ImGuiID id);
  /// By the keyboard: with a ring, and the host scrolls it into view.
  void take_visibly(ImGuiID id);
  void enter(bool backwards);
  void leave();

  [[nodiscard]] bool has(ImGuiID id) const { return id != 0 && id == id_; }
  [[nodiscard]] bool shows(ImGuiID id) const { return has(id) && visible_; }
  [[nodiscard]] bool leaves_by_tab(bool shift) const;
  /// The rectangle of the stop that the keyboard moved to in this frame.
  [[nodiscard]] std::optional<ImVec4> revealed() const;
  [[nodiscard]] bool moved() const { return reveal_; }

 private:
  struct Stop {
    ImGuiID id = 0;
    ImVec2 min, max;
  };
  [[nodiscard]] int index_of(ImGuiID id) const;

  std::vector<Stop> stops_, drawing_;
  ImGuiID id_ = 0;
  bool visible_ = false;
  bool reveal_ = false;
};

}  // namespace vram::ui
