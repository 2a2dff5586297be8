// A verdict: sign and words in its colour, never the colour alone.
#pragma once

#include <string_view>

#include "core/fit/verdict.h"
#include "wasm/ui/ui.h"
#include "wasm/ui/widgets/marks.h"

namespace vram::ui {

Mark mark_of(Verdict verdict);

/// "check  Fits - RTX 4090"; `detail` goes below when the column is too narrow for both.
void verdict_pill(Ui& ui, Column& column, Verdict verdict, std::string_view word, std::string_view detail);

}  // namespace vram::ui
