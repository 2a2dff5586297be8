// The page's layout: which card stands where at which width.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wasm/ui/answer_view.h"
#include "wasm/ui/form.h"
#include "wasm/ui/ui.h"

namespace vram::ui {

/// The button that copies the link, and what became of it.
struct LinkButton {
  bool pressed = false;  ///< in this frame
  bool copied = false;   ///< says so for a moment
  std::string by_hand;   ///< not empty: copying failed, the visitor copies it from a field
  bool by_hand_starts = false;
};

struct Page {
  Form* form = nullptr;
  const Evaluation* answer = nullptr;  ///< nullptr: nothing can be shown but the error
  const Error* error = nullptr;
  const std::vector<Error>* ignored = nullptr;      ///< what a link said in vain
  const std::vector<std::string>* notes = nullptr;  ///< on what the visitor brought; empty when it is out of date
  const std::vector<Error>* set_back = nullptr;     ///< fields that made way for the last choice
  const Formulas* formulas = nullptr;
  LinkButton* link = nullptr;
  float width = 0;  ///< of the element
};

/// Draws everything; returns the content's height.
float draw_page(Ui& ui, Page& page);

}  // namespace vram::ui
