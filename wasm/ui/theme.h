// The look: colours, sizes, and the one place that knows how CSS px and ImGui's font sizes differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/fit/verdict.h"
#include "core/memory/ledger.h"
#include "imgui.h"

namespace vram::ui {

enum class Weight : std::uint8_t { regular, semibold };

/// A size in CSS px and one of the two weights.
struct Type {
  float size = 16;
  Weight weight = Weight::regular;
};
inline constexpr Type kTitle{28, Weight::semibold};
inline constexpr Type kTitlePhone{24, Weight::semibold};
inline constexpr Type kHeadline{40, Weight::semibold};
inline constexpr Type kHeading{16, Weight::semibold};
inline constexpr Type kBody{16};
inline constexpr Type kControl{15};
inline constexpr Type kControlStrong{15, Weight::semibold};
inline constexpr Type kLabel{14};
inline constexpr Type kLabelStrong{14, Weight::semibold};
inline constexpr Type kNote{13};
inline constexpr Type kAxis{12};

/// ImGui's size of a font is ascent + descent, CSS's is the em: for Inter (hhea 2728, -680 of 2816) they differ by this.
inline constexpr float kInterFactor = 1.2102F;
constexpr float imgui_size(float css_px, float text_scale) { return css_px * text_scale * kInterFactor; }

// Space, on a grid of 4 px.
inline constexpr float kGap = 16;            ///< between cards
inline constexpr float kControlHeight = 40;  ///< also the least height of anything that can be pressed
inline constexpr float kButtonHeight = 46;
inline constexpr float kRadius = 10;
inline constexpr float kCardRadius = 16;
inline constexpr float kSegmentRadius = 8;
inline constexpr float kTrackHeight = 6;
inline constexpr float kRing = 2;  ///< thickness of the keyboard ring

/// How a part of a bar is filled; colour alone never tells parts apart.
enum class Pattern : std::uint8_t { solid, hatch, counter_hatch, cross };

struct Fill {
  ImU32 colour = 0;
  Pattern pattern = Pattern::solid;
};

struct Palette {
  ImU32 page, card, line, track, text, muted, accent, on_accent;
  ImU32 good, good_soft, warn, warn_soft, bad, bad_soft;
  ImU32 weights, kv_cache, activations, gradients, optimizer, overhead;

  /// The fill of a group's part of the bar and of its legend swatch.
  [[nodiscard]] Fill fill(Group group) const;
  [[nodiscard]] ImU32 of(Verdict verdict) const;
  [[nodiscard]] ImU32 soft(Verdict verdict) const;
};

const Palette& palette(bool dark);

/// `alpha` from 0 to 1.
ImU32 with_alpha(ImU32 colour, float alpha);

}  // namespace vram::ui
