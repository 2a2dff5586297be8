// The line above a control: its label, with help behind it, and its value when the control does not show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

struct Header {
  std::string_view label;
  std::string_view help = {};  ///< shown below when the label is pressed, or when the control has the keyboard's ring
  std::string value = {};      ///< at the right; pressing it starts typing
  std::string editable = {};   ///< what typing starts with; empty: the value cannot be typed
  ImGuiID control = 0;         ///< the control the header belongs to
};

/// Draws the header; returns the typed text once it is finished.
std::optional<std::string> header(Ui& ui, Column& column, ImGuiID id, const Header& what);

/// The help of a field, if it is open.
void help_line(Ui& ui, Column& column, ImGuiID id, const Header& what);

}  // namespace vram::ui
