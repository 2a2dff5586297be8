// How wide an answer's bands are: what measurements of the same kind of run say about them.
#pragma once

#include "core/memory/ledger.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Sets the bands of a device's items by the runtime's constants, which tests/accuracy/derive_bands writes: exact weights and
/// caches get a share of their bytes (a log's rounding, unknown recipes), the others' distances from the expected value are
/// stretched. Expected values stay. `running`: weights of training jobs are left alone.
void calibrate_bands(const Scenario& scenario, bool running, DeviceLedger& device);

}  // namespace vram
