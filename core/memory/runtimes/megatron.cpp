// Megatron-LM with Transformer Engine: fused kernels, fp32 main gradients, a distributed optimizer (F-9.8, section 20).
#include "core/memory/runtimes/training_rules.h"
#include "core/memory/training/training_step.h"

namespace vram {

void train_with_megatron(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile;
  profile.fused_kernels = true;
  profile.keeps_rotated = true;
  profile.expands_kv = false;
  profile.op_checkpointing = false;
  profile.ddp_bucket_views = true;
  profile.copies_trained_modules = false;
  profile.main_gradients = scenario.training.gradient_bytes == Count(4) && scenario.training.weight_bytes == Count(2);
  for (const Loss loss : {Loss::full_fp32, Loss::full}) {
    profile.losses[static_cast<std::size_t>(loss)] = LossHead::vocab_parallel;
  }
  profile.losses[static_cast<std::size_t>(Loss::fused)] = LossHead::vocab_parallel_fused;
  append_training_step(scenario, shard, profile, device, ledger);
}

}  // namespace vram
