// A card: content on a raised ground with a line around it.
#pragma once

#include "wasm/ui/ui.h"

namespace vram::ui {

/// Between page_begin() and page_end() the draw list has a ground for cards and a layer for what stands on them.
void page_begin(Ui& ui);
void page_end(Ui& ui);

class Card {
 public:
  /// Starts a card at the column's place; draw into inner(), then end().
  Card(Ui& ui, Column& column);
  [[nodiscard]] Column& inner() { return inner_; }
  /// What comes from here on is faded by end(true): an error above it is not.
  void fade_from_here() { fade_top_ = inner_.y; }
  /// Closes it and moves the column below it. `faded`: what it shows is no longer up to date.
  void end(bool faded = false);

 private:
  Ui& ui_;
  Column& outer_;
  Column inner_;
  float top_ = 0, fade_top_ = 0;
};

/// A heading inside a card.
void card_heading(Ui& ui, Column& column, std::string_view text);
/// A line between two parts of a card.
void divider(Ui& ui, Column& column);

}  // namespace vram::ui
