// The words of the request field `weights`.
#include <algorithm>

#include "core/format/storage_format.h"

namespace vram {
namespace {

constexpr WeightFormat plain(TensorType type) { return {.base = type}; }
constexpr WeightFormat gguf(GgufMix mix) { return {.scheme = WeightScheme::gguf, .base = TensorType::f16, .mix = mix}; }
constexpr WeightFormat bnb4(bool fp4, bool double_quant) {
  return {.scheme = WeightScheme::bnb4, .double_quant = double_quant, .fp4 = fp4, .bits = 4, .group = 64};
}
constexpr WeightFormat grouped(WeightScheme scheme, std::uint8_t bits) {
  return {.scheme = scheme, .base = TensorType::f16, .bits = bits, .group = 128};
}
constexpr WeightFormat fixed(WeightScheme scheme, std::uint8_t bits) { return {.scheme = scheme, .bits = bits}; }

using Scheme = WeightScheme;
using Mix = GgufMix;

// Bits: mean over the quantised matrices in Llama-3-8B (a test compares); mxfp4_moe: of the experts.
constexpr std::array kNamedFormats = {
    NamedFormat{"fp32", plain(TensorType::f32), 3200},   NamedFormat{"bf16", plain(TensorType::bf16), 1600},
    NamedFormat{"fp16", plain(TensorType::f16), 1600},   NamedFormat{"fp8", fixed(Scheme::fp8, 8), 801},
    NamedFormat{"int8", fixed(Scheme::bnb8, 8), 801},    NamedFormat{"nf4", bnb4(false, false), 450},
    NamedFormat{"nf4_dq", bnb4(false, true), 413},       NamedFormat{"fp4", bnb4(true, false), 450},
    NamedFormat{"gptq4", grouped(Scheme::gptq, 4), 416}, NamedFormat{"gptq8", grouped(Scheme::gptq, 8), 819},
    NamedFormat{"awq4", grouped(Scheme::awq, 4), 416},   NamedFormat{"w4a16", grouped(Scheme::wna16, 4), 413},
    NamedFormat{"mxfp4", fixed(Scheme::mxfp4, 4), 425},  NamedFormat{"nvfp4", fixed(Scheme::nvfp4, 4), 450},
    NamedFormat{"gguf_f32", gguf(Mix::f32), 3200},       NamedFormat{"gguf_f16", gguf(Mix::f16), 1600},
    NamedFormat{"gguf_bf16", gguf(Mix::bf16), 1600},     NamedFormat{"q8_0", gguf(Mix::q8_0), 850},
    NamedFormat{"q6_k", gguf(Mix::q6_k), 656},           NamedFormat{"q5_k_m", gguf(Mix::q5_k_m), 565},
    NamedFormat{"q5_k_s", gguf(Mix::q5_k_s), 550},       NamedFormat{"q5_1", gguf(Mix::q5_1), 600},
    NamedFormat{"q5_0", gguf(Mix::q5_0), 550},           NamedFormat{"q4_k_m", gguf(Mix::q4_k_m), 480},
    NamedFormat{"q4_k_s", gguf(Mix::q4_k_s), 454},       NamedFormat{"q4_1", gguf(Mix::q4_1), 500},
    NamedFormat{"q4_0", gguf(Mix::q4_0), 450},           NamedFormat{"iq4_nl", gguf(Mix::iq4_nl), 455},
    NamedFormat{"iq4_xs", gguf(Mix::iq4_xs), 432},       NamedFormat{"q3_k_l", gguf(Mix::q3_k_l), 419},
    NamedFormat{"q3_k_m", gguf(Mix::q3_k_m), 384},       NamedFormat{"q3_k_s", gguf(Mix::q3_k_s), 344},
    NamedFormat{"iq3_m", gguf(Mix::iq3_m), 358},         NamedFormat{"iq3_s", gguf(Mix::iq3_s), 346},
    NamedFormat{"iq3_xs", gguf(Mix::iq3_xs), 327},       NamedFormat{"iq3_xxs", gguf(Mix::iq3_xxs), 321},
    NamedFormat{"q2_k", gguf(Mix::q2_k), 294},           NamedFormat{"q2_k_s", gguf(Mix::q2_k_s), 272},
    NamedFormat{"iq2_m", gguf(Mix::iq2_m), 270},         NamedFormat{"iq2_s", gguf(Mix::iq2_s), 248},
    NamedFormat{"iq2_xs", gguf(Mix::iq2_xs), 237},       NamedFormat{"iq2_xxs", gguf(Mix::iq2_xxs), 213},
    NamedFormat{"iq1_m", gguf(Mix::iq1_m), 186},         NamedFormat{"iq1_s", gguf(Mix::iq1_s), 169},
    NamedFormat{"tq2_0", gguf(Mix::tq2_0), 206},         NamedFormat{"tq1_0", gguf(Mix::tq1_0), 169},
    NamedFormat{"q2_0", gguf(Mix::q2_0), 225},           NamedFormat{"q1_0", gguf(Mix::q1_0), 113},
    NamedFormat{"mxfp4_moe", gguf(Mix::mxfp4_moe), 425}, NamedFormat{"gguf_nvfp4", gguf(Mix::nvfp4), 450},
};

struct Alias {
  std::string_view name, means;
};
// llama-quantize takes these short names.
constexpr std::array kAliases = {Alias{"q3_k", "q3_k_m"}, Alias{"q4_k", "q4_k_m"}, Alias{"q5_k", "q5_k_m"}};

constexpr std::uint32_t kMinRateX100 = 100, kMaxRateX100 = 800;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "4", "4.2" and "4.25" as 400, 420 and 425; nullopt for anything else or out of range.
std::optional<std::uint16_t> parse_rate(std::string_view text) {
  if (text.empty() || text.size() > 4 || !is_digit(text[0])) return std::nullopt;
  std::uint32_t rate = 100U * static_cast<std::uint32_t>(text[0] - '0');
  if (text.size() > 1) {
    if (text[1] != '.' || text.size() == 2) return std::nullopt;
    std::uint32_t weight = 10;
    for (const char c : text.substr(2)) {
      if (!is_digit(c)) return std::nullopt;
      rate += weight * static_cast<std::uint32_t>(c - '0');
      weight /= 10;
    }
  }
  if (rate < kMinRateX100 || rate > kMaxRateX100) return std::nullopt;
  return static_cast<std::uint16_t>(rate);
}

std::string rate_text(std::uint32_t rate) {
  std::string text = std::to_string(rate / 100);
  const std::uint32_t fraction = rate % 100;
  if (fraction == 0) return text;
  text += '.';
  text += static_cast<char>('0' + fraction / 10);
  if (fraction % 10 != 0) text += static_cast<char>('0' + fraction % 10);
  return text;
}

/// Sizes of a group that shares a scale; the last stands for a whole row ("gptq4_row").
struct GroupWord {
  std::string_view ending;
  std::uint16_t group;
};
constexpr std::array kGroupWords = {GroupWord{"_g32", 32}, GroupWord{"_g64", 64}, GroupWord{"_row", 65535}};

const NamedFormat* find(std::string_view name) {
  const auto* const row = std::find_if(kNamedFormats.begin(), kNamedFormats.end(),
                                       [name](const NamedFormat& format) { return format.name == name; });
  return row == kNamedFormats.end() ? nullptr : row;
}

const NamedFormat* find(const WeightFormat& wanted) {
  const auto* const row = std::find_if(kNamedFormats.begin(), kNamedFormats.end(),
                                       [&wanted](const NamedFormat& format) { return format.format == wanted; });
  return row == kNamedFormats.end() ? nullptr : row;
}

constexpr std::uint16_t kUsualGroup = 128;
bool has_groups(WeightScheme scheme) {
  return scheme == Scheme::gptq || scheme == Scheme::awq || scheme == Scheme::wna16;
}

/// The same format with groups of the usual size, which the table names; unchanged where no word says its groups.
WeightFormat usual(WeightFormat format) {
  for (const GroupWord& word : kGroupWords) {
    if (has_groups(format.scheme) && format.group == word.group) format.group = kUsualGroup;
  }
  return format;
}

}  // namespace

std::span<const NamedFormat> named_formats() { return kNamedFormats; }

std::optional<WeightFormat> parse_weight_format(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) name = alias.means;
  }
  if (const NamedFormat* row = find(name)) return row->format;
  for (const GroupWord& word : kGroupWords) {
    if (!name.ends_with(word.ending)) continue;
    const NamedFormat* row = find(name.substr(0, name.size() - word.ending.size()));
    if (row == nullptr || row->format.group != kUsualGroup || !has_groups(row->format.scheme)) return std::nullopt;
    WeightFormat format = row->format;
    format.group = word.group;
    return format;
  }
  const bool exl2 = name.starts_with("exl2-");
  if (!exl2 && !name.starts_with("exl3-")) return std::nullopt;
  const std::optional<std::uint16_t> rate = parse_rate(name.substr(5));
  if (!rate) return std::nullopt;
  WeightFormat format = grouped(WeightScheme::exl, 16);
  format.bits_x100 = *rate;
  format.exl_version = exl2 ? 2 : 3;
  return format;
}

std::string name_of(const WeightFormat& format) {
  if (format.scheme == WeightScheme::exl) {
    return (format.exl_version == 2 ? "exl2-" : "exl3-") + rate_text(format.bits_x100);
  }
  const NamedFormat* row = find(usual(format));
  if (row == nullptr) return {};
  std::string name(row->name);
  for (const GroupWord& word : kGroupWords) {
    if (has_groups(format.scheme) && format.group == word.group) name += word.ending;
  }
  return name;
}

std::uint32_t nominal_bits_x100(const WeightFormat& format) {
  if (format.scheme == WeightScheme::exl) return format.bits_x100;
  const NamedFormat* row = find(usual(format));
  return row == nullptr ? 0 : row->nominal_bits_x100;
}

}  // namespace vram
