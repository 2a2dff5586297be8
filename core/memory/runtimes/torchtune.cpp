// PyTorch's own training libraries: torchtune, torchtitan and, close to them, LitGPT.
#include "core/memory/runtimes/training_rules.h"
#include "core/memory/training/training_step.h"

namespace vram {
namespace {

bool is_paged(Optimizer optimizer) {
  return optimizer == Optimizer::paged_adamw || optimizer == Optimizer::paged_adamw_8bit;
}

LossHead& loss(TrainingProfile& profile, Loss loss) { return profile.losses[static_cast<std::size_t>(loss)]; }

/// torchtune and torchtitan repeat keys and values before SDPA, but take its output as it comes; FSDP2 retains nothing of
/// frozen units, and nobody copies trained modules.
TrainingProfile native() {
  TrainingProfile profile;
  profile.copies_attention_output = false;
  profile.copies_trained_modules = false;
  profile.ddp_bucket_views = true;
  return profile;
}

}  // namespace

void train_with_torchtune(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = native();
  profile.caches_rotary = true;
  // Its plain cross-entropy upcasts the logits; the chunked one, compiled, holds 16-bit logits only.
  loss(profile, Loss::full) = LossHead::upcast;
  if (scenario.training.compile) loss(profile, Loss::chunked) = LossHead::chunked_compiled;
  // The recipe for one small card pages 8-bit states and steps in the backward pass.
  profile.steps_in_backward = is_paged(scenario.training.optimizer) && scenario.parallel.data == Count(1);
  append_training_step(scenario, shard, profile, device, ledger);
}

void train_with_torchtitan(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = native();
  // From 0.1 on the loss is compiled with the model (21.2, R4).
  const bool compiles_loss = scenario.training.compile && scenario.version.at_least(0, 1);
  loss(profile, Loss::full) = compiles_loss ? LossHead::compiled : LossHead::upcast;
  profile.expandable_segments = true;  // run_train.sh
  profile.reduces_in_fp32 = true;
  append_training_step(scenario, shard, profile, device, ledger);
}

/// Fabric hands logits back in fp32, and under FSDP frozen units stay whole (21.2, R5; 21.3).
void train_with_litgpt(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = native();
  profile.keeps_frozen_gathered = true;
  profile.k_bit_computes_in_fp32 = true;
  profile.fuses_adapters = true;
  profile.adapter_dropout = true;                                  // 0.05
  profile.keeps_frozen_inputs = !scenario.version.at_least(0, 3);  // of 2023, with bitsandbytes 0.41
  loss(profile, Loss::full) = LossHead::upcast;
  loss(profile, Loss::chunked) = LossHead::upcast;
  append_training_step(scenario, shard, profile, device, ledger);
}

}  // namespace vram
