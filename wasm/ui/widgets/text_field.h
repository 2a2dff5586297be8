// A place to type in: search words, numbers, short texts.
#pragma once

#include <string>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

enum class Typing : std::uint8_t { none, changed, done, cancelled };

struct TextField {
  std::string_view label;
  std::string_view hint = {};
  bool numeric = false;
  bool activate = false;  ///< take the keyboard in this frame
  bool boxed = true;      ///< with a line around it
};

/// `done` on Enter and when it loses the keyboard, `cancelled` on Escape.
Typing text_field(Ui& ui, ImGuiID id, const ImRect& area, std::string& text, const TextField& what);

}  // namespace vram::ui
