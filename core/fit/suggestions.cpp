#include "core/fit/suggestions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/base/number.h"
#include "core/fit/match.h"
#include "core/format/storage_format.h"
#include "core/memory/estimate.h"

namespace vram {
namespace {

bool fits(Verdict verdict) { return verdict <= Verdict::fits; }

/// The value after `value` on the way down, or "" at the end of the road.
using Next = std::string (*)(const Scenario&, const std::string& value);

struct Candidate {
  Field field;
  std::string value;
  const char* cost;
  Next next = nullptr;  ///< asked while the job does not fit yet
};

/// What a change costs, the mildest first.
constexpr std::array<std::string_view, 11> kCosts = {
    "none",    "communication",   "slower_step",     "host_memory",  "slower_tokens", "optimizer_state",
    "quality", "fewer_sequences", "shorter_context", "adapter_only", "more_gpus"};

std::size_t rank_of(std::string_view cost) {
  return static_cast<std::size_t>(std::find(kCosts.begin(), kCosts.end(), cost) - kCosts.begin());
}

struct Step {
  std::string_view from, to;
};
/// The next smaller format that the same runtime loads.
constexpr std::array kGgufSteps = {
    Step{"gguf_f32", "q8_0"},  Step{"gguf_bf16", "q8_0"}, Step{"gguf_f16", "q8_0"}, Step{"q8_0", "q6_k"},
    Step{"q6_k", "q5_k_m"},    Step{"q5_k_m", "q4_k_m"},  Step{"q5_k_s", "q4_k_m"}, Step{"q5_1", "q4_k_m"},
    Step{"q5_0", "q4_k_m"},    Step{"q4_1", "q4_k_m"},    Step{"q4_k_m", "iq4_xs"}, Step{"q4_k_s", "iq4_xs"},
    Step{"q4_0", "iq4_xs"},    Step{"iq4_nl", "iq4_xs"},  Step{"iq4_xs", "q3_k_m"}, Step{"q3_k_l", "q3_k_m"},
    Step{"q3_k_m", "iq3_xxs"}, Step{"q3_k_s", "iq3_xxs"}, Step{"iq3_m", "iq3_xxs"}, Step{"iq3_s", "iq3_xxs"},
};
constexpr std::array kServerSteps = {Step{"fp32", "bf16"}, Step{"bf16", "fp8"},  Step{"fp16", "fp8"},
                                     Step{"fp8", "awq4"},  Step{"int8", "awq4"}, Step{"gptq8", "gptq4"}};
constexpr std::array kTorchSteps = {Step{"fp32", "bf16"},  Step{"bf16", "int8"}, Step{"fp16", "int8"},
                                    Step{"fp8", "nf4"},    Step{"int8", "nf4"},  Step{"nf4", "nf4_dq"},
                                    Step{"gptq8", "gptq4"}};

template <std::size_t N>
std::string_view step_down(const std::array<Step, N>& steps, std::string_view from) {
  for (const Step& step : steps) {
    if (step.from == from) return step.to;
  }
  return {};
}

bool is_server(RuntimeId id) {
  return id == RuntimeId::vllm || id == RuntimeId::sglang || id == RuntimeId::tensorrt_llm;
}

std::string smaller_weights(const Scenario& scenario, const std::string& name) {
  const std::optional<WeightFormat> format = parse_weight_format(name);
  if (!format) return {};
  if (format->scheme == WeightScheme::exl) {
    if (format->bits_x100 < 300) return {};
    WeightFormat smaller = *format;
    smaller.bits_x100 = static_cast<std::uint16_t>(format->bits_x100 - 100U);
    return name_of(smaller);
  }
  if (format->scheme == WeightScheme::gguf) return std::string(step_down(kGgufSteps, name));
  if (is_server(scenario.runtime)) return std::string(step_down(kServerSteps, name));
  return std::string(step_down(kTorchSteps, name));
}

std::string halved(const std::string& value, std::uint64_t least) {
  std::uint64_t number = 0;
  if (!parse_integer(value, number) || number / 2 < least) return {};
  return std::to_string(number / 2);
}
std::string fewer(const Scenario&, const std::string& value) { return halved(value, 1); }
std::string shorter(const Scenario&, const std::string& value) { return halved(value, 256); }

/// Eight cards are the most that one machine commonly holds.
std::string more_cards(const Scenario&, const std::string& value) {
  std::uint64_t number = 0;
  return parse_integer(value, number) && number <= 4 ? std::to_string(2 * number) : std::string();
}

void add(std::vector<Candidate>& list, Field field, std::string_view value, const char* cost) {
  if (!value.empty()) list.push_back({field, std::string(value), cost});
}

/// The first step from `now`, with the way further down.
void add_steps(std::vector<Candidate>& list, Field field, const std::string& now, Next next, const Scenario& scenario,
               const char* cost) {
  std::string first = next(scenario, now);
  if (!first.empty()) list.push_back({field, std::move(first), cost, next});
}

std::string text_of(Count count) { return std::to_string(count.value()); }

void add_running(std::vector<Candidate>& list, const Scenario& scenario) {
  const InferenceSettings& settings = scenario.inference;
  const bool gguf = scenario.weights.scheme == WeightScheme::gguf;
  add_steps(list, Field::weights, name_of(scenario.weights), smaller_weights, scenario, "quality");
  const bool wide_cache = settings.cache_k == CacheType::f16 || settings.cache_k == CacheType::bf16;
  if (wide_cache && gguf) add(list, Field::kv_cache, "q8_0", "quality");
  if (wide_cache && is_server(scenario.runtime)) add(list, Field::kv_cache, "fp8", "quality");
  if (wide_cache && scenario.runtime == RuntimeId::exllama) add(list, Field::kv_cache, "q8", "quality");
  if (settings.attention != AttentionKernel::flash) add(list, Field::attention, "flash", "none");
  add_steps(list, Field::context, text_of(settings.context), shorter, scenario, "shorter_context");
  const bool serving = scenario.task == Task::serving;
  add_steps(list, serving ? Field::users : Field::batch, text_of(serving ? settings.users_today : settings.sequences),
            fewer, scenario, "fewer_sequences");
  if (gguf && !settings.cpu_experts) add(list, Field::cpu_experts, "true", "slower_tokens");
}

void add_training(std::vector<Candidate>& list, const Scenario& scenario) {
  const TrainingSettings& settings = scenario.training;
  if (settings.checkpointing != Checkpointing::full) add(list, Field::checkpointing, "full", "slower_step");
  if (settings.loss != Loss::fused_linear && settings.loss != Loss::classification) {
    add(list, Field::loss, "fused_linear", "none");
  }
  if (settings.attention != AttentionKernel::flash) add(list, Field::attention, "flash", "none");
  if (settings.implementation == OptimizerImplementation::foreach) {
    add(list, Field::optimizer_implementation, "fused", "none");
  }
  if (settings.kbit_upcast) add(list, Field::kbit_upcast, "false", "quality");
  if (settings.optimizer == Optimizer::adamw) add(list, Field::optimizer, "adamw_8bit", "optimizer_state");
  if (settings.optimizer == Optimizer::lion) add(list, Field::optimizer, "lion_8bit", "optimizer_state");
  const bool wide = settings.precision == Precision::fp32 || settings.autocast;
  if (wide && scenario.weights.base == TensorType::f32) add(list, Field::precision, "bf16", "quality");
  if (scenario.task == Task::lora) add(list, Field::task, "qlora", "quality");
  if (scenario.task == Task::full) add(list, Field::task, "lora", "adapter_only");
  add_steps(list, Field::batch, text_of(settings.batch), fewer, scenario, "slower_step");
  add_steps(list, Field::context, text_of(settings.sequence), shorter, scenario, "shorter_context");
  const bool sharded = settings.sharding == Sharding::fsdp || settings.sharding == Sharding::zero3;
  if (scenario.gpus.size() > 1 && !sharded) {
    add(list, Field::sharding, scenario.runtime == RuntimeId::deepspeed ? "zero3" : "fsdp", "communication");
  }
  if (settings.offload == Offload::none) {
    add(list, Field::offload, "optimizer", "host_memory");
    if (settings.checkpointing == Checkpointing::full) add(list, Field::offload, "activations", "host_memory");
  }
}

std::vector<Candidate> candidates(const Request& request, const Scenario& scenario, Verdict verdict) {
  std::vector<Candidate> list;
  if (is_training(scenario.task)) {
    add_training(list, scenario);
  } else {
    add_running(list, scenario);
  }
  if (!request.has(Field::gpus) && !fits(verdict)) {
    add_steps(list, Field::gpu_count, text_of(scenario.gpus.size()), more_cards, scenario, "more_gpus");
  }
  return list;
}

/// Fields on which the model's stored weights depend.
bool changes_job(Field field) { return field == Field::task || field == Field::weights || field == Field::precision; }

Result<Scenario> scenario_of(const Request& request, const Evaluation& base, const Facts& facts, Field field) {
  if (changes_job(field)) return resolve(request, facts);
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const GpuSlot& slot : base.scenario.gpus) cards.push_back(slot.gpu);
  if (field == Field::gpu_count) {
    cards = std::vector<std::shared_ptr<const Gpu>>(static_cast<std::size_t>(request.integer(field)), cards.front());
  }
  return with_gpus(request, base.scenario, facts, cards);
}

Bytes most_needed(const Ledger& ledger) {
  Bytes most;
  for (const DeviceLedger& device : ledger.devices) most = max(most, peak_memory(device).need.expected);
  return most;
}

/// One changed field put to the estimator; nullopt where it is refused or saves nothing.
std::optional<Suggestion> tried(const Evaluation& base, const Facts& facts, const Candidate& candidate) {
  Request changed = base.request;
  if (set_from_text(changed, row_of(candidate.field).name, candidate.value)) return std::nullopt;
  const auto scenario = scenario_of(changed, base, facts, candidate.field);
  if (!scenario) return std::nullopt;
  const Ledger ledger = estimate(*scenario);
  const Bytes before = base.memory.need.expected, after = most_needed(ledger);
  if (after >= before) return std::nullopt;
  return Suggestion{candidate.field, candidate.value, before - after, fit_of(*scenario, ledger).verdict,
                    candidate.cost,  std::nullopt};
}

/// The first step, or the first one further down that makes the job fit.
std::optional<Suggestion> best_step(const Evaluation& base, const Facts& facts, Candidate candidate) {
  std::optional<Suggestion> first;
  for (int step = 0; step < 8; ++step) {
    std::optional<Suggestion> suggestion = tried(base, facts, candidate);
    if (suggestion && (fits(base.verdict) || fits(suggestion->verdict))) return suggestion;
    if (!first) first = std::move(suggestion);
    if (candidate.next == nullptr) break;
    candidate.value = candidate.next(base.scenario, candidate.value);
    if (candidate.value.empty()) break;
  }
  return first;
}

/// llama.cpp: as many layers on the cards as fit, the others in system memory.
std::optional<Suggestion> most_layers(const Evaluation& base, const Facts& facts) {
  if (base.scenario.weights.scheme != WeightScheme::gguf || is_training(base.scenario.task) || fits(base.verdict)) {
    return std::nullopt;
  }
  std::optional<Suggestion> best;
  std::uint64_t low = 0, high = base.scenario.inference.gpu_layers.value();
  while (low < high) {
    const std::uint64_t layers = low + (high - low) / 2;
    auto suggestion = tried(base, facts, {Field::gpu_layers, std::to_string(layers), "slower_tokens"});
    if (suggestion && fits(suggestion->verdict)) {
      best = std::move(suggestion);
      low = layers + 1;
    } else {
      high = layers;
    }
  }
  return best;
}

bool is_better(const Suggestion& a, const Suggestion& b) {
  if (fits(a.verdict) != fits(b.verdict)) return fits(a.verdict);
  if ((a.verdict == Verdict::no) != (b.verdict == Verdict::no)) return b.verdict == Verdict::no;
  if (rank_of(a.cost) != rank_of(b.cost)) return rank_of(a.cost) < rank_of(b.cost);
  return a.saves > b.saves;
}

/// Where no single change is enough: one of the mildest with the first other change that then makes the job fit.
std::vector<Suggestion> pairs(const Evaluation& base, const Facts& facts, const std::vector<Suggestion>& singles) {
  constexpr std::size_t kMostFirst = 3, kMostPairs = 2;
  std::vector<Suggestion> list;
  for (std::size_t i = 0; i < std::min(singles.size(), kMostFirst); ++i) {
    const Suggestion& first = singles[i];
    Request changed = base.request;
    if (set_from_text(changed, row_of(first.field).name, first.value)) continue;
    auto scenario = scenario_of(changed, base, facts, first.field);
    if (!scenario) continue;
    const Evaluation middle = assess(changed, std::move(*scenario));
    for (Candidate& candidate : candidates(changed, middle.scenario, middle.verdict)) {
      if (candidate.field == first.field || list.size() == kMostPairs) continue;
      const auto second = best_step(middle, facts, std::move(candidate));
      if (!second || !fits(second->verdict)) continue;
      const char* cost = rank_of(first.cost) < rank_of(second->cost) ? second->cost : first.cost;
      list.push_back({first.field, first.value, first.saves + second->saves, second->verdict, cost,
                      Suggestion::Change{second->field, second->value}});
    }
  }
  return list;
}

}  // namespace

std::vector<Suggestion> suggest(const Evaluation& base, const Facts& facts) {
  std::vector<Suggestion> kept;
  const auto keep = [&](std::optional<Suggestion> suggestion) {
    if (!suggestion) return;
    const bool enough = mul_div(suggestion->saves, 100, base.memory.need.expected) >= Count(5);
    const bool helps = !fits(base.verdict) && suggestion->verdict < base.verdict;
    if (enough || helps) kept.push_back(std::move(*suggestion));
  };
  for (Candidate& candidate : candidates(base.request, base.scenario, base.verdict)) {
    keep(best_step(base, facts, std::move(candidate)));
  }
  keep(most_layers(base, facts));
  std::stable_sort(kept.begin(), kept.end(), is_better);
  if (!fits(base.verdict) && !kept.empty() && !fits(kept.front().verdict)) {
    std::vector<Suggestion> fitting = pairs(base, facts, kept);
    kept.insert(kept.begin(), std::make_move_iterator(fitting.begin()), std::make_move_iterator(fitting.end()));
    std::stable_sort(kept.begin(), kept.end(), is_better);
  }
  if (kept.size() > kMostSuggestions) kept.erase(kept.begin() + kMostSuggestions, kept.end());
  return kept;
}

}  // namespace vram
