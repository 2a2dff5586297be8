#include "wasm/ui/theme.h"

namespace vram::ui {
namespace {

constexpr ImU32 rgb(std::uint32_t hex) { return IM_COL32((hex >> 16U) & 255U, (hex >> 8U) & 255U, hex & 255U, 255U); }

// Contrast of text on card at least 5.5:1, of components at least 3:1 (light) and 4.8:1 (dark).
constexpr Palette kLight = {.page = rgb(0xF6F7F9),
                            .card = rgb(0xFFFFFF),
                            .line = rgb(0xDFE3E8),
                            .track = rgb(0xE9ECF0),
                            .text = rgb(0x15191E),
                            .muted = rgb(0x56606B),
                            .accent = rgb(0x0B5FA5),
                            .on_accent = rgb(0xFFFFFF),
                            .good = rgb(0x00664A),
                            .good_soft = rgb(0xDDF3EB),
                            .warn = rgb(0x8A5300),
                            .warn_soft = rgb(0xFCEFD6),
                            .bad = rgb(0xA83200),
                            .bad_soft = rgb(0xFBE3DA),
                            .weights = rgb(0x0B5FA5),
                            .kv_cache = rgb(0xC98500),
                            .activations = rgb(0x2A9D6E),
                            .gradients = rgb(0xC0569A),
                            .optimizer = rgb(0xB5400A),
                            .overhead = rgb(0x4A5560)};
constexpr Palette kDark = {.page = rgb(0x101418),
                           .card = rgb(0x191F25),
                           .line = rgb(0x2E3740),
                           .track = rgb(0x29323A),
                           .text = rgb(0xEEF2F5),
                           .muted = rgb(0xA3AFBA),
                           .accent = rgb(0x6DB7F0),
                           .on_accent = rgb(0x101418),
                           .good = rgb(0x5FD3AE),
                           .good_soft = rgb(0x16352C),
                           .warn = rgb(0xF3BE58),
                           .warn_soft = rgb(0x3A2D14),
                           .bad = rgb(0xFF9A72),
                           .bad_soft = rgb(0x3D2119),
                           .weights = rgb(0x3D8FD1),
                           .kv_cache = rgb(0xF5C04D),
                           .activations = rgb(0x2BBF93),
                           .gradients = rgb(0xE08CC0),
                           .optimizer = rgb(0xF0814A),
                           .overhead = rgb(0xDDE4EA)};

}  // namespace

const Palette& palette(bool dark) { return dark ? kDark : kLight; }

Fill Palette::fill(Group group) const {
  switch (group) {
    case Group::weights: return {weights, Pattern::solid};
    case Group::master_weights: return {weights, Pattern::hatch};
    case Group::gradients: return {gradients, Pattern::solid};
    case Group::optimizer: return {optimizer, Pattern::hatch};
    case Group::activations: return {activations, Pattern::solid};
    case Group::logits: return {activations, Pattern::hatch};
    case Group::kv_cache: return {kv_cache, Pattern::hatch};
    case Group::state: return {kv_cache, Pattern::cross};
    case Group::temporary: return {activations, Pattern::cross};
    case Group::communication: return {overhead, Pattern::solid};
    case Group::fragmentation: return {overhead, Pattern::counter_hatch};
    case Group::cached: return {overhead, Pattern::cross};
    case Group::runtime: return {overhead, Pattern::hatch};
  }
  return {overhead, Pattern::solid};
}

ImU32 Palette::of(Verdict verdict) const {
  return verdict == Verdict::no ? bad : verdict == Verdict::tight ? warn : good;
}

ImU32 Palette::soft(Verdict verdict) const {
  return verdict == Verdict::no ? bad_soft : verdict == Verdict::tight ? warn_soft : good_soft;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto value = static_cast<ImU32>(alpha * 255.0F + 0.5F);
  return (colour & ~IM_COL32_A_MASK) | (value << IM_COL32_A_SHIFT);
}

}  // namespace vram::ui
