// Everything a command needs, read once from what is compiled in.
#pragma once

#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"

namespace vram::cli {

struct Data {
  Catalog catalog;
  Formulas formulas;
  Texts texts;
};

Data read_data();

}  // namespace vram::cli
