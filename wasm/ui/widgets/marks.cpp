#include "wasm/ui/widgets/marks.h"

namespace vram::ui {
namespace {

void polyline(const Ui& ui, std::initializer_list<ImVec2> points, ImVec2 centre, float scale, ImU32 colour,
              float width) {
  for (const ImVec2& point : points) ui.draw->PathLineTo(centre + point * scale);
  ui.draw->PathStroke(colour, ImDrawFlags_None, width);
}

}  // namespace

void mark(const Ui& ui, Mark which, ImVec2 centre, float size, ImU32 colour) {
  const float unit = size / 2;
  const float width = size < 11 ? 1.8F : 2.0F;
  switch (which) {
    case Mark::check:
      polyline(ui, {{-0.85F, 0.05F}, {-0.25F, 0.65F}, {0.9F, -0.6F}}, centre, unit, colour, width);
      break;
    case Mark::double_check:
      polyline(ui, {{-1.15F, 0.05F}, {-0.55F, 0.65F}, {0.6F, -0.6F}}, centre, unit, colour, width);
      polyline(ui, {{0.05F, 0.65F}, {1.2F, -0.6F}}, centre, unit, colour, width);
      break;
    case Mark::cross:
      polyline(ui, {{-0.65F, -0.65F}, {0.65F, 0.65F}}, centre, unit, colour, width);
      polyline(ui, {{0.65F, -0.65F}, {-0.65F, 0.65F}}, centre, unit, colour, width);
      break;
    case Mark::caution:
      polyline(ui, {{0, -0.9F}, {1, 0.8F}, {-1, 0.8F}, {0, -0.9F}}, centre, unit, colour, 1.6F);
      polyline(ui, {{0, -0.3F}, {0, 0.25F}}, centre, unit, colour, 1.6F);
      ui.draw->AddCircleFilled(centre + ImVec2(0, 0.52F * unit), 1, colour, 8);
      break;
    case Mark::question:
      ui.draw->AddCircle(centre, unit, colour, 0, 1.3F);
      ui.draw->PathArcTo(centre + ImVec2(0, -0.2F * unit), 0.32F * unit, 3.3F, 7.6F);
      ui.draw->PathLineTo(centre + ImVec2(0, 0.25F * unit));
      ui.draw->PathStroke(colour, ImDrawFlags_None, 1.3F);
      ui.draw->AddCircleFilled(centre + ImVec2(0, 0.55F * unit), 0.9F, colour, 8);
      break;
    case Mark::down: polyline(ui, {{-0.8F, -0.4F}, {0, 0.4F}, {0.8F, -0.4F}}, centre, unit, colour, width); break;
    case Mark::up: polyline(ui, {{-0.8F, 0.4F}, {0, -0.4F}, {0.8F, 0.4F}}, centre, unit, colour, width); break;
    case Mark::right: polyline(ui, {{-0.4F, -0.8F}, {0.4F, 0}, {-0.4F, 0.8F}}, centre, unit, colour, width); break;
    case Mark::plus: polyline(ui, {{0, -0.9F}, {0, 0.9F}}, centre, unit, colour, width); [[fallthrough]];
    case Mark::minus: polyline(ui, {{-0.9F, 0}, {0.9F, 0}}, centre, unit, colour, width); break;
  }
}

}  // namespace vram::ui
