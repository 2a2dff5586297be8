#include "core/base/number.h"

#include <cmath>
#include <cstdlib>

namespace vram {
namespace {

void append_grouped(std::string& out, std::string_view digits, const NumberStyle& style) {
  const std::size_t first = digits.size() % 3;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && i % 3 == first) out += style.group;
    out += digits[i];
  }
}

constexpr double kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

}  // namespace

std::string format_integer(std::uint64_t value, const NumberStyle& style, std::uint64_t group_from) {
  const std::string digits = std::to_string(value);
  if (value < group_from) return digits;
  std::string out;
  append_grouped(out, digits, style);
  return out;
}

std::string format_decimal(double value, int digits, const NumberStyle& style) {
  const int places = digits < 0 ? 0 : digits > 6 ? 6 : digits;
  const double scale = kPowers[places];
  const double magnitude = value < 0 ? -value : value;
  if (!(magnitude * scale < 1.8e19)) return value < 0 ? "-\xE2\x88\x9E" : "\xE2\x88\x9E";
  const auto scaled_value = static_cast<std::uint64_t>(magnitude * scale + 0.5);
  const auto unit = static_cast<std::uint64_t>(scale);
  std::string out;
  if (value < 0 && scaled_value != 0) out += '-';
  const std::string whole = std::to_string(scaled_value / unit);
  append_grouped(out, whole, style);
  if (places > 0) {
    std::string fraction = std::to_string(scaled_value % unit);
    fraction.insert(0, static_cast<std::size_t>(places) - fraction.size(), '0');
    out += style.decimal + fraction;
  }
  return out;
}

std::string format_short(double value, int digits, const NumberStyle& style) {
  std::string out = format_decimal(value, digits, style);
  const std::size_t mark = out.rfind(style.decimal);
  if (digits <= 0 || mark == std::string::npos) return out;
  while (out.size() > mark + style.decimal.size() && out.back() == '0') out.pop_back();
  if (out.size() == mark + style.decimal.size()) out.erase(mark);
  return out;
}

std::string format_gib(Bytes bytes, const NumberStyle& style) {
  const double gib = bytes.as_double() / kGiB.as_double();
  return format_decimal(gib, gib < 9.995 ? 2 : 1, style);
}

bool parse_decimal(std::string_view text, double& value) {
  // strtod is correctly rounded in glibc and musl alike; it needs a terminated string and must not see hex, inf or nan.
  if (text.empty() || text.size() > 40) return false;
  for (const char c : text) {
    const bool allowed = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    if (!allowed) return false;
  }
  if (text.front() == '+') return false;
  const std::string terminated(text);
  char* end = nullptr;
  const double parsed = std::strtod(terminated.c_str(), &end);
  if (end != terminated.c_str() + terminated.size() || !std::isfinite(parsed)) return false;
  value = parsed;
  return true;
}

bool parse_integer(std::string_view text, std::uint64_t& value, bool binary_suffix) {
  std::uint64_t factor = 1;
  if (binary_suffix && !text.empty()) {
    const char last = text.back();
    if (last == 'k' || last == 'K') factor = 1024;
    if (last == 'm' || last == 'M') factor = std::uint64_t{1024} * 1024;
    if (factor != 1) text.remove_suffix(1);
  }
  if (text.empty() || text.size() > 20) return false;
  std::uint64_t parsed = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    if (__builtin_mul_overflow(parsed, std::uint64_t{10}, &parsed)) return false;
    if (__builtin_add_overflow(parsed, static_cast<std::uint64_t>(c - '0'), &parsed)) return false;
  }
  return !__builtin_mul_overflow(parsed, factor, &value);
}

}  // namespace vram
