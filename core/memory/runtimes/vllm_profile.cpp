#include "core/memory/runtimes/vllm_profile.h"

#include "core/memory/context.h"
#include "core/memory/inference_activations.h"

namespace vram {

Band profile_layers(const Model& model, LayerRange range, const ProfileRun& run, const ResolvedConstants& constants) {
  const Count width = 3 * model.hidden + ceil_div(3 * widest_feed_forward(model, range), run.tensor);
  const Count tokens = run.batched_tokens * run.element_bytes;
  const Bytes handed_on = run.staged ? tokens * 2 * model.hidden : Bytes(0);
  return times(tokens * width, constants.factor(Constant::profile_activations)) + Band::exact(handed_on);
}

Band profile_sampler(const Model& model, const ProfileRun& run, const ResolvedConstants& constants) {
  if (!run.samples) return {};
  return times(run.sampled_rows * model.vocab, constants.factor(Constant::sampler_per_logit)) +
         constants.band(Constant::sampler_fixed) +
         Band::exact(run.sampled_rows * model.vocab * (run.element_bytes - 2));
}

}  // namespace vram
