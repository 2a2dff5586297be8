#include "wasm/ui/widgets/bar.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/number.h"
#include "wasm/ui/text.h"

namespace vram::ui {
namespace {

constexpr double kGiBytes = 1073741824.0;
constexpr float kHatchStep = 6;

void lines(Ui& ui, const ImRect& area, ImU32 colour, bool rising) {
  const float height = area.GetHeight();
  ui.draw->PushClipRect(area.Min, area.Max, true);
  // On one grid for the whole page, so that the pattern does not crawl when a part's width changes.
  const float start = std::floor((area.Min.x - height) / kHatchStep) * kHatchStep;
  for (float x = start; x < area.Max.x; x += kHatchStep) {
    const float from = rising ? area.Max.y : area.Min.y;
    const float to = rising ? area.Min.y : area.Max.y;
    ui.draw->AddLine({x, from}, {x + height, to}, colour, 1.2F);
  }
  ui.draw->PopClipRect();
}

/// Steps of 1, 2, 2.5 or 5 times a power of ten, at most `most` of them.
double tick_step(double scale, int most) {
  const double least = scale / most;
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    if (step * factor >= least) return step * factor;
  }
  return step * 10;
}

}  // namespace

void fill_rect(Ui& ui, const ImRect& area, Fill fill, float rounding, ImDrawFlags corners) {
  ui.draw->AddRectFilled(area.Min, area.Max, fill.colour, rounding, corners);
  if (fill.pattern == Pattern::solid || area.GetWidth() < 3) return;
  const ImU32 line = with_alpha(ui.colours->card, 0.4F);
  ImRect inside = area;
  inside.Expand(ImVec2(corners != 0 ? -1.0F : 0.0F, 0));
  if (fill.pattern != Pattern::counter_hatch) lines(ui, inside, line, true);
  if (fill.pattern != Pattern::hatch) lines(ui, inside, line, false);
}

void stacked_bar(Ui& ui, Column& column, std::span<const BarPart> parts, double limit, double scale, float height) {
  const ImRect area = column.take(height);
  const float radius = std::min(kSegmentRadius, height / 2);
  const double per_byte = scale > 0 ? static_cast<double>(area.GetWidth()) / scale : 0;
  const float limit_x = area.Min.x + static_cast<float>(limit * per_byte);
  ui.draw->AddRectFilled(area.Min, {std::min(limit_x, area.Max.x), area.Max.y}, ui.colours->track, radius);
  double at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float left = area.Min.x + static_cast<float>(at * per_byte);
    at += parts[i].bytes;
    const float right = std::min(area.Min.x + static_cast<float>(at * per_byte), area.Max.x);
    if (right - left < 0.75F) continue;
    const bool first = left <= area.Min.x + 0.5F;
    const bool last = right >= area.Max.x - 0.5F;
    const float gap = !last && right - left > 4 ? 2.0F : right - left > 2 ? 1.0F : 0.0F;
    ImDrawFlags corners = ImDrawFlags_RoundCornersNone;
    if (first) corners = ImDrawFlags_RoundCornersLeft;
    if (last) corners = first ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersRight;
    const ImRect part(left, area.Min.y, right - gap, area.Max.y);
    const float rounding = std::min(radius, part.GetWidth() / 2);
    if (gap > 0) ui.draw->AddRectFilled({right - gap, area.Min.y}, {right, area.Max.y}, ui.colours->card);
    if (parts[i].reserve) {
      ui.draw->AddRectFilled(part.Min, part.Max, ui.colours->line, rounding, corners);
      lines(ui, part, with_alpha(ui.colours->muted, 0.45F), true);
    } else {
      fill_rect(ui, part, parts[i].fill, rounding, corners);
    }
  }
  if (limit_x < area.Max.x - 1) {
    ui.draw->AddRectFilled({limit_x - 2, area.Min.y - 4}, {limit_x + 2, area.Max.y + 4}, ui.colours->card);
    ui.draw->AddRectFilled({limit_x - 1, area.Min.y - 4}, {limit_x + 1, area.Max.y + 4}, ui.colours->text);
  }
}

void bar_axis(Ui& ui, Column& column, double scale) {
  const float height = std::ceil(kAxis.size * ui.text_scale * 1.4F);
  const double whole = scale / kGiBytes;
  if (!(whole > 0)) return;
  column.space(4);
  const ImRect area = column.take(height);
  const std::string end =
      ui.texts->fill("ui.gb", {{"n", format_short(whole, whole < 100 ? 1 : 0, ui.texts->numbers())}});
  const float end_width = std::ceil(text_width(ui, kAxis, end));
  const double step = tick_step(whole, std::max(2, static_cast<int>(area.GetWidth() / 75)));
  for (double tick = 0; tick < whole; tick += step) {
    const std::string text = format_short(tick, 2, ui.texts->numbers());
    const float width = std::ceil(text_width(ui, kAxis, text));
    const float middle = area.Min.x + static_cast<float>(tick / whole) * area.GetWidth();
    const float x = std::max(middle - width / 2, area.Min.x);
    if (x + width > area.Max.x - end_width - 10) break;
    text_in(ui, ImRect(x, area.Min.y, x + width, area.Max.y), kAxis, ui.colours->muted, text);
  }
  text_in(ui, area, kAxis, ui.colours->muted, end, Align::right);
}

void thin_bar(Ui& ui, const ImRect& area, double share, ImU32 colour) {
  const float radius = area.GetHeight() / 2;
  ui.draw->AddRectFilled(area.Min, area.Max, ui.colours->track, radius);
  const float width = area.GetWidth() * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (width < 1) return;
  ui.draw->AddRectFilled(area.Min, {area.Min.x + std::max(width, 2 * radius), area.Max.y}, colour, radius);
}

}  // namespace vram::ui
