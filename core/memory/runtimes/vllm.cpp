// vLLM: weights, a paged cache, the activation peak of its profile run, captured graphs, memory outside PyTorch (F-5.2).
#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/runtimes/serving.h"
#include "core/memory/runtimes/vllm_profile.h"

namespace vram {
namespace {

constexpr Count kBlock = 16;  ///< default block size in tokens (F-4.6)

Band append_activations(const Scenario& scenario, const Shard& shard, DeviceLedger& device) {
  const InferenceSettings& settings = scenario.inference;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  ProfileRun run;
  run.batched_tokens = settings.prefill_tokens;
  run.sampled_rows = min(settings.max_sequences, settings.prefill_tokens);
  run.element_bytes = compute_bytes(scenario.weights);
  run.tensor = scenario.parallel.tensor;
  run.samples = shard.output && scenario.model->has_output;
  run.staged = scenario.parallel.pipeline > Count(1);
  const Band layers = profile_layers(*scenario.model, range_of(shard), run, constants);
  const Band sampler = profile_sampler(*scenario.model, run, constants);
  Band peak = max(layers, sampler);
  if (shard.towers) peak = max(peak, Band::exact(tower_activations(*scenario.model, run.element_bytes)));
  const Factor& factor = constants.factor(Constant::activation_inference);
  const Band bytes = {min(peak.low, scaled(peak.expected, factor.low)), peak.expected,
                      max(peak.high, scaled(peak.expected, factor.high))};
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          bytes,
                          "F-5.2",
                          {{"batched_tokens", run.batched_tokens},
                           {"sampled_rows", run.sampled_rows},
                           {"vocab", scenario.model->vocab},
                           {"hidden", scenario.model->hidden},
                           {"layer_phase", layers.expected},
                           {"sampler_phase", sampler.expected}},
                          constants.source(Constant::sampler_per_logit)});
  return bytes;
}

}  // namespace

void run_with_vllm(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const InferenceSettings& settings = scenario.inference;
  const Bytes weights = append_served_weights(scenario, shard, device);

  ServedCacheRules rules;
  rules.page = kBlock;
  rules.pack_sparse_latent = true;
  const ServedCache cache = served_cache(scenario, shard, rules);
  append_served_cache(scenario, shard, cache, device);
  const Band activations = append_activations(scenario, shard, device);
  const Band graphs = append_cuda_graphs(scenario, shard, captured_sizes(settings.max_sequences), device);
  append_inference_fragmentation(scenario, shard, weights + activations.expected, device);
  append_pytorch_context(scenario, shard, kRunning, device);
  const Band non_torch = append_non_torch(scenario, shard, device);
  append_communicators(scenario, shard, kRunning, device);

  // The engine's own reckoning: requested - weights - activation peak - growth outside PyTorch, and since 0.21 - graphs.
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Bytes total = shard.gpus.empty() ? Bytes(0) : scenario.gpus[shard.gpus.front()].usable;
  const Bytes requested = scaled(total, settings.memory_fraction);
  Bytes taken = weights + activations.expected + non_torch.expected;
  if (scenario.parallel.tensor > Count(1)) taken += constants.band(Constant::communicator_forward).expected;
  if (scenario.version.at_least(0, 21)) taken += graphs.expected;
  reserve(scenario, cache, requested, requested - taken, ledger);
  append_server_host(scenario, shard, ledger);
}

}  // namespace vram
