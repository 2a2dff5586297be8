// `vram check FILE...`: the faults of catalogue files, for whoever edits them.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

namespace vram::cli {

/// Prints one line for every fault: FILE:LINE: entry: field: problem; remedy. The kind of a file shows in its top-level key
/// (gpus, platforms, configurations, tiers, models, constants, formulas). Ids that a file refers to are looked up in the
/// files named beside it, else in the catalogue that is compiled in. Machines that break a rule count as faults. Returns 0
/// without faults, 1 with any, 2 without a file.
int check(std::span<const std::string_view> files, std::ostream& out, std::ostream& err);

}  // namespace vram::cli
