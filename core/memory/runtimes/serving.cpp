#include "core/memory/runtimes/serving.h"

#include <variant>

#include "core/memory/context.h"
#include "core/memory/weight_overheads.h"

namespace vram {
namespace {

constexpr Phases kServing = {Phase::prefill, Phase::decode};

bool has_experts(const Model& model, LayerRange range) {
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    if (std::holds_alternative<Experts>(model.kinds[kind].feed_forward) && occurrences(model, range, kind)) return true;
  }
  return false;
}

}  // namespace

ServedCache served_cache(const Scenario& scenario, const Shard& shard, const ServedCacheRules& rules) {
  const Model& model = *scenario.model;
  const InferenceSettings& settings = scenario.inference;
  const LayerRange range = range_of(shard);
  const Parallel& parallel = scenario.parallel;

  CacheLayout layout;
  const Count element_bytes = compute_bytes(scenario.weights);
  const auto format = [&](CacheType type) {
    const bool plain = type == CacheType::f16 || type == CacheType::bf16;
    return plain ? CacheFormat{1, element_bytes, 0} : cache_format(type);
  };
  layout.k = format(settings.cache_k);
  layout.v = format(settings.cache_v);
  layout.tensor = parallel.tensor;
  layout.expand_latent = rules.expand_latent;
  layout.pack_sparse_latent = rules.pack_sparse_latent && settings.cache_k == CacheType::fp8;
  layout.keep_indexer = true;

  ServedCache cache;
  CacheSpans& spans = cache.spans;
  spans.rule = rules.rule;
  spans.page = rules.page;
  spans.sequences = sequences_per_copy(scenario);
  // Decode context parallelism divides the tokens of a sequence among its GPUs.
  spans.tokens = ceil_div(settings.context_average ? settings.context_average : settings.context, parallel.context);
  spans.limit = ceil_div(settings.context, parallel.context);
  spans.step = settings.prefill_tokens;
  spans.shared = scaled(spans.tokens, settings.prefix_share);
  cache.asked = kv_cache(model, range, layout, spans, encoder_tokens(model, settings.context));

  const StateFormat state = {element_bytes, 4, rules.state_matrix_bytes};
  cache.asked_state = recurrent_state(model, range, state, parallel.tensor, spans.sequences);

  CacheSpans one = spans;
  one.sequences = 1;
  one.shared = 0;
  one.tokens = spans.limit;
  cache.full_sequence = kv_cache(model, range, layout, one, encoder_tokens(model, settings.context)).total() +
                        recurrent_state(model, range, state, parallel.tensor, 1).total();
  return cache;
}

void append_served_cache(const Scenario& scenario, const Shard& shard, const ServedCache& cache, DeviceLedger& device) {
  append_cache(*scenario.model, range_of(shard), cache.asked, cache.spans, kServing, "F-4.6", device);
  append_state(cache.asked_state, cache.spans.sequences, kServing, device);
}

void reserve(const Scenario& scenario, const ServedCache& cache, Bytes taken, Bytes pool, Ledger& ledger) {
  Reservation& reservation = ledger.reservation;
  const bool first = !reservation.applies;
  reservation.applies = true;
  reservation.bytes = max(reservation.bytes, taken);
  if (!cache.full_sequence) return;  // a stage without a cache sets no limit
  const Count sequences = pool / cache.full_sequence;
  const Count page = max(cache.spans.page, 1);
  const Count tokens = mul_div(pool, pad(cache.spans.limit, page), cache.full_sequence) / page * page;
  if (first || sequences < reservation.sequences) reservation.sequences = sequences;
  if (first || tokens < reservation.cache_tokens) reservation.cache_tokens = tokens * scenario.parallel.context;
}

Bytes append_served_weights(const Scenario& scenario, const Shard& shard, DeviceLedger& device, bool own_head) {
  WeightPlacement placement;
  placement.second_output = own_head;
  placement.tensor = scenario.parallel.tensor;
  placement.expert = scenario.parallel.expert;
  WeightParts parts = weight_parts(scenario, shard, placement);
  parts.experts.bytes += padded_experts(scenario, shard);
  append_weights(scenario, parts, placement, shard, kRunning, device);
  const Bytes rotary = rotary_table(*scenario.model, range_of(shard), compute_bytes(scenario.weights));
  const Bytes rounding = unsplit_remainders(scenario, shard, FusedMatrices::merged);
  return parts.total().bytes + append_weight_overheads(scenario, rotary, rounding, kRunning, device);
}

Count captured_sizes(Count max_sequences) {
  // Twice the sequences, at most 512.
  const Count largest = min(2 * max_sequences, 512);
  Count sizes = largest >= Count(4) ? Count(3) : largest >= Count(2) ? Count(2) : Count(1);
  sizes += min(largest, 248) / 8;
  if (largest >= Count(256)) sizes += (largest - 256) / 16 + 1;
  return sizes;
}

Band append_cuda_graphs(const Scenario& scenario, const Shard& shard, Count sizes, DeviceLedger& device) {
  if (!scenario.inference.cuda_graphs) return {};
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Band& fixed = constants.band(Constant::cuda_graphs);
  const Band& per_layer = constants.band(Constant::cuda_graphs_per_layer);
  const Factor& experts = constants.factor(Constant::cuda_graphs_experts);
  const bool moe = has_experts(*scenario.model, range_of(shard));
  const auto sum = [&](Bytes once, Bytes each, double factor) {
    return scaled(once + mul_div(each * shard.layers(), sizes, 51), moe ? factor : 1);
  };
  const Band bytes = {sum(fixed.low, per_layer.low, experts.low),
                      sum(fixed.expected, per_layer.expected, experts.expected),
                      sum(fixed.high, per_layer.high, experts.high)};
  if (!bytes.high) return {};
  device.items.push_back(
      {"cuda_graphs",
       Group::runtime,
       Level::reserved,
       kServing,
       bytes,
       "F-5.2",
       {{"layers", shard.layers()}, {"sizes", sizes}, {"fixed", fixed.expected}, {"per_layer", per_layer.expected}},
       constants.source(Constant::cuda_graphs)});
  return bytes;
}

Band append_non_torch(const Scenario& scenario, const Shard& shard, DeviceLedger& device) {
  const ResolvedConstants& constants = constants_of(scenario, shard);
  const Band& bytes = constants.band(Constant::non_torch);
  if (!bytes.high) return {};
  device.items.push_back({"runtime.non_torch",
                          Group::runtime,
                          Level::device,
                          kRunning,
                          bytes,
                          "F-5.2",
                          {},
                          constants.source(Constant::non_torch)});
  return bytes;
}

void append_server_host(const Scenario& scenario, const Shard& shard, Ledger& ledger) {
  ledger.host.checkpoint = scenario.stored->total.bytes;
  const Count processes = shard.gpus.size();
  ledger.host.ram += Band{3 * kGiB * processes, 5 * kGiB * processes, 12 * kGiB * processes};
}

}  // namespace vram
