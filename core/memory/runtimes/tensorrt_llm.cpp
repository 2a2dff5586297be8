// TensorRT-LLM: engine weights, activations fixed by max_num_tokens, and a cache that takes a share of what is left (F-5.4).
#include "core/memory/runtimes/tensorrt_llm.h"

#include <variant>

#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/runtimes/serving.h"

namespace vram {
namespace {

constexpr Count kPage = 32;  ///< tokens per block of the PyTorch backend

struct AttentionWidth {
  Count operator()(const Attention& attention) const { return attention.heads * attention.head_dim; }
  Count operator()(const LatentAttention& mla) const { return mla.heads * mla.value_dim; }
  template <class Other>
  Count operator()(const Other&) const {
    return {};
  }
};

}  // namespace

Bytes tensorrt_activations(const Model& model, LayerRange range, Count tokens, Count tensor, Count expert) {
  Count width;
  Bytes dispatch;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    if (!occurrences(model, range, kind)) continue;
    const Layer& layer = model.kinds[kind];
    width =
        max(width, max(std::visit(AttentionWidth{}, layer.mixer), std::visit(AttentionWidth{}, layer.parallel_mixer)));
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
      dispatch = max(dispatch, tokens * model.hidden * experts->count * experts->active / expert / 128 * 4);
    }
  }
  if (!width) width = model.hidden;
  const Count factor = tensor == Count(1) ? 10 : tensor == Count(2) ? 6 : 5;
  return max(2 * tokens * width * factor, 70 * kMiB) + dispatch;
}

void run_with_tensorrt_llm(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const InferenceSettings& settings = scenario.inference;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  // Engines store lookup table and head apart: Qwen2.5-Coder-0.5B in int8, 875 MiB = 342 + 2 * 260 and scales.
  const Bytes weights = append_served_weights(scenario, shard, device, true);

  ServedCacheRules rules;
  rules.page = kPage;
  const ServedCache cache = served_cache(scenario, shard, rules);
  append_served_cache(scenario, shard, cache, device);

  const Bytes activations = tensorrt_activations(*scenario.model, range_of(shard), settings.prefill_tokens,
                                                 scenario.parallel.tensor, max(scenario.parallel.expert, 1));
  const Factor& band = constants.factor(Constant::activation_inference);
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          times(activations, band),
                          "F-5.4",
                          {{"tokens", settings.prefill_tokens}, {"tensor_parallel", scenario.parallel.tensor}},
                          constants.source(Constant::activation_inference)});
  const Band graphs = append_cuda_graphs(scenario, shard, captured_sizes(settings.max_sequences / 2), device);
  append_inference_fragmentation(scenario, shard, weights + activations, device);
  append_pytorch_context(scenario, shard, kRunning, device);
  const Band non_torch = append_non_torch(scenario, shard, device);
  const Band communication = append_communicators(scenario, shard, kRunning, device);

  // The cache takes its share of what is free once everything else stands.
  const Bytes total = shard.gpus.empty() ? Bytes(0) : scenario.gpus[shard.gpus.front()].usable;
  const Bytes others = weights + activations + non_torch.expected + communication.expected + graphs.expected +
                       constants.band(Constant::context).expected;
  const Bytes pool = scaled(total - others, settings.memory_fraction);
  reserve(scenario, cache, others + pool, pool, ledger);
  append_server_host(scenario, shard, ledger);
}

}  // namespace vram
