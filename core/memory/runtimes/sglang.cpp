// SGLang: a static share of the card for weights and pools, derived from chunk size, graphs and parallelism (F-5.3).
#include "core/memory/runtimes/sglang.h"

#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/runtimes/serving.h"

namespace vram {

double sglang_static_fraction(Bytes total, Count chunk, Count graph_sequences, Count tensor, Count pipeline) {
  const double card = total.as_double() / kMiB.as_double();
  if (!(card > 0)) return 0;
  double reserved = 512 + 1.5 * max(chunk, 2048).as_double() + 2 * graph_sequences.as_double();
  reserved += (tensor * pipeline).as_double() / 8 * 1024;
  if (card > 60 * 1024) reserved = reserved < 10 * 1024 ? 10 * 1024 : reserved;
  if (reserved >= card) return 0;
  return static_cast<double>(scaled(1000, (card - reserved) / card).value()) / 1000;
}

void run_with_sglang(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const InferenceSettings& settings = scenario.inference;
  const Model& model = *scenario.model;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Bytes weights = append_served_weights(scenario, shard, device);

  ServedCacheRules rules;
  rules.rule = SpanRule::ratio;
  rules.page = 1;
  const ServedCache cache = served_cache(scenario, shard, rules);
  append_served_cache(scenario, shard, cache, device);

  // One chunk through the widest layer, then the logits of every running sequence.
  const Count element_bytes = compute_bytes(scenario.weights);
  const Count width = live_elements(model, range_of(shard), scenario.parallel.tensor, ExpertDispatch::grouped);
  const Bytes layers = settings.prefill_tokens * element_bytes * width;
  const Factor& per_logit = constants.factor(Constant::sampler_per_logit);
  const Bytes logits =
      shard.output && model.has_output ? scaled(settings.max_sequences * model.vocab, per_logit.expected) : Bytes(0);
  const Bytes peak = max(layers, logits);
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          times(peak, constants.factor(Constant::activation_inference)),
                          "F-5.3",
                          {{"batched_tokens", settings.prefill_tokens}, {"bytes", element_bytes}, {"width", width}},
                          constants.source(Constant::activation_inference)});
  append_cuda_graphs(scenario, shard, captured_sizes(settings.max_sequences / 2), device);
  append_inference_fragmentation(scenario, shard, weights + peak, device);
  append_pytorch_context(scenario, shard, kRunning, device);
  append_non_torch(scenario, shard, device);
  append_communicators(scenario, shard, kRunning, device);

  const Bytes total = shard.gpus.empty() ? Bytes(0) : scenario.gpus[shard.gpus.front()].usable;
  const double asked = settings.memory_fraction;
  // The default constant stands for "not asked": the engine derives its share from the card then.
  const bool derived = !(asked > 0) || asked == constants.factor(Constant::reserved_by_default).expected;
  const double fraction = derived ? sglang_static_fraction(total, settings.prefill_tokens, settings.max_sequences,
                                                           scenario.parallel.tensor, scenario.parallel.pipeline)
                                  : asked;
  const Bytes taken = scaled(total, fraction);
  reserve(scenario, cache, taken, taken - weights, ledger);
  append_server_host(scenario, shard, ledger);
}

}  // namespace vram
