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
  profile.retains_frozen_inputs = true;
  profile.upcasts_sharded = true;
  profile.op_checkpointing = false;
  return profile;
}

/// transformers 4.46 to 4.48 shifted the logits with a copy (F-7.9).
bool copies_shifted_logits(const Version& version) {
  return !version.latest && version.at_least(4, 46) && !version.at_least(4, 49);
}

/// GPT-2, BigCode, NeoX and Falcon computed the loss on shifted logits in the model's dtype before transformers 4.49 gave
/// every model one loss function.
bool has_loss_of_its_own(const Model& model, const Version& version) {
  if (version.at_least(4, 49) || model.norm == NormKind::rms || model.kinds.empty()) return false;
  const auto* mlp = std::get_if<Mlp>(&model.kinds.front().feed_forward);
  return mlp != nullptr && !mlp->gated;
}

}  // namespace

void train_with_hf_trainer(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  const auto set = [&](Loss loss, LossHead head) { profile.losses[static_cast<std::size_t>(loss)] = head; };
  if (copies_shifted_logits(scenario.version)) {
    set(Loss::full_fp32, LossHead::upcast_shifted);
    set(Loss::fused, LossHead::fused_kernel_shifted);
  }
  if (has_loss_of_its_own(*scenario.model, scenario.version)) {
    set(Loss::full_fp32, LossHead::native_shifted);
    set(Loss::fused, LossHead::native_shifted);  // kernels are patched into the Llama family's loss
  }
  append_training_step(scenario, shard, profile, device, ledger);
}

/// Axolotl, ms-swift and DeepSpeed's engine train the same modelling code through the same Trainer.
void train_on_hf_trainer(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  profile.expandable_segments = scenario.runtime == RuntimeId::axolotl;  // it sets PYTORCH_CUDA_ALLOC_CONF itself
  append_training_step(scenario, shard, profile, device, ledger);
}

/// Unsloth fuses norms, MLP, rotary embedding and loss, and keeps checkpoints in system memory (F-7.8, F-7.9).
void train_with_unsloth(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile = hugging_face();
  profile.fused_kernels = true;
  profile.casts_adapter_inputs = false;
  profile.offloads_checkpoints = true;
  profile.expands_kv = false;
  profile.losses[static_cast<std::size_t>(Loss::full_fp32)] = LossHead::fused_linear;
  append_training_step(scenario, shard, profile, device, ledger);
}

}  // namespace vram
