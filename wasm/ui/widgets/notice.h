// A box that says something the visitor should know; and the one big button.
#pragma once

#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

enum class Tone : std::uint8_t { plain, caution, fault };

void notice(Ui& ui, Column& column, Tone tone, std::string_view text);

/// Full width, in the accent colour. Returns true when it was pressed.
bool primary_button(Ui& ui, Column& column, ImGuiID id, std::string_view label);

}  // namespace vram::ui
