// llama.cpp, and what is built on it: Ollama, LM Studio. Whole buffers per GPU, fixed when the model is loaded, so every
// item is there in every phase and the sum of buffers is both `allocated` and `reserved` (F-4.5, F-5.5, F-5.6).
#include <variant>

#include "core/memory/cache_items.h"
#include "core/memory/context.h"
#include "core/memory/inference_activations.h"
#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/runtimes/llama_compute_buffer.h"
#include "core/memory/weights.h"

namespace vram {
namespace {

constexpr Count kCellPadding = 256;

bool uses_flash_attention(const InferenceSettings& settings) {
  // Without flash attention V cannot be quantised, so a quantised V implies it.
  return settings.attention != AttentionKernel::eager || settings.cache_v >= CacheType::q8_0;
}

/// Builds are numbered; a version without a build number counts as recent. The fork ik_llama.cpp left in 2024 and has taken
/// none of these over but the keys-only latent cache.
bool is_fork(const Scenario& scenario) { return scenario.runtime == RuntimeId::ik_llama_cpp; }
bool is_before(const Scenario& scenario, std::uint32_t build) {
  const Version& version = scenario.version;
  return !is_fork(scenario) && !version.latest && version.major >= 1000 && version.major < build;
}
constexpr std::uint32_t kLatentCache = 5130;    ///< April 2025 (PR 12801): before, MLA's full heads
constexpr std::uint32_t kWindowedCache = 5432;  ///< May 2025 (PR 13194): before, every layer kept every token
constexpr std::uint32_t kKeysAlone = 7840;      ///< January 2026 (PR 19067): before, a latent cache had values as well
/// July 2026: the buffer holds logits of the outputs alone and the fp16 copy of a quantised cache. Builds 10472 and of 22
/// July show both, 9627 and of 21 June neither.
constexpr std::uint32_t kLeanBuffer = 10000;
bool has_lean_buffer(const Scenario& scenario) { return !is_fork(scenario) && !is_before(scenario, kLeanBuffer); }

CacheLayout layout_of(const Scenario& scenario) {
  CacheLayout layout;
  layout.expand_latent = is_before(scenario, kLatentCache);
  layout.latent_values = is_before(scenario, kKeysAlone);
  layout.k = cache_format(scenario.inference.cache_k);
  layout.v = cache_format(scenario.inference.cache_v);
  // V is stored transposed then, every layer as wide as the widest (F-4.5).
  if (!uses_flash_attention(scenario.inference)) layout.padded_values = widest_value_row(*scenario.model, 1);
  return layout;
}

CacheSpans spans_of(const Scenario& scenario) {
  CacheSpans spans;
  spans.rule = SpanRule::llama_cells;
  spans.tokens = scenario.inference.context;
  spans.sequences = sequences_per_copy(scenario);
  spans.step = scenario.inference.ubatch;
  if (is_fork(scenario) || is_before(scenario, kWindowedCache)) {
    spans.rule = SpanRule::growing;
    spans.tokens = pad(spans.tokens, kCellPadding);
  }
  return spans;
}

/// The widest cache that a layer of the range reads at once.
Count cells_read(const Model& model, LayerRange range, const CacheSpans& spans) {
  CacheSpans one = spans;
  one.sequences = 1;
  Count cells;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    for (const Mixer* mixer : {&model.kinds[kind].mixer, &model.kinds[kind].parallel_mixer}) {
      const auto* attention = std::get_if<Attention>(mixer);
      if ((attention == nullptr && !std::holds_alternative<LatentAttention>(*mixer)) ||
          !occurrences(model, range, kind)) {
        continue;
      }
      cells = max(cells, attention == nullptr ? one.kept(0, 0) : one.kept(attention->window, attention->chunk));
    }
  }
  return cells;
}

/// One of a layer's two or three expert tensors, all experts together, of the widest layer.
Bytes largest_expert_tensor(const Scenario& scenario) {
  Bytes largest;
  const StoredWeights& stored = *scenario.stored;
  for (std::size_t i = 0; i < stored.order.size(); ++i) {
    const auto* experts = std::get_if<Experts>(&scenario.model->layer(i).feed_forward);
    if (experts == nullptr) continue;
    largest = max(largest, stored.layer(i).experts.bytes / (experts->gated ? 3 : 2));
  }
  return largest;
}

/// Flash attention turns one layer's quantised keys and values back to fp16 for a large batch.
Bytes unpacked_cache(const Scenario& scenario, const Shard& shard, const CacheLayout& layout, const CacheSpans& spans) {
  const InferenceSettings& settings = scenario.inference;
  const bool quantised = settings.cache_k >= CacheType::q8_0 || settings.cache_v >= CacheType::q8_0;
  if (!quantised || !uses_flash_attention(settings)) return {};
  CacheLayout plain = layout;
  plain.k = plain.v = cache_format(CacheType::f16);
  CacheSpans one_token;
  one_token.tokens = 1;
  const Bytes row = kv_cache(*scenario.model, range_of(shard), plain, one_token, 0).row;
  return cells_read(*scenario.model, range_of(shard), spans) * row;
}

/// Older builds take that copy from the CUDA pool, which no log line names.
void append_unpacked_cache(Bytes bytes, DeviceLedger& device) {
  if (!bytes) return;
  device.items.push_back(
      {"temporary.unpacked_cache", Group::temporary, Level::device, kRunning, {0, bytes, bytes}, "F-5.5", {}, ""});
}

void append_compute_buffer(const Scenario& scenario, const Shard& shard, const CacheSpans& spans, Bytes unpacked,
                           DeviceLedger& device) {
  const Model& model = *scenario.model;
  const InferenceSettings& settings = scenario.inference;
  const StoredWeights& stored = *scenario.stored;
  const bool partial = settings.gpu_layers < Count(model.layer_count()) || !settings.output_on_gpu;
  const bool main_gpu = !shard.gpus.empty() && shard.gpus.front() == 0;

  ComputeBufferCase use;
  use.ubatch = min(settings.ubatch, pad(settings.context, kCellPadding));
  use.cells = cells_read(model, range_of(shard), spans);
  use.flash_attention = uses_flash_attention(settings);
  use.output = shard.output && settings.output_on_gpu && model.has_output;
  if (has_lean_buffer(scenario)) {
    use.half_mask = true;
    use.outputs = spans.sequences;
    use.unpacked_cache = unpacked;
  }
  use.pipelined = scenario.parallel.split_layers && !partial && !settings.cpu_experts;
  if (!settings.output_on_gpu && main_gpu) {
    // Large batches still multiply with the head on the GPU (op_offload).
    use.copied_matrix = max(stored.output.bytes, stored.tied_output.bytes);
    use.copies_output = true;
  } else if (settings.cpu_experts) {
    use.copied_matrix = largest_expert_tensor(scenario);
  }
  const ComputeBuffer buffer = llama_compute_buffer(model, range_of(shard), use);
  if (!buffer.expected()) return;

  const ResolvedConstants& constants = constants_of(scenario, shard);
  const bool offloaded = use.copied_matrix.value() != 0;
  const Constant constant = offloaded ? Constant::compute_buffer_offloaded : Constant::compute_buffer;
  Band bytes = times(buffer.expected(), constants.factor(constant));
  bytes.high = max(bytes.high, buffer.high());
  device.items.push_back({"compute_buffer",
                          Group::activations,
                          Level::allocated,
                          kRunning,
                          bytes,
                          "F-5.5",
                          {{"ubatch", use.ubatch},
                           {"vocab", use.output ? model.vocab : Count(0)},
                           {"hidden", model.hidden},
                           {"cells", use.cells},
                           {"logits_phase", buffer.vocabulary},
                           {"layer_phase", buffer.layer},
                           {"copies", buffer.copies}},
                          constants.source(constant)});
}

/// The projector's own buffer: 4 * patches * (4 h + 3 f) and scores without flash attention (F-5.6).
void append_tower_buffer(const Model& model, DeviceLedger& device) {
  Bytes most;
  Count patches;
  for (const Tower& tower : model.towers) {
    if (!tower.patch || !tower.image) continue;
    const Count edge = tower.image / tower.patch;
    const Count count = edge * edge;
    const Bytes bytes = 4 * count * (4 * tower.hidden + 3 * tower.ffn) + 4 * count * count * tower.heads;
    if (bytes <= most) continue;
    most = bytes;
    patches = count;
  }
  if (!most) return;
  device.items.push_back({"compute_buffer.vision",
                          Group::activations,
                          Level::allocated,
                          kRunning,
                          Band::around(most, 0.3, 1.5),
                          "F-5.6",
                          {{"patches", patches}},
                          ""});
}

/// What stays in system memory: token embedding, layers and experts that are not offloaded, their cache, the logits.
void append_host(const Scenario& scenario, const CacheLayout& layout, const CacheSpans& spans, Ledger& ledger) {
  const Model& model = *scenario.model;
  const StoredWeights& stored = *scenario.stored;
  const InferenceSettings& settings = scenario.inference;
  const Count layers = model.layer_count();
  const LayerRange on_cpu = {0, static_cast<std::size_t>((layers - settings.gpu_layers).value())};
  Bytes bytes = stored.token_embedding.bytes + stored.per_layer_embedding.bytes;
  for (std::size_t i = 0; i < stored.order.size(); ++i) {
    if (i < on_cpu.end) {
      bytes += stored.layer(i).total().bytes;
    } else if (settings.cpu_experts) {
      bytes += stored.layer(i).experts.bytes;
    }
  }
  if (!settings.output_on_gpu) bytes += stored.output.bytes;
  bytes += kv_cache(model, on_cpu, layout, spans, encoder_tokens(model, settings.context)).total();
  bytes += recurrent_state(model, on_cpu, {}, 1, spans.sequences).total();
  const Bytes logits = spans.sequences * model.vocab * 4;
  const Bytes inputs = settings.ubatch * (pad(settings.context, kCellPadding) + model.hidden) * 4;
  ledger.host.ram +=
      Band{bytes + logits + inputs, bytes + logits + inputs + 512 * kMiB, bytes + logits + inputs + 2 * kGiB};
  ledger.host.checkpoint = stored.total.bytes;
}

}  // namespace

void run_with_llama_cpp(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger) {
  const Model& model = *scenario.model;
  const CacheLayout layout = layout_of(scenario);
  const CacheSpans spans = spans_of(scenario);
  const LayerRange range = range_of(shard);

  WeightPlacement placement;
  placement.embedding = false;
  placement.per_layer_embedding = false;
  placement.second_output = true;
  placement.output = scenario.inference.output_on_gpu;
  placement.experts = !scenario.inference.cpu_experts;
  append_weights(scenario, weight_parts(scenario, shard, placement), placement, shard, kRunning, device);
  append_cache(model, range, kv_cache(model, range, layout, spans, encoder_tokens(model, scenario.inference.context)),
               spans, kRunning, "F-4.5", device);
  append_state(recurrent_state(model, range, {}, 1, spans.sequences), spans.sequences, kRunning, device);
  const Bytes unpacked = unpacked_cache(scenario, shard, layout, spans);
  append_compute_buffer(scenario, shard, spans, unpacked, device);
  if (shard.towers) append_tower_buffer(model, device);
  append_bare_context(scenario, shard, kRunning, device);
  if (!has_lean_buffer(scenario)) append_unpacked_cache(unpacked, device);
  if (!shard.gpus.empty() && shard.gpus.front() == 0) append_host(scenario, layout, spans, ledger);
}

}  // namespace vram
