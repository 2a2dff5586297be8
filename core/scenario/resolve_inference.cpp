#include "core/scenario/resolve_steps.h"
#include "core/scenario/runtime_table.h"

namespace vram::steps {
namespace {

constexpr Count kDefaultContext = 8192;
constexpr Count kDefaultUsers = 8;
constexpr Count kDatacentreMemory = 70 * kGiB;  ///< from here on vLLM's server schedules more per step (F-5.2)

bool is_encoder_only(const Model& model) { return model.kind == ModelKind::embedding; }

Count trained_context(const Model& model) { return model.context_max ? model.context_max : kDefaultContext; }

Count default_prefill(const Scenario& scenario, Count context) {
  const bool large = scenario.gpus.front().usable >= kDatacentreMemory;
  switch (scenario.rules) {
    // Before its scheduler cut prompts into pieces, vLLM read the longest one in a single step.
    case RuntimeId::vllm: return !scenario.version.at_least(0, 8) ? max(context, 2048) : large ? 8192 : 2048;
    case RuntimeId::sglang: return large ? 8192 : 2048;
    case RuntimeId::tensorrt_llm: return 8192;
    case RuntimeId::exllama: return min(context, 2048);
    default: return context;
  }
}

Count default_sequences(const Scenario& scenario) {
  const bool large = scenario.gpus.front().usable >= kDatacentreMemory;
  switch (scenario.rules) {
    case RuntimeId::vllm: return large && scenario.version.at_least(0, 9) ? 1024 : 256;
    case RuntimeId::sglang: return large ? 256 : 24;
    case RuntimeId::tensorrt_llm: return 256;
    default: return scenario.inference.sequences;
  }
}

CacheType default_cache(const Scenario& scenario) {
  return scenario.rules == RuntimeId::llama_cpp || scenario.rules == RuntimeId::exllama ? CacheType::f16
                                                                                        : CacheType::bf16;
}

AttentionKernel default_attention(const Scenario& scenario) {
  return scenario.rules == RuntimeId::transformers ? AttentionKernel::sdpa : AttentionKernel::flash;
}

bool is_quantised(CacheType type) { return type >= CacheType::q8_0; }

/// Tokens alive at once when serving: users, grown over the planning period, rounded up.
void resolve_users(const Request& request, Scenario& scenario) {
  InferenceSettings& settings = scenario.inference;
  scenario.growth_percent = request.number(Field::growth_percent, 0);
  scenario.growth_months = request.integer(Field::growth_months, 12);
  if (scenario.task != Task::serving) {
    settings.sequences = request.integer(Field::batch, 1);
    settings.users_today = settings.sequences;
    return;
  }
  settings.users_today = request.integer(Field::users, kDefaultUsers.value());
  const Count thousandths = scaled(1000, 1 + scenario.growth_percent / 100);
  settings.sequences = ceil_div(settings.users_today * thousandths, 1000);
}

std::optional<Error> resolve_placement(const Request& request, Scenario& scenario) {
  InferenceSettings& settings = scenario.inference;
  const Count layers = scenario.model->layer_count();
  const std::uint64_t asked = request.integer(Field::gpu_layers, kAll);
  // llama.cpp counts the output layer as one more layer behind the last (F-5.6).
  settings.gpu_layers = min(layers, asked);
  settings.output_on_gpu = asked == kAll || Count(asked) > layers;
  settings.cpu_experts = request.flag(Field::cpu_experts);
  if (settings.cpu_experts) {
    for (const Layer& layer : scenario.model->kinds) {
      if (std::holds_alternative<Experts>(layer.feed_forward)) return std::nullopt;
    }
    return conflict(Field::cpu_experts, "true", "model=" + scenario.model->id + " (no experts)");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> resolve_inference(const Request& request, Scenario& scenario) {
  InferenceSettings& settings = scenario.inference;
  settings = {};
  const Model& model = *scenario.model;
  if (is_training(scenario.task)) return std::nullopt;

  resolve_users(request, scenario);
  const Count fallback =
      is_encoder_only(model) ? min(trained_context(model), 512) : min(trained_context(model), kDefaultContext);
  settings.context = request.integer(Field::context, fallback.value());
  settings.context_average = request.integer(Field::context_average, settings.context.value());
  if (settings.context_average > settings.context) {
    return conflict(Field::context_average, text_of(request, Field::context_average),
                    "context=" + std::to_string(settings.context.value()));
  }
  if (model.context_max && settings.context > model.context_max) {
    scenario.warnings.push_back({"context_beyond_training",
                                 "context",
                                 {{"context", std::to_string(settings.context.value())},
                                  {"trained", std::to_string(model.context_max.value())}}});
  }
  settings.cache_k = request.choice(Field::kv_cache, default_cache(scenario));
  settings.cache_v = request.choice(Field::kv_cache_v, settings.cache_k);
  settings.attention = request.choice(Field::attention, default_attention(scenario));
  if (scenario.rules == RuntimeId::llama_cpp && settings.attention != AttentionKernel::flash &&
      is_quantised(settings.cache_v)) {
    return conflict(Field::kv_cache_v, std::string(name_in(kCacheTypeNames, settings.cache_v)), "attention=flash");
  }
  settings.ubatch = request.integer(Field::ubatch, 512);
  settings.prefill_tokens = request.integer(Field::prefill_tokens, default_prefill(scenario, settings.context).value());
  settings.max_sequences = request.integer(Field::max_sequences, default_sequences(scenario).value());
  settings.cuda_graphs = request.flag(Field::cuda_graphs, runtime_row(scenario.runtime).preallocates);
  settings.memory_fraction =
      request.number(Field::memory_fraction, scenario.constants().factor(Constant::reserved_by_default).expected);
  settings.prefix_share = request.number(Field::prefix_share_percent, 0) / 100;
  return resolve_placement(request, scenario);
}

}  // namespace vram::steps
