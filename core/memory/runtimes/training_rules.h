// The rules for training language models, one file per family of frameworks; runtime.cpp lists who uses which.
#pragma once

#include "core/memory/runtimes/runtime.h"
#include "core/memory/training/training_profile.h"

namespace vram {

void train_with_pytorch(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_hf_trainer(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_on_hf_trainer(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_unsloth(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_torchtune(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_torchtitan(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_litgpt(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void train_with_megatron(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);

}  // namespace vram
