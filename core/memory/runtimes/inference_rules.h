// The rules for running language models, one file per engine; runtime.cpp lists who uses which.
#pragma once

#include "core/memory/runtimes/runtime.h"

namespace vram {

void run_with_transformers(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void run_with_llama_cpp(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void run_with_vllm(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void run_with_sglang(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void run_with_tensorrt_llm(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
void run_with_exllama(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);

}  // namespace vram
