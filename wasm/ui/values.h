// Values as the visitor reads and types them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/count.h"
#include "core/report/texts.h"
#include "core/scenario/fields.h"
#include "core/scenario/scenario.h"
#include "wasm/ui/widgets/slider.h"

namespace vram::ui {

/// "14.5 GB": the page calls 2^30 bytes a GB, as every card's label does, and says so once.
std::string gigabytes(const Texts& texts, Bytes bytes);
/// "14.5" of the same.
std::string gigabytes_number(const Texts& texts, Bytes bytes);

/// A field's text ("8192", "q4_k_m", "true") with unit and in the language's words ("8,192 tokens").
std::string shown_value(const Texts& texts, const FieldRow& row, std::string_view text);
/// A word of a choice field in the language: "choice.<field>.<word>", or the word itself.
std::string choice_text(const Texts& texts, const FieldRow& row, std::string_view word);

/// What was typed in the language's way ("8.192", "1,5", "8 192") as the request wants it ("8192", "1.5").
std::string canonical_number(const Texts& texts, std::string_view typed, bool whole);

/// The part of a number field's range that a slider offers; the rest can be typed.
SliderRange slider_range(const FieldRow& row, const Scenario& scenario);
/// True for fields that are small counts: they get - and +.
bool is_stepped(const FieldRow& row);

}  // namespace vram::ui
