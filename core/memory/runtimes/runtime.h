// The small interface behind which every engine keeps its rules: one file per engine.
#pragma once

#include <span>
#include <string_view>

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Appends what running the model needs on a GPU of this shard. `ledger` receives reservation and host items.
using InferenceRules = void (*)(const Scenario&, const Shard&, DeviceLedger& device, Ledger& ledger);
/// Appends what one training step needs on a GPU of this shard.
using TrainingRules = void (*)(const Scenario&, const Shard&, DeviceLedger& device, Ledger& ledger);

struct RuntimeRules {
  RuntimeId id;
  InferenceRules inference = nullptr;  ///< nullptr: cannot run models
  TrainingRules training = nullptr;    ///< nullptr: cannot train
};

/// The runtimes that have rules of their own.
std::span<const RuntimeRules> runtime_rules();
/// The rules of `id`, or nullptr.
const RuntimeRules* find_rules(RuntimeId id);

}  // namespace vram
