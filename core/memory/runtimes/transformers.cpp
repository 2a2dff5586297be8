// Hugging Face Transformers `generate`, eager PyTorch: weights, a growing cache, one layer's activations in prefill, logits
// (F-5.1). Also the rules of what runs models the same way: AutoAWQ, GPTQ, torchao, plain PyTorch.
#include "core/memory/cache_items.h"
#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/weight_overheads.h"
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

/// Positions whose logits a prefill computes: the last alone since 4.45, before that of the whole prompt (F-5.1).
Count logit_positions(Version version, Count prompt) { return version.at_least(4, 45) ? Count(1) : prompt; }

/// In the model's dtype, and since 4.31 upcast to fp32 as well (the Qwen2 table of 4.38 shows 6 bytes per logit).
Bytes logits_bytes(const Scenario& scenario, const Shard& shard, Count positions, Count element_bytes) {
  const Model& model = *scenario.model;
  if (!shard.output || !model.has_output) return {};
  const bool upcast = element_bytes < Count(4) && scenario.version.at_least(4, 31);
  const Count per_logit = element_bytes + (upcast ? 4 : 0);
  return scenario.inference.sequences * positions * ceil_div(model.vocab, scenario.parallel.tensor) * per_logit;
}

/// One forward pass over `prompt` tokens of each sequence: what its layers hold at their widest.
struct LayerPeak {
  Count width;   ///< elements per token
  Bytes hidden;  ///< tokens * width * bytes
  Bytes scores;  ///< eager: all pairs of tokens; else the kernel's log-sum-exp
  Bytes mask;    ///< that some batches need besides
  Bytes kept;    ///< inputs_embeds, and the rotary tables of these positions
  bool attends;  ///< the attention part is the wider one
  Count heads;
};

LayerPeak layer_peak(const Scenario& scenario, const Shard& shard, Count prompt, Count element_bytes) {
  const Model& model = *scenario.model;
  const LayerRange range = range_of(shard);
  const Count tensor = scenario.parallel.tensor;
  const Count sequences = scenario.inference.sequences;
  const Count tokens = sequences * prompt;
  const ExpertDispatch dispatch = scenario.version.at_least(5) ? ExpertDispatch::grouped : ExpertDispatch::loop;
  const LiveElements live = widest_parts(model, range, tensor, dispatch);
  LayerPeak peak;
  peak.heads = ceil_div(most_heads(model, range), tensor);
  const bool eager = scenario.inference.attention == AttentionKernel::eager;
  // Eager: 16-bit scores, their fp32 softmax and its cast, alive together (F-5.1).
  peak.scores = eager ? sequences * peak.heads * prompt * prompt * 8 : tokens * peak.heads * 4;
  if (!eager && sequences > Count(1) && scenario.inference.attention == AttentionKernel::sdpa) {
    peak.mask = tokens * prompt;  // prompts of unequal length
  }
  const Bytes mixer = tokens * element_bytes * live.mixer;
  const Bytes feed_forward = tokens * element_bytes * live.feed_forward;
  peak.attends = mixer + peak.scores > feed_forward;
  peak.width = peak.attends ? live.mixer : live.feed_forward;
  peak.hidden = peak.attends ? mixer : feed_forward;
  if (!peak.attends) peak.scores = peak.mask = 0;
  // The embedded prompt is referenced until the last layer is done; cosine and sine are shared by the layers since 4.45.
  peak.kept = tokens * element_bytes * model.hidden;
  if (scenario.version.at_least(4, 45)) peak.kept += tokens * element_bytes * 2 * rotary_width(model, range);
  return peak;
}

void append_prefill(const Scenario& scenario, const Shard& shard, Count prompt, Count element_bytes,
                    DeviceLedger& device) {
  const Model& model = *scenario.model;
  const Count sequences = scenario.inference.sequences;
  const Count tokens = sequences * prompt;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Factor& band = constants.factor(Constant::activation_inference);
  const char* source = constants.source(Constant::activation_inference);
  LayerPeak layers = layer_peak(scenario, shard, prompt, element_bytes);
  const Count positions = logit_positions(scenario.version, prompt);
  const Bytes logits = logits_bytes(scenario, shard, positions, element_bytes);
  // Layers and head take turns: the larger of both is the peak. Only the last hidden states stay for the head.
  const bool head = logits > layers.hidden + layers.scores;
  if (head) {
    const Count vocab = ceil_div(model.vocab, scenario.parallel.tensor);
    device.items.push_back({"logits",
                            Group::logits,
                            Level::allocated,
                            Phase::prefill,
                            Band::exact(logits),
                            "F-5.1",
                            {{"sequences", sequences}, {"positions", positions}, {"vocab", vocab}},
                            ""});
    layers.width = 2 * model.hidden;
    layers.hidden = tokens * element_bytes * layers.width;
    layers.scores = layers.mask = 0;
  }
  Bytes bytes = layers.hidden + layers.kept;
  // An image is encoded before the prompt runs through the layers; the larger of both is the peak.
  if (shard.towers) bytes = max(bytes, sequences * tower_activations(model, element_bytes));
  device.items.push_back({"activations.prefill",
                          Group::activations,
                          Level::allocated,
                          Phase::prefill,
                          times(bytes, band),
                          "F-5.1",
                          {{"tokens", tokens}, {"bytes", element_bytes}, {"width", layers.width}},
                          source});
  if (!layers.scores) return;
  const bool eager = scenario.inference.attention == AttentionKernel::eager;
  Band scores = eager ? times(layers.scores, band) : Band::exact(layers.scores);
  scores.high += layers.mask;
  device.items.push_back(
      {"activations.scores", Group::activations, Level::allocated, Phase::prefill, scores, "F-5.1",
       eager ? Terms{{"sequences", sequences}, {"heads", layers.heads}, {"prompt", prompt}, {"bytes", 8}}
             : Terms{{"tokens", tokens}, {"heads", layers.heads}, {"bytes", 4}},
       source});
}

void append_decode(const Scenario& scenario, const Shard& shard, Count prompt, Count element_bytes,
                   const CacheSize& cache, DeviceLedger& device) {
  const Count sequences = scenario.inference.sequences;
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const LayerPeak layers = layer_peak(scenario, shard, 1, element_bytes);
  if (const Bytes logits = logits_bytes(scenario, shard, 1, element_bytes)) {
    const Count vocab = ceil_div(scenario.model->vocab, scenario.parallel.tensor);
    device.items.push_back({"logits",
                            Group::logits,
                            Level::allocated,
                            Phase::decode,
                            Band::exact(logits),
                            "F-5.1",
                            {{"sequences", sequences}, {"positions", 1}, {"vocab", vocab}},
                            ""});
  }
  // Growing one layer's cache copies it: old and new stand side by side.
  const Bytes copy = cache.full_layers ? cache.full_tokens * cache.row : Bytes(0);
  Band decode = times(layers.hidden, constants.factor(Constant::activation_inference));
  decode.high += copy;
  device.items.push_back({"activations.decode",
                          Group::activations,
                          Level::allocated,
                          Phase::decode,
                          decode,
                          "F-5.1",
                          {{"tokens", sequences}, {"bytes", element_bytes}, {"width", layers.width}},
                          constants.source(Constant::activation_inference)});
  // AutoAWQ and torchao allocate their caches ahead; a single forward pass adds nothing.
  const bool grows = (scenario.runtime == RuntimeId::transformers || scenario.runtime == RuntimeId::gptq) &&
                     prompt < scenario.inference.context;
  if (!grows || scenario.version.at_least(4, 36) || !cache.total()) return;
  // Before DynamicCache the past was a tuple: all of the old one lives until all of the new one is made.
  device.items.push_back({"temporary.previous_cache",
                          Group::temporary,
                          Level::allocated,
                          Phase::decode,
                          Band::exact(cache.total()),
                          "F-5.1",
                          {},
                          ""});
}

/// The kernels of bitsandbytes (4 bit, F-3.4) and of GPTQ's ExLlama (F-5.7: a buffer that stays) turn a whole matrix back into
/// 16 bit for more than a few tokens.
void append_dequantised_matrix(const Scenario& scenario, DeviceLedger& device) {
  const WeightScheme scheme = scenario.weights.scheme;
  const bool stays = scheme == WeightScheme::gptq && scenario.weights.bits == 4;
  if (scheme != WeightScheme::bnb4 && !stays) return;
  const Count elements = scenario.stored->largest_quantised_matrix;
  if (!elements) return;
  device.items.push_back({"temporary.dequantised",
                          Group::temporary,
                          Level::allocated,
                          stays ? kRunning : Phases(Phase::prefill),
                          Band::exact(elements * 2),
                          stays ? "F-5.7" : "F-3.4",
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
  // FP8 checkpoints of tied models bring the head's matrix a second time (Qwen3-0.6B, 1.7B, 4B FP8).
  placement.second_output = scenario.weights.scheme == WeightScheme::fp8;
  append_weights(scenario, weight_parts(scenario, shard, placement), placement, shard, kRunning, device);
  // Since 4.50 one large block is allocated ahead and all tensors are cut from it (caching_allocator_warmup).
  if (!scenario.version.at_least(4, 50)) {
    const Bytes rounding = unsplit_remainders(scenario, shard, FusedMatrices::as_stored);
    append_weight_overheads(scenario, 0, rounding, kRunning, device);
  }

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
  append_prefill(scenario, shard, prompt, element_bytes, device);
  append_decode(scenario, shard, prompt, element_bytes, cache, device);
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
