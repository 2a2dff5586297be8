// A track with a ring on it.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

struct SliderRange {
  double minimum = 0, maximum = 1;
  bool logarithmic = false;
  bool whole = true;  ///< integers only
  double step = 1;    ///< of a linear slider; a logarithmic one stops eight times an octave
};

/// The value at a share of the track, rounded to what the slider stops at.
double value_at(const SliderRange& range, double share);
/// The inverse; values outside lie at the ends.
double share_of(const SliderRange& range, double value);

/// One stop of the Tab key: arrows move by one step, PageUp and PageDown by eight, Home and End to the ends. The whole row
/// can be pressed. Returns the new value while it is moved.
std::optional<double> slider(Ui& ui, Column& column, ImGuiID id, std::string_view label, std::string_view value_text,
                             double value, const SliderRange& range);

}  // namespace vram::ui
