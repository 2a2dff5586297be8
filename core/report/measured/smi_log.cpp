// nvidia-smi's table and its query output, and `ollama ps`.
#include <algorithm>

#include "core/report/measured/log_parts.h"
#include "core/report/measured/log_text.h"

namespace vram::measured {
namespace {

/// "22456MiB / 24576MiB" in a row of the table.
bool read_card_row(std::string_view line, Bytes& used, Bytes& total) {
  const std::size_t slash = line.find("MiB /");
  if (slash == std::string_view::npos) return false;
  const std::size_t from = line.substr(0, slash).find_last_of(" |");
  const auto first = leading_bytes(line.substr(from == std::string_view::npos ? 0 : from + 1));
  const auto second = after(line.substr(slash), "/");
  const auto whole = second ? leading_bytes(*second) : std::nullopt;
  if (!first || !whole) return false;
  used = *first;
  total = *whole;
  return true;
}

std::vector<std::string_view> columns(std::string_view line) {
  std::vector<std::string_view> list;
  while (list.size() < 32) {
    const std::size_t comma = line.find(',');
    list.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  return list;
}

/// A query's value: "22456 MiB", or the bare number that nounits leaves.
std::optional<Bytes> mebibytes(std::string_view text) {
  if (const auto bytes = leading_bytes(text)) return bytes;
  const auto number = leading_integer(text);
  return number ? std::optional<Bytes>(Bytes(*number) * kMiB) : std::nullopt;
}

struct Cards {
  Bytes busiest, total;
  std::uint32_t count = 0;
  void add(Bytes used, Bytes whole) {
    busiest = max(busiest, used);
    total = max(total, whole);
    ++count;
  }
};

Cards read_query(std::string_view text) {
  Cards cards;
  std::size_t used_at = std::string_view::npos, total_at = std::string_view::npos;
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<std::string_view> row = columns(line);
    const auto place = [&](std::string_view name) {
      const auto found =
          std::find_if(row.begin(), row.end(), [&](std::string_view cell) { return cell.starts_with(name); });
      return found == row.end() ? std::string_view::npos : static_cast<std::size_t>(found - row.begin());
    };
    if (place("memory.used") != std::string_view::npos || place("used_gpu_memory") != std::string_view::npos) {
      used_at = std::min(place("memory.used"), place("used_gpu_memory"));
      total_at = place("memory.total");
      continue;
    }
    if (used_at == std::string_view::npos || used_at >= row.size()) continue;
    const auto used = mebibytes(row[used_at]);
    const auto whole = total_at < row.size() ? mebibytes(row[total_at]) : std::nullopt;
    if (used) cards.add(*used, whole.value_or(Bytes()));
  }
  return cards;
}

}  // namespace

void read_nvidia_smi(std::string_view text, LogReading& reading) {
  Cards cards;
  Bytes process;
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    Bytes used, total;
    if (read_card_row(line, used, total)) {
      cards.add(used, total);
      continue;
    }
    // A process: "|    0   N/A  N/A      1234      C   python3                22450MiB |"
    const std::string_view row = trimmed(line);
    if (!row.starts_with('|') || !row.ends_with("MiB |")) continue;
    const std::string_view number = row.substr(0, row.size() - 2);
    const std::size_t blank = number.find_last_of(' ');
    if (const auto bytes = leading_bytes(number.substr(blank + 1)); bytes && holds(row, " C "))
      process = max(process, *bytes);
  }
  if (cards.count == 0) cards = read_query(text);
  if (cards.count == 0) return;
  reading.sources.push_back(Source::nvidia_smi);
  reading.measure(Quantity::device, process ? process : cards.busiest);
  if (cards.total) reading.card = cards.total;
}

void read_ollama(std::string_view text, LogReading& reading) {
  Lines lines(text);
  std::string_view line;
  bool header = false;
  while (lines.next(line)) {
    if (holds(line, "NAME") && holds(line, "PROCESSOR")) {
      header = true;
      continue;
    }
    const std::string_view row = trimmed(line);
    if (!header || row.empty()) continue;
    const std::size_t gpu = row.find("GPU");
    // NAME ID SIZE UNIT PROCESSOR [CONTEXT] UNTIL, separated by runs of blanks.
    const std::string name = leading_word(row);
    const auto id = after(row.substr(name.size()), " ");
    const auto size = id ? after(id->substr(leading_word(*id).size()), " ") : std::nullopt;
    const auto bytes = size ? leading_bytes(*size, 1000) : std::nullopt;  // format.HumanBytes counts in thousands
    if (!bytes) continue;
    double share = gpu == std::string_view::npos ? 0 : 1;
    const std::size_t slash = row.find("%/");
    if (slash != std::string_view::npos) {
      std::size_t length = 0;
      share = leading_number(row.substr(slash + 2), length).value_or(100) / 100;
    }
    reading.sources.push_back(Source::ollama);
    reading.set(Field::framework, "ollama");
    reading.model_name = name;
    reading.measure(Quantity::reserved, scaled(*bytes, std::min(share, 1.0)));
    if (gpu != std::string_view::npos) {
      const auto context = leading_integer(trimmed(row.substr(gpu + 3)));
      if (context && *context >= 256) reading.set(Field::context, std::to_string(*context));
    }
    return;
  }
}

}  // namespace vram::measured
