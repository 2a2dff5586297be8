// The answer as a table for the terminal.
#pragma once

#include <string>

#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"

namespace vram {

struct TableOptions {
  bool explain = false;  ///< every item's formula with its numbers and its source
};

/// Readable text with a line per item, GiB throughout.
std::string answer_table(const Evaluation& evaluation, const Catalog& catalog, const Formulas& formulas,
                         const Texts& texts, TableOptions options);

/// An item's formula with the numbers filled in: "F-4.1: layers 32 · kv_heads 8 · head_dim 128".
std::string filled_formula(const Item& item, const NumberStyle& numbers);

/// "24 GB card": what a tier is called, by the card that stands for it.
std::string tier_label(const Tier& tier, const Texts& texts);
/// A warning's sentence ("warning.<id>").
std::string warning_sentence(const Warning& warning, const Texts& texts);

}  // namespace vram
