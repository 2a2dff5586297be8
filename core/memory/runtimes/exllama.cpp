// ExLlama (V2, V3): EXL weights with the embedding in system memory, a paged quantised cache, a dequantised matrix and the
// scratch of one prefill chunk (F-5.7).
#include "core/memory/cache_items.h"
#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/weights.h"

namespace vram {
namespace {

constexpr Count kPage = 256;  ///< tokens per page (F-4.7)

}  // namespace

void run_with_exllama(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const InferenceSettings& settings = scenario.inference;
  const Model& model = *scenario.model;
  const LayerRange range = range_of(shard);
  const Count tensor = scenario.parallel.tensor;
  const ResolvedConstants& constants = constants_of(scenario, shard);

  WeightPlacement placement;
  placement.tensor = tensor;
  placement.embedding = false;
  placement.second_output = true;
  append_weights(scenario, weight_parts(scenario, shard, placement), placement, shard, kRunning, device);

  CacheLayout layout;
  layout.k = cache_format(settings.cache_k);
  layout.v = cache_format(settings.cache_v);
  layout.tensor = tensor;
  CacheSpans spans;
  // The cache is allocated when the model is loaded, every layer with all tokens.
  spans.rule = SpanRule::growing;
  spans.tokens = pad(settings.context, kPage);
  spans.sequences = sequences_per_copy(scenario);
  append_cache(model, range, kv_cache(model, range, layout, spans, encoder_tokens(model, settings.context)), spans,
               kRunning, "F-4.7", device);
  append_state(recurrent_state(model, range, {}, tensor, spans.sequences), spans.sequences, kRunning, device);

  const Count tokens = min(settings.prefill_tokens, spans.tokens);
  const Count width = live_elements(model, range, tensor, ExpertDispatch::loop);
  const Factor& band = constants.factor(Constant::activation_inference);
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          times(tokens * width * 2, band),
                          "F-5.7",
                          {{"tokens", tokens}, {"width", width}, {"bytes", 2}},
                          constants.source(Constant::activation_inference)});
  const Count matrix = scenario.stored->largest_matrix;
  if (matrix) {
    device.items.push_back({"temporary.dequantised",
                            Group::temporary,
                            Level::allocated,
                            kRunning,
                            Band::exact(matrix * 2),
                            "F-5.7",
                            {{"elements", matrix}, {"bytes", 2}},
                            ""});
  }
  if (shard.output && model.has_output) {
    device.items.push_back({"logits",
                            Group::logits,
                            Level::allocated,
                            {Phase::prefill, Phase::decode},
                            Band::exact(spans.sequences * model.vocab * 4),
                            "F-5.7",
                            {{"sequences", spans.sequences}, {"vocab", model.vocab}, {"bytes", 4}},
                            ""});
  }
  append_cublas_workspace(scenario, shard, kRunning, device);
  append_inference_fragmentation(scenario, shard, peak_memory(device).allocated.expected, device);
  append_pytorch_context(scenario, shard, kRunning, device);
  append_communicators(scenario, shard, kRunning, device);
  ledger.host.checkpoint = scenario.stored->total.bytes;
  if (!shard.gpus.empty() && shard.gpus.front() == 0) {
    const Bytes embedding = scenario.stored->token_embedding.bytes;
    ledger.host.ram += Band{embedding + 2 * kGiB, embedding + 3 * kGiB, embedding + 8 * kGiB};
  }
}

}  // namespace vram
