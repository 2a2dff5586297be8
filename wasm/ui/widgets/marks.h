// Small signs drawn with lines: they scale with the text and need no icon font.
#pragma once

#include "wasm/ui/ui.h"

namespace vram::ui {

enum class Mark : std::uint8_t { check, double_check, cross, caution, question, down, up, right, plus, minus };

/// Draws a sign of about `size` px around `centre`.
void mark(const Ui& ui, Mark which, ImVec2 centre, float size, ImU32 colour);

}  // namespace vram::ui
