// Hugging Face Transformers `generate`, eager PyTorch: weights, a growing cache, one layer's activations in prefill, logits
// (F-5.1). Also the rules of what runs models the same way: AutoAWQ, GPTQ, torchao, plain PyTorch.
#include "core/memory/cache_items.h"
#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/weights.h"

namespace vram {
namespace {

constexpr Phases kCached = {Phase::prefill, Phase::decode};

/// DynamicCache keeps only the window of sliding layers since 4.56; before, every token (F-4.4).
SpanRule span_rule(Version version) { return version.at_least(4, 56) ? SpanRule::windowed : SpanRule::growing; }

CacheFormat format_of(CacheType type, Count element_bytes) {
  // The cache has the model's dtype unless it is quantised.
  if (type == CacheType::f16 || type == CacheType::bf16) return {1, element_bytes, 0};
  return cache_format(type);
}

/// Logits of the last position alone since 4.45; before, of the whole prompt, and upcast to fp32 (F-5.1; the Qwen2 table of
/// 4.38 shows 6 bytes per logit).
void append_logits(const Scenario& scenario, const Shard& shard, Count prompt, Count element_bytes,
                   DeviceLedger& device) {
  const Model& model = *scenario.model;
  if (!shard.output || !model.has_output) return;
  const Count sequences = scenario.inference.sequences;
  const Count per_logit = element_bytes == Count(4) ? Count(4) : element_bytes + 4;
  const Count vocab = ceil_div(model.vocab, scenario.parallel.tensor);
  const Count positions = scenario.version.at_least(4, 45) ? Count(1) : prompt;
  device.items.push_back({"logits",
                          Group::logits,
                          Level::allocated,
                          Phase::prefill,
                          Band::exact(sequences * positions * vocab * per_logit),
                          "F-5.1",
                          {{"sequences", sequences}, {"positions", positions}, {"vocab", vocab}, {"bytes", per_logit}},
                          ""});
  device.items.push_back({"logits",
                          Group::logits,
                          Level::allocated,
                          Phase::decode,
                          Band::exact(sequences * vocab * per_logit),
                          "F-5.1",
                          {{"sequences", sequences}, {"positions", 1}, {"vocab", vocab}, {"bytes", per_logit}},
                          ""});
}

void append_activations(const Scenario& scenario, const Shard& shard, Count prompt, Count element_bytes,
                        const CacheSize& cache, DeviceLedger& device) {
  const Model& model = *scenario.model;
  const LayerRange range = range_of(shard);
  const Count sequences = scenario.inference.sequences;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Factor& band = constants.factor(Constant::activation_inference);
  const char* source = constants.source(Constant::activation_inference);
  const ExpertDispatch dispatch = scenario.version.at_least(5) ? ExpertDispatch::grouped : ExpertDispatch::loop;
  const Count width = live_elements(model, range, scenario.parallel.tensor, dispatch);

  const Count tokens = sequences * prompt;
  Bytes bytes = tokens * element_bytes * width;
  // An image is encoded before the prompt runs through the layers; the larger of both is the peak.
  if (shard.towers) bytes = max(bytes, sequences * tower_activations(model, element_bytes));
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          times(bytes, band),
                          "F-5.1",
                          {{"tokens", tokens}, {"bytes", element_bytes}, {"width", width}},
                          source});

  // Growing one layer's cache copies it: old and new stand side by side.
  const Bytes copy = cache.full_layers ? cache.full_tokens * cache.row : Bytes(0);
  Band decode = times(sequences * element_bytes * width, band);
  decode.high += copy;
  device.items.push_back({"activations.decode",
                          Group::activations,
                          Level::allocated,
                          Phase::decode,
                          decode,
                          "F-5.1",
                          {{"tokens", sequences}, {"bytes", element_bytes}, {"width", width}},
                          source});

  const Count heads = ceil_div(most_heads(model, range), scenario.parallel.tensor);
  if (!heads) return;
  if (scenario.inference.attention == AttentionKernel::eager) {
    // fp32 softmax and its cast, over all pairs of tokens (F-5.1).
    device.items.push_back(
        {"activations.scores",
         Group::activations,
         Level::allocated,
         Phase::prefill,
         times(sequences * heads * prompt * prompt * (4 + element_bytes), band),
         "F-5.1",
         {{"sequences", sequences}, {"heads", heads}, {"prompt", prompt}, {"bytes", 4 + element_bytes}},
         source});
  } else {
    // The kernel's log-sum-exp; prompts of unequal length in a batch need a mask as well.
    Band bytes_of_kernel = Band::exact(tokens * heads * 4);
    if (sequences > Count(1) && scenario.inference.attention == AttentionKernel::sdpa) {
      bytes_of_kernel.high += tokens * prompt;
    }
    device.items.push_back({"activations.scores",
                            Group::activations,
                            Level::allocated,
                            Phase::prefill,
                            bytes_of_kernel,
                            "F-5.1",
                            {{"tokens", tokens}, {"heads", heads}, {"bytes", 4}},
                            ""});
  }
}

/// bitsandbytes' 4-bit kernels turn a whole matrix back into the compute dtype for more than one token (F-3.4).
void append_dequantised_matrix(const Scenario& scenario, DeviceLedger& device) {
  if (scenario.weights.scheme != WeightScheme::bnb4) return;
  const Count elements = scenario.stored->largest_quantised_matrix;
  if (!elements) return;
  device.items.push_back({"temporary.dequantised",
                          Group::temporary,
                          Level::allocated,
                          Phase::prefill,
                          Band::exact(elements * 2),
                          "F-3.4",
                          {{"elements", elements}, {"bytes", 2}},
                          ""});
}

}  // namespace

void run_with_transformers(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const Model& model = *scenario.model;
  const InferenceSettings& settings = scenario.inference;
  const LayerRange range = range_of(shard);
  const Count element_bytes = compute_bytes(scenario.weights);
  const Count tensor = scenario.parallel.tensor;

  WeightPlacement placement;
  placement.tensor = tensor;
  placement.expert = scenario.parallel.expert;
  placement.experts = !settings.cpu_experts;
  placement.output = settings.output_on_gpu;
  append_weights(scenario, weight_parts(scenario, shard, placement), placement, shard, kRunning, device);

  CacheLayout layout;
  layout.k = format_of(settings.cache_k, element_bytes);
  layout.v = format_of(settings.cache_v, element_bytes);
  layout.tensor = tensor;
  layout.expand_latent = true;
  CacheSpans spans;
  spans.rule = span_rule(scenario.version);
  spans.tokens = settings.context;
  spans.sequences = sequences_per_copy(scenario);
  const CacheSize cache = kv_cache(model, range, layout, spans, encoder_tokens(model, settings.context));
  append_cache(model, range, cache, spans, kCached, "F-4.1", device);
  // Convolution and Mamba states have the model's dtype, delta nets' fp32.
  const StateFormat format = {element_bytes, 4, element_bytes};
  append_state(recurrent_state(model, range, format, tensor, spans.sequences), spans.sequences, kCached, device);

  const Count prompt = min(settings.prefill_tokens ? settings.prefill_tokens : settings.context, settings.context);
  append_logits(scenario, shard, prompt, element_bytes, device);
  append_activations(scenario, shard, prompt, element_bytes, cache, device);
  append_dequantised_matrix(scenario, device);
  append_cublas_workspace(scenario, shard, kRunning, device);
  append_inference_fragmentation(scenario, shard, peak_memory(device).allocated.expected, device);
  append_pytorch_context(scenario, shard, kRunning, device);
  append_communicators(scenario, shard, kRunning, device);

  ledger.host.checkpoint = scenario.stored->total.bytes;
  // One process: interpreter, libraries, one shard of the checkpoint at a time.
  if (!shard.gpus.empty() && shard.gpus.front() == 0) ledger.host.ram += Band{2 * kGiB, 4 * kGiB, 10 * kGiB};
}

}  // namespace vram
