// A small number with - and + beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

struct Stepper {
  std::string_view label;
  ImGuiID help = 0;  ///< the help that pressing the label opens; 0: none
  std::uint64_t minimum = 1, maximum = 1024;
};

/// One row, one stop of the Tab key: arrows change it, Enter starts typing. Returns what was typed or stepped to, as text.
std::optional<std::string> stepper(Ui& ui, Column& column, ImGuiID id, const Stepper& what, std::uint64_t value);

}  // namespace vram::ui
