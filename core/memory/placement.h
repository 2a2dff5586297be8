// Where layers go when each GPU takes whole ones: how much each GPU lacks, and which split would lack least.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/ledger.h"
#include "core/scenario/scenario.h"

namespace vram {

/// What llama.cpp's --fit leaves free on each GPU by default (PR 16653).
inline constexpr Bytes kFitMargin = kGiB;

/// True for engines that lay out the layers anew when their own first split does not fit: llama.cpp from build 7400 on
/// (December 2025, --fit), and Ollama, which weighs layers since it first split them.
bool moves_layers_itself(const Scenario& scenario);

/// By how much the fullest GPU exceeds its memory when `margin` stays free; 0 when all fit.
Bytes largest_shortage(const Scenario& scenario, const Ledger& ledger, Bytes margin);

/// True when the GPUs have together what they need together: only then can another split help.
bool holds_together(const Scenario& scenario, const Ledger& ledger);

/// Layers for each GPU, in order, so that the GPU with the least room has as much as possible: layers count with their
/// weights and their cache, everything else (context, buffers, output, screen) stays where `ledger` has it.
std::vector<std::uint32_t> balanced_layers(const Scenario& scenario, const Ledger& ledger);

}  // namespace vram
