// What the visitor brought, in sentences: an imported model, a comparison with a measurement.
#pragma once

#include <string>
#include <vector>

#include "core/model/imports/imported.h"
#include "core/report/measured/comparison.h"
#include "core/report/texts.h"

namespace vram {

/// The model in one line, then what was taken for granted.
std::vector<std::string> import_lines(const imports::Imported& imported, const Texts& texts);

/// A line for each measured item with ours beside it, the usual causes of the largest difference, and the calibration
/// that `calibration=` would bring.
std::vector<std::string> comparison_lines(const measured::Comparison& comparison, const Texts& texts);

}  // namespace vram
