// Drawing and measuring text. Everything drawn is recorded with the room it had.
#pragma once

#include <string>
#include <string_view>

#include "wasm/ui/ui.h"

namespace vram::ui {

/// Height of one line.
float line_height(const Ui& ui, Type type);
float text_width(const Ui& ui, Type type, std::string_view text);

enum class Align : std::uint8_t { left, centre, right };

/// One line in `box`, vertically centred. `shorten`: names that do not fit end in "...", for texts that are not ours.
void text_in(Ui& ui, const ImRect& box, Type type, ImU32 colour, std::string_view text, Align align = Align::left,
             bool shorten = false);

/// Wrapped lines from `column` on; moves it. Line step 1.4 em.
void paragraph(Ui& ui, Column& column, Type type, ImU32 colour, std::string_view text);
/// The height paragraph() would take.
float paragraph_height(const Ui& ui, Type type, std::string_view text, float width);

/// Words of `query` all occur in `text`, whatever their case and accents ("memoria" finds "Memória").
bool matches(std::string_view text, std::string_view query);
/// Lower case without accents, Latin letters only.
std::string folded(std::string_view text);

}  // namespace vram::ui
