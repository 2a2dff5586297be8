#include "wasm/ui/card.h"

#include "wasm/ui/text.h"

namespace vram::ui {
namespace {

constexpr float kPaddingY = 18;
constexpr float kNarrow = 400;

float side_padding(float width) { return width < kNarrow ? 16.0F : 20.0F; }

}  // namespace

void page_begin(Ui& ui) {
  ui.draw->ChannelsSplit(2);
  ui.draw->ChannelsSetCurrent(1);
}

void page_end(Ui& ui) { ui.draw->ChannelsMerge(); }

Card::Card(Ui& ui, Column& column) : ui_(ui), outer_(column), top_(column.y), fade_top_(column.y + 1) {
  const float side = side_padding(column.width);
  inner_ = {column.x + side, column.y + kPaddingY, column.width - 2 * side};
}

void Card::end(bool faded) {
  const ImVec2 min(outer_.x, top_);
  const ImVec2 max(outer_.x + outer_.width, inner_.y + kPaddingY);
  if (faded) {
    ui_.draw->AddRectFilled({min.x + 1, fade_top_}, max - ImVec2(1, 1), with_alpha(ui_.colours->card, 0.5F),
                            kCardRadius);
  }
  ui_.draw->ChannelsSetCurrent(0);
  ui_.draw->AddRectFilled(min, max, ui_.colours->card, kCardRadius);
  ui_.draw->AddRect(min, max, ui_.colours->line, kCardRadius);
  ui_.draw->ChannelsSetCurrent(1);
  outer_.y = max.y + kGap;
}

void card_heading(Ui& ui, Column& column, std::string_view text) {
  paragraph(ui, column, kHeading, ui.colours->text, text);
  column.space(8);
}

void divider(Ui& ui, Column& column) {
  column.space(16);
  ui.draw->AddLine({column.x, column.y}, {column.x + column.width, column.y}, ui.colours->line);
  column.space(16);
}

}  // namespace vram::ui
