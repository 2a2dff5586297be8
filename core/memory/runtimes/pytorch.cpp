// A plain PyTorch loop over Hugging Face modelling code: the reference that the oracle records measured.
#include "core/memory/runtimes/training_rules.h"
#include "core/memory/training/training_step.h"

namespace vram {

void train_with_pytorch(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  TrainingProfile profile;
  profile.ddp_bucket_views = true;
  profile.copies_trained_modules = false;
  profile.torch_1 = scenario.version.at_least(1) && !scenario.version.at_least(2);
  append_training_step(scenario, shard, profile, device, ledger);
}

}  // namespace vram
