#include "core/fit/suggestions.h"

#include <algorithm>
#include <array>

#include "core/fit/match.h"
#include "core/format/storage_format.h"
#include "core/memory/estimate.h"

namespace vram {
namespace {

struct Candidate {
  Field field;
  std::string value;
  const char* cost;
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

std::string smaller_weights(const Scenario& scenario) {
  const WeightFormat& format = scenario.weights;
  if (format.scheme == WeightScheme::exl && format.bits_x100 > 300) {
    const unsigned rate = format.bits_x100 - 100U;
    return "exl" + std::to_string(format.exl_version) + "-" + std::to_string(rate / 100) + "." +
           std::to_string(rate / 10 % 10);
  }
  const std::string name = name_of(format);
  if (format.scheme == WeightScheme::gguf) return std::string(step_down(kGgufSteps, name));
  if (is_server(scenario.runtime)) return std::string(step_down(kServerSteps, name));
  return std::string(step_down(kTorchSteps, name));
}

void add(std::vector<Candidate>& list, Field field, std::string_view value, const char* cost) {
  if (!value.empty()) list.push_back({field, std::string(value), cost});
}

void add_halved(std::vector<Candidate>& list, Field field, Count now, Count least, const char* cost) {
  if (now > least) list.push_back({field, std::to_string((now / 2).value()), cost});
}

void add_running(std::vector<Candidate>& list, const Scenario& scenario) {
  const InferenceSettings& settings = scenario.inference;
  const bool gguf = scenario.weights.scheme == WeightScheme::gguf;
  add(list, Field::weights, smaller_weights(scenario), "quality");
  const bool wide_cache = settings.cache_k == CacheType::f16 || settings.cache_k == CacheType::bf16;
  if (wide_cache && gguf) add(list, Field::kv_cache, "q8_0", "quality");
  if (wide_cache && is_server(scenario.runtime)) add(list, Field::kv_cache, "fp8", "quality");
  if (wide_cache && scenario.runtime == RuntimeId::exllama) add(list, Field::kv_cache, "q8", "quality");
  if (settings.attention != AttentionKernel::flash) add(list, Field::attention, "flash", "none");
  add_halved(list, Field::context, settings.context, 1024, "shorter_context");
  if (scenario.task == Task::serving) {
    add_halved(list, Field::users, settings.users_today, 1, "fewer_sequences");
  } else {
    add_halved(list, Field::batch, settings.sequences, 1, "fewer_sequences");
  }
  if (gguf && !settings.cpu_experts) add(list, Field::cpu_experts, "true", "slower_tokens");
  if (gguf) add_halved(list, Field::gpu_layers, settings.gpu_layers, 1, "slower_tokens");
}

void add_training(std::vector<Candidate>& list, const Scenario& scenario) {
  const TrainingSettings& settings = scenario.training;
  if (settings.checkpointing != Checkpointing::full) add(list, Field::checkpointing, "full", "slower_step");
  if (settings.loss != Loss::fused_linear && settings.loss != Loss::classification) {
    add(list, Field::loss, "fused_linear", "none");
  }
  if (settings.attention != AttentionKernel::flash) add(list, Field::attention, "flash", "none");
  if (settings.optimizer == Optimizer::adamw) add(list, Field::optimizer, "adamw_8bit", "optimizer_state");
  if (settings.optimizer == Optimizer::lion) add(list, Field::optimizer, "lion_8bit", "optimizer_state");
  const bool wide = settings.precision == Precision::fp32 || settings.autocast;
  if (wide && scenario.weights.base == TensorType::f32) add(list, Field::precision, "bf16", "quality");
  if (scenario.task == Task::lora) add(list, Field::task, "qlora", "quality");
  if (scenario.task == Task::full) add(list, Field::task, "lora", "adapter_only");
  add_halved(list, Field::batch, settings.batch, 1, "slower_step");
  add_halved(list, Field::context, settings.sequence, 256, "shorter_context");
  const bool sharded = settings.sharding == Sharding::fsdp || settings.sharding == Sharding::zero3;
  if (scenario.gpus.size() > 1 && !sharded) {
    add(list, Field::sharding, scenario.runtime == RuntimeId::deepspeed ? "zero3" : "fsdp", "communication");
  }
  if (settings.offload == Offload::none) add(list, Field::offload, "optimizer", "host_memory");
}

std::vector<Candidate> candidates(const Request& request, const Scenario& scenario) {
  std::vector<Candidate> list;
  if (is_training(scenario.task)) {
    add_training(list, scenario);
  } else {
    add_running(list, scenario);
  }
  if (!request.has(Field::gpus)) add(list, Field::gpu_count, std::to_string(2 * scenario.gpus.size()), "more_gpus");
  return list;
}

/// Fields on which the model's stored weights depend.
bool changes_job(Field field) { return field == Field::task || field == Field::weights || field == Field::precision; }

Result<Scenario> scenario_of(const Request& request, const Evaluation& base, const Facts& facts, Field field) {
  if (changes_job(field)) return resolve(request, facts);
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const GpuSlot& slot : base.scenario.gpus) cards.push_back(slot.gpu);
  if (field == Field::gpu_count) cards.resize(2 * cards.size(), cards.front());
  return with_gpus(request, base.scenario, facts, cards);
}

Bytes most_needed(const Ledger& ledger) {
  Bytes most;
  for (const DeviceLedger& device : ledger.devices) most = max(most, peak_memory(device).need.expected);
  return most;
}

bool fits(Verdict verdict) { return verdict <= Verdict::fits; }

}  // namespace

std::vector<Suggestion> suggest(const Evaluation& base, const Facts& facts) {
  const Bytes before = base.memory.need.expected;
  std::vector<Suggestion> kept;
  for (Candidate& candidate : candidates(base.request, base.scenario)) {
    Request changed = base.request;
    if (set_from_text(changed, row_of(candidate.field).name, candidate.value)) continue;
    const auto scenario = scenario_of(changed, base, facts, candidate.field);
    if (!scenario) continue;
    const Ledger ledger = estimate(*scenario);
    const Bytes after = most_needed(ledger);
    const Verdict verdict = fit_of(*scenario, ledger).verdict;
    const bool enough = mul_div(before - after, 100, before) >= Count(5);
    const bool helps = verdict < base.verdict && base.verdict >= Verdict::tight;
    if (after < before && (enough || helps)) {
      kept.push_back({candidate.field, std::move(candidate.value), before - after, verdict, candidate.cost});
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Suggestion& a, const Suggestion& b) {
    if (fits(a.verdict) != fits(b.verdict)) return fits(a.verdict);
    if ((a.verdict == Verdict::no) != (b.verdict == Verdict::no)) return b.verdict == Verdict::no;
    if (rank_of(a.cost) != rank_of(b.cost)) return rank_of(a.cost) < rank_of(b.cost);
    return a.saves > b.saves;
  });
  if (kept.size() > kMostSuggestions) kept.erase(kept.begin() + kMostSuggestions, kept.end());
  return kept;
}

}  // namespace vram
