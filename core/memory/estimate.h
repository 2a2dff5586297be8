// Scenario -> Ledger: the memory model's only door.
#pragma once

#include "core/memory/ledger.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Pure and allocation-light: no text, no JSON. Development jobs give the phases of running and of one adapter step.
Ledger estimate(const Scenario& scenario);

}  // namespace vram
