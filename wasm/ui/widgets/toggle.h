// Yes or no: a row with a switch; and several words of which any number may be taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

/// The whole row can be pressed. Returns the new state.
std::optional<bool> toggle(Ui& ui, Column& column, ImGuiID id, std::string_view label, bool on);

/// Chips that wrap; `mask` has a bit per option. Returns the new mask.
std::optional<std::uint64_t> chips(Ui& ui, Column& column, ImGuiID id, std::span<const std::string_view> options,
                                   std::uint64_t mask);

}  // namespace vram::ui
