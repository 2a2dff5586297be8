#include "core/report/measured/log_text.h"

#include "core/base/number.h"

namespace vram::measured {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::optional<std::string_view> after(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + mark.size());
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  return line;
}

std::optional<double> leading_number(std::string_view text, std::size_t& length) {
  constexpr std::size_t kLongest = 32;
  std::string digits;
  bool point = false;
  length = 0;
  while (length < text.size() && digits.size() < kLongest) {
    const char c = text[length];
    const bool group = c == ',' && !point && length + 3 < text.size() && is_digit(text[length + 1]) &&
                       is_digit(text[length + 2]) && is_digit(text[length + 3]);
    const bool decimal = c == '.' && !point && length + 1 < text.size() && is_digit(text[length + 1]);
    if (!is_digit(c) && !group && !decimal) break;
    point = point || decimal;
    if (!group) digits += c;
    ++length;
  }
  double value = 0;
  if (digits.empty() || !is_digit(digits.front()) || !parse_decimal(digits, value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> leading_integer(std::string_view text) {
  std::size_t length = 0;
  const auto value = leading_number(text, length);
  if (!value || *value > 1e15) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::optional<Bytes> leading_bytes(std::string_view text, double gb_base) {
  std::size_t length = 0;
  const auto value = leading_number(text, length);
  if (!value) return std::nullopt;
  text.remove_prefix(length);
  while (text.starts_with(' ')) text.remove_prefix(1);
  struct Unit {
    std::string_view name;
    int power;
    bool binary;
  };
  constexpr Unit kUnits[] = {{"KiB", 1, true}, {"MiB", 2, true}, {"GiB", 3, true}, {"TiB", 4, true}, {"KB", 1, false},
                             {"MB", 2, false}, {"GB", 3, false}, {"TB", 4, false}, {"B", 0, true}};
  for (const Unit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    double factor = 1;
    for (int i = 0; i < unit.power; ++i) factor *= unit.binary ? 1024 : gb_base;
    const double bytes = *value * factor;
    if (bytes > 1e16) return std::nullopt;
    return scaled(1, bytes);
  }
  return std::nullopt;
}

std::string leading_word(std::string_view text) {
  const char quote = text.empty() ? '\0' : text.front();
  if (quote == '\'' || quote == '"') {
    text.remove_prefix(1);
    return std::string(text.substr(0, std::min<std::size_t>(text.find(quote), 200)));
  }
  return std::string(text.substr(0, std::min<std::size_t>(text.find_first_of(" ,;)]}\t"), 200)));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace vram::measured
