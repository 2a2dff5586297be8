#include "wasm/ui/values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/number.h"
#include "core/format/storage_format.h"

namespace vram::ui {
namespace {

constexpr std::array<std::string_view, 16> kUnitKeys = {"",
                                                        "unit.tokens",
                                                        "unit.sequences",
                                                        "unit.users",
                                                        "unit.percent",
                                                        "unit.months",
                                                        "unit.billions",
                                                        "unit.layers",
                                                        "unit.share",
                                                        "unit.pixels",
                                                        "unit.frames",
                                                        "unit.classes",
                                                        "unit.gpus",
                                                        "unit.gigabytes",
                                                        "unit.steps",
                                                        ""};

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return out;
}

/// "Q4_K_M", "BF16": names of formats are written in capitals, as their makers do.
std::string format_name(std::string_view name) { return upper(name); }

double to_number(std::string_view text) {
  double value = 0;
  return parse_decimal(text, value) ? value : 0;
}

struct Practical {
  Field field;
  double minimum, maximum;
  double step = 1;
};
// Where most visitors stay: a slider over the whole legal range would be too coarse to use.
constexpr std::array kPractical = {
    Practical{Field::parameters_b, 0.1, 1000},
    Practical{Field::context, 256, 131072},
    Practical{Field::context_average, 256, 131072},
    Practical{Field::batch, 1, 256},
    Practical{Field::users, 1, 512},
    Practical{Field::growth_percent, 0, 300, 5},
    Practical{Field::ubatch, 32, 8192},
    Practical{Field::prefill_tokens, 256, 131072},
    Practical{Field::max_sequences, 1, 1024},
    Practical{Field::memory_fraction, 0.05, 1, 0.01},
    Practical{Field::prefix_share_percent, 0, 100, 5},
    Practical{Field::accumulation, 1, 256},
    Practical{Field::lora_rank, 1, 512},
    Practical{Field::image_height, 64, 4096},
    Practical{Field::image_width, 64, 4096},
    Practical{Field::frames, 1, 256},
    Practical{Field::classes, 1, 10000},
    Practical{Field::margin_percent, 0, 50, 1},
    Practical{Field::dataset_gb, 1, 100000},
    Practical{Field::calibration, 0.25, 4, 0.01},
};

}  // namespace

std::string gigabytes_number(const Texts& texts, Bytes bytes) { return format_gib(bytes, texts.numbers()); }

std::string gigabytes(const Texts& texts, Bytes bytes) {
  // Small parts would all read "0.00".
  if (bytes && bytes < 100 * kMiB) {
    return texts.fill("ui.mb", {{"n", format_integer(max(ceil_div(bytes, kMiB), 1).value(), texts.numbers())}});
  }
  return texts.fill("ui.gb", {{"n", gigabytes_number(texts, bytes)}});
}

std::string choice_text(const Texts& texts, const FieldRow& row, std::string_view word) {
  const std::string key = "choice." + std::string(row.name) + '.' + std::string(word);
  if (texts.has(key)) return std::string(texts(key));
  return row.field == Field::kv_cache || row.field == Field::kv_cache_v ? format_name(word) : std::string(word);
}

std::string shown_value(const Texts& texts, const FieldRow& row, std::string_view text) {
  switch (row.kind) {
    case FieldKind::choice: return choice_text(texts, row, text);
    case FieldKind::weight_format: return format_name(text);
    case FieldKind::boolean: return std::string(texts(text == "true" ? "ui.on" : "ui.off"));
    case FieldKind::integer:
    case FieldKind::integer_or_all:
    case FieldKind::number: break;
    default: return std::string(text);
  }
  if (text == "all") return std::string(texts("ui.all"));
  const double value = to_number(text);
  const std::string number = value == std::floor(value) && value >= 0 && value < 1e18
                                 ? format_integer(static_cast<std::uint64_t>(value), texts.numbers())
                                 : format_short(value, value < 10 ? 2 : 1, texts.numbers());
  const std::string_view unit = kUnitKeys[static_cast<std::size_t>(row.unit)];
  if (unit.empty()) return number;
  const std::string one = std::string(unit) + ".one";
  return texts.fill(value == 1 && texts.has(one) ? std::string_view(one) : unit, {{"n", number}});
}

std::string canonical_number(const Texts& texts, std::string_view typed, bool whole) {
  std::string text;
  for (const char c : typed) {
    if ((c >= '0' && c <= '9') || c == '.' || c == ',' || c == '-' || c == 'e' || c == 'E') text += c;
    if (c == 'k' || c == 'K' || c == 'm' || c == 'M') text += static_cast<char>(c | 0x20);
  }
  const std::string& decimal = texts.numbers().decimal;
  const auto drop = [&text](char mark) { std::erase(text, mark); };
  if (whole) {
    drop('.');
    drop(',');
    return text;
  }
  // "1.5" is understood in every language; "1.234,5" and "1,5" where the comma is the decimal mark.
  if (decimal == "," && text.find(',') != std::string::npos) {
    drop('.');
    std::replace(text.begin(), text.end(), ',', '.');
  } else {
    drop(',');
  }
  return text;
}

SliderRange slider_range(const FieldRow& row, const Scenario& scenario) {
  SliderRange range;
  range.minimum = row.minimum;
  range.maximum = row.maximum;
  range.logarithmic = row.scale == FieldScale::logarithmic;
  range.whole = row.kind != FieldKind::number;
  for (const Practical& practical : kPractical) {
    if (practical.field != row.field) continue;
    range.minimum = std::max(range.minimum, practical.minimum);
    range.maximum = std::min(range.maximum, practical.maximum);
    range.step = practical.step;
  }
  const bool of_context = row.field == Field::context || row.field == Field::context_average;
  if (of_context && scenario.model && scenario.model->context_max) {
    range.maximum = std::clamp(scenario.model->context_max.as_double(), 512.0, row.maximum);
  }
  if (row.field == Field::gpu_layers && scenario.model) {
    range.maximum = std::max(1.0, static_cast<double>(scenario.model->layer_count()));
  }
  return range;
}

bool is_stepped(const FieldRow& row) { return row.unit == FieldUnit::gpus || row.unit == FieldUnit::months; }

}  // namespace vram::ui
