#include "wasm/ui/widgets/slider.h"

#include <algorithm>
#include <cmath>

namespace vram::ui {
namespace {

constexpr float kThumb = 10;  ///< radius
constexpr double kStepsPerOctave = 8;

/// Eight stops an octave that are round numbers where there is room: 8, 9, 10, ... 16, 18, 20, ... 1024, 1152, ...
double rounded(const SliderRange& range, double value) {
  double step = range.step;
  if (range.logarithmic) {
    // The tiny addition keeps a power of two or ten, which the logarithm may miss by a bit, in its own octave.
    const double magnitude = std::max(value, 1e-9);
    step = range.whole ? std::max(std::exp2(std::floor(std::log2(magnitude) + 1e-9)) / kStepsPerOctave, 1.0)
                       : std::pow(10.0, std::floor(std::log10(magnitude) + 1e-9)) / 10;
  }
  const double stop = std::round(value / step) * step;
  return std::clamp(range.whole ? std::round(stop) : stop, range.minimum, range.maximum);
}

/// The stop `count` steps away.
double moved(const SliderRange& range, double value, int count) {
  const int direction = count > 0 ? 1 : -1;
  for (; count != 0; count -= direction) {
    const double aim =
        range.logarithmic ? value * std::exp2(direction / kStepsPerOctave) : value + direction * range.step;
    double next = rounded(range, aim);
    // Below 8 the whole numbers are further apart than an eighth of an octave.
    if (next == value) next = std::clamp(value + direction * range.step, range.minimum, range.maximum);
    value = next;
  }
  return value;
}

std::optional<double> moved_by_keys(const Ui& ui, ImGuiID id, const SliderRange& range, double value) {
  if (key(ui, id, ImGuiKey_LeftArrow) || key(ui, id, ImGuiKey_DownArrow)) return moved(range, value, -1);
  if (key(ui, id, ImGuiKey_RightArrow) || key(ui, id, ImGuiKey_UpArrow)) return moved(range, value, 1);
  if (key(ui, id, ImGuiKey_PageDown)) return moved(range, value, -8);
  if (key(ui, id, ImGuiKey_PageUp)) return moved(range, value, 8);
  if (key(ui, id, ImGuiKey_Home)) return range.minimum;
  if (key(ui, id, ImGuiKey_End)) return range.maximum;
  return std::nullopt;
}

}  // namespace

double value_at(const SliderRange& range, double share) {
  share = std::clamp(share, 0.0, 1.0);
  if (!range.logarithmic) return rounded(range, range.minimum + share * (range.maximum - range.minimum));
  return rounded(range, range.minimum * std::pow(range.maximum / range.minimum, share));
}

double share_of(const SliderRange& range, double value) {
  if (!(range.maximum > range.minimum)) return 0;
  value = std::clamp(value, range.minimum, range.maximum);
  if (!range.logarithmic) return (value - range.minimum) / (range.maximum - range.minimum);
  return std::log(value / range.minimum) / std::log(range.maximum / range.minimum);
}

std::optional<double> slider(Ui& ui, Column& column, ImGuiID id, std::string_view label, std::string_view value_text,
                             double value, const SliderRange& range) {
  const ImRect area = column.take(kControlHeight);
  const Press pressed = press(ui, id, area, {Role::slider, label, value_text});
  const float left = area.Min.x + kThumb;
  const float length = area.GetWidth() - 2 * kThumb;

  std::optional<double> changed = moved_by_keys(ui, id, range, value);
  if (pressed.held) {
    const double at = value_at(range, static_cast<double>((ImGui::GetMousePos().x - left) / length));
    // Pressing where the thumb already is keeps a typed value that lies between two stops.
    if (std::abs(share_of(range, at) - share_of(range, value)) * static_cast<double>(length) > 1) changed = at;
  }
  if (changed && *changed == value) changed.reset();
  if (changed) ui.again = true;

  const float middle = area.GetCenter().y;
  const float x = left + length * static_cast<float>(share_of(range, changed.value_or(value)));
  const float half = kTrackHeight / 2;
  ui.draw->AddRectFilled({area.Min.x, middle - half}, {area.Max.x, middle + half}, ui.colours->track, half);
  ui.draw->AddRectFilled({area.Min.x, middle - half}, {x, middle + half}, ui.colours->accent, half);
  const float radius = kThumb + (pressed.held ? 1.0F : 0.0F);
  ui.draw->AddCircleFilled({x, middle}, radius, ui.colours->accent);
  ui.draw->AddCircleFilled({x, middle}, radius - 3.5F, ui.colours->card);
  ring(ui, id, ImRect(x - kThumb, middle - kThumb, x + kThumb, middle + kThumb), kThumb);
  return changed;
}

}  // namespace vram::ui
