// Does a need fit a card? F-16.2: level `need`, with display and margin.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/memory/ledger.h"

namespace vram {

enum class Verdict : std::uint8_t { comfortable, fits, tight, no };
inline constexpr std::array<std::string_view, 4> kVerdictNames = {"comfortable", "fits", "tight", "no"};

/// comfortable: high + display + margin fit; fits: expected + display + margin; tight: expected + display; else no.
Verdict verdict_of(const Band& need, const Band& display, Bytes margin, Bytes usable);

/// The worse of two verdicts.
constexpr Verdict worse(Verdict a, Verdict b) { return a < b ? b : a; }

}  // namespace vram
