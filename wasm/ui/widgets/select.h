// One of many: a button that opens a list, with a search field when the list is long.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wasm/ui/ui.h"

namespace vram::ui {

struct Option {
  std::string value;  ///< what the request says
  std::string label;
  std::string note = {};      ///< muted, at the right of the list
  std::string keywords = {};  ///< also found by these
};

/// The open list, if any: at most one on the page.
struct OpenList {
  ImGuiID id = 0;
  std::string query;
  std::vector<std::size_t> found;  ///< indexes of the options that match
  std::size_t marked = 0;          ///< index into `found` that Enter takes
  bool scroll = false;             ///< to the marked one
  bool starts = false;
};

/// Returns the index of the option that was chosen. `selected` may be options.size() when `shown` is none of them.
std::optional<std::size_t> select(Ui& ui, OpenList& list, Column& column, ImGuiID id, std::string_view label,
                                  std::string_view shown, std::span<const Option> options, std::size_t selected);

}  // namespace vram::ui
