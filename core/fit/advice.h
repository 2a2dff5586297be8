// What to know beside the number: memory that does not add up, peer copies, power, circuits, lanes, host memory, ECC.
#pragma once

#include <vector>

#include "core/fit/evaluate.h"

namespace vram {

/// Advice on the evaluated job's own cards, the most urgent first. `evaluation` needs scenario, ledger, gpus and verdict.
std::vector<Advice> advise(const Evaluation& evaluation, const Catalog& catalog);

}  // namespace vram
