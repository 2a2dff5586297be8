// Numbers as people read them, without the C library's locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/count.h"

namespace vram {

/// A language's marks: "8.192" and "14,5" in Portuguese and Italian.
struct NumberStyle {
  std::string decimal = ".";
  std::string group = ",";
};

/// "131,072". Numbers below 10,000 are written without a group mark when `group_from` is 10000.
std::string format_integer(std::uint64_t value, const NumberStyle& style, std::uint64_t group_from = 1000);

/// `value` rounded half up to `digits` decimals (0..6), e.g. "14.5"; negative values and zero included.
std::string format_decimal(double value, int digits, const NumberStyle& style);

/// Without trailing zeros: 8 -> "8", 0.5 -> "0.5", at most `digits` decimals.
std::string format_short(double value, int digits, const NumberStyle& style);

/// Bytes in units of 2^30 with one decimal from 10 on and two below: "14.5", "0.27".
std::string format_gib(Bytes bytes, const NumberStyle& style);

/// Reads a decimal number ("8", "0.5", "-3", "1e9"); whole text or nothing. Same result on every platform.
bool parse_decimal(std::string_view text, double& value);
/// Reads an unsigned integer, whole text or nothing; suffixes k and m multiply by 1024 and 1024^2 when `binary_suffix`.
bool parse_integer(std::string_view text, std::uint64_t& value, bool binary_suffix = false);

}  // namespace vram
