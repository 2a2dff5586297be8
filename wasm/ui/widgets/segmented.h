// A few choices side by side, one of them taken.
#pragma once

#include <optional>
#include <span>

#include "wasm/ui/ui.h"

namespace vram::ui {

/// One stop of the Tab key; the arrows change it. Wraps into rows of equal segments when the labels need it. Returns the
/// newly chosen index.
std::optional<std::size_t> segmented(Ui& ui, Column& column, ImGuiID id, std::string_view label,
                                     std::span<const std::string_view> options, std::size_t selected);

/// The rows it would take in `width`, so that a caller can choose another control.
std::size_t segmented_rows(const Ui& ui, std::span<const std::string_view> options, float width);

}  // namespace vram::ui
