// What a frame drew: the tests check it, the focus order follows it, and a mirror for screen readers can read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"

namespace vram::ui {

enum class Role : std::uint8_t { button, segmented, select, slider, value, toggle, checkbox, textbox, fold, option };

/// Something that can be pressed or typed into.
struct Control {
  ImGuiID id = 0;
  Role role = Role::button;
  ImVec2 min, max;
  std::string label, value;
  bool stop = true;    ///< Tab stops here
  bool popup = false;  ///< lies in an open list, above the page
};

/// A text and the room it had.
struct Label {
  std::string text;
  ImVec2 min, max;  ///< what it covers
  float room = 0;   ///< width it had to stay within
  bool shortened = false;
};

struct Trace {
  std::vector<Control> controls;
  std::vector<Label> labels;

  void clear() {
    controls.clear();
    labels.clear();
  }
  [[nodiscard]] const Control* find(std::string_view label) const {
    for (const Control& control : controls) {
      if (control.label == label) return &control;
    }
    return nullptr;
  }
};

}  // namespace vram::ui
