// Finding numbers in logs. Nothing here believes a log: every number is read within its line and bounded.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/count.h"

namespace vram::measured {

/// Walks the lines of a text; '\r' at a line's end is dropped.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);

 private:
  std::string_view rest_;
};

/// What follows `mark` in `line`, without blanks in front; nullopt when the mark is not there.
std::optional<std::string_view> after(std::string_view line, std::string_view mark);

/// A decimal number at the text's beginning, commas between groups allowed; `length` is how much was read.
std::optional<double> leading_number(std::string_view text, std::size_t& length);
/// A whole number at the text's beginning.
std::optional<std::uint64_t> leading_integer(std::string_view text);

/// "4403.49 MiB", "14.98GiB", "6.7 GB", "22456MiB": bytes. `gb` is what the writer means by GB, MB and KB: 1000 or 1024.
std::optional<Bytes> leading_bytes(std::string_view text, double gb_base = 1024);

/// The word at the text's beginning, up to a blank, comma or bracket; quotes around it dropped.
std::string leading_word(std::string_view text);

std::string lower(std::string_view text);
inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
std::string_view trimmed(std::string_view text);

}  // namespace vram::measured
