// One GPU's memory as a bar of parts, true to scale.
#pragma once

#include <span>

#include "wasm/ui/ui.h"

namespace vram::ui {

struct BarPart {
  Fill fill;
  double bytes = 0;
  bool reserve = false;  ///< must stay free (screen, margin): drawn faint
};

/// `limit`: what the GPU has; `scale`: what the whole width stands for (larger than the limit when the parts are). Parts
/// are kept 2 px apart; where they pass the limit a line marks it.
void stacked_bar(Ui& ui, Column& column, std::span<const BarPart> parts, double limit, double scale, float height);

/// Numbers under a bar, from 0 to `scale` bytes in units of 2^30.
void bar_axis(Ui& ui, Column& column, double scale);

/// A thin bar for lists: `share` of the track, more than 1 fills it.
void thin_bar(Ui& ui, const ImRect& area, double share, ImU32 colour);

/// Fills a rectangle with a pattern.
void fill_rect(Ui& ui, const ImRect& area, Fill fill, float rounding, ImDrawFlags corners);

}  // namespace vram::ui
