// A line that opens.
#pragma once

#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

[[nodiscard]] bool is_unfolded(const Ui& ui, ImGuiID id);
void set_unfolded(Ui& ui, ImGuiID id, bool open);

/// A heading with a chevron; `note` stands at the right. Returns true while it is open.
bool fold(Ui& ui, Column& column, ImGuiID id, std::string_view label, std::string_view note = {});

}  // namespace vram::ui
