// Hugging Face's Trainer with PEFT and Accelerate, and the frameworks built on it.
#include "core/memory/runtimes/training_rules.h"
#include "core/memory/training/training_step.h"

namespace vram {
namespace {

/// PEFT keeps adapters in fp32 and prepares k-bit models (F-8.2, F-8.3); Accelerate shards with FSDP1, DDP copies its
/// buckets; the Trainer drops the logits before backward (F-7.9).
TrainingProfile hugging_face() {
  TrainingProfile profile;
  profile.default_dropout = true;
  profile.casts_adapter_inputs = true;
  profile.upcasts_unquantised = true;
  profile.retains_frozen_inputs = true;
  profile.upcasts_sharded = true;
  profile.op_checkpointing = false;
  return profile;
}

/// transformers 4.46 to 4.48 shifted the logits with a copy (F-7.9).
bool copies_shifted_logits(const Version& version) {
  return !version.latest && version.at_least(4, 46) && !version.at_least(4, 49);
}

}  // namespace

void train_with_hf_trainer(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  if (copies_shifted_logits(scenario.version)) {
    profile.losses[static_cast<std::size_t>(Loss::full_fp32)] = LossHead::upcast_shifted;
  }
  append_training_step(scenario, shard, profile, device, ledger);
}

/// Axolotl casts embeddings and norms back to the compute dtype after the k-bit preparation.
void train_with_axolotl(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  profile.upcasts_unquantised = false;
  append_training_step(scenario, shard, profile, device, ledger);
}

void train_with_ms_swift(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  profile.variable_lengths = true;
  append_training_step(scenario, shard, profile, device, ledger);
}

/// Unsloth fuses norms, MLP, rotary embedding and loss, and keeps checkpoints in system memory (F-7.8, F-7.9).
void train_with_unsloth(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  profile.fused_kernels = true;
  profile.upcasts_unquantised = false;
  profile.casts_adapter_inputs = false;
  profile.offloads_checkpoints = true;
  profile.expands_kv = false;
  profile.losses[static_cast<std::size_t>(Loss::full_fp32)] = LossHead::fused_linear;
  append_training_step(scenario, shard, profile, device, ledger);
}

void train_with_deepspeed(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  append_training_step(scenario, shard, hugging_face(), device, ledger);
}

}  // namespace vram
