// What is measured, on what data, and how long it may take.
#pragma once

#include <string>
#include <vector>

#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"
#include "tests/bench/stopwatch.h"

namespace vram::bench {

/// Everything compiled in, and the catalogue of a large shop.
struct Data {
  Catalog shipped;
  Catalog large;  ///< with 1,000 machines
  Formulas formulas;
  Texts english;
};
Data read_data();

struct Case {
  std::string group;  ///< "estimate", "resolve", ...
  std::string name;
  Work work;
  double goal_native_us = 0, goal_wasm_us = 0;  ///< 0: none; a goal missed is shown and fails nothing
};

/// `data` must outlive the cases.
std::vector<Case> cases(const Data& data);

}  // namespace vram::bench
