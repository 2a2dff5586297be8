#include "core/report/recipe.h"

#include <array>

#include "core/base/number.h"
#include "core/fit/match.h"
#include "core/fit/turned_round.h"
#include "core/memory/estimate.h"

namespace vram {
namespace {

constexpr std::string_view kDriver = "nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv -l 1";

/// The public name that engines download by, else the id.
std::string public_name(const Model& model) {
  for (const std::string& alias : model.aliases) {
    if (alias.find('/') != std::string::npos) return alias;
  }
  return model.id;
}

std::string number(Count count) { return std::to_string(count.value()); }

std::string llama_cpp(const Evaluation& evaluation) {
  const Scenario& s = evaluation.scenario;
  const InferenceSettings& i = s.inference;
  // -c is shared by the slots of -np.
  std::string text = "llama-server -m " + s.model->id + "-" + name_of(s.weights) + ".gguf -c " +
                     number(i.context * i.sequences) + " -np " + number(i.sequences) + " -ub " + number(i.ubatch);
  text += " -ngl " + effective_text(evaluation.request, s, Field::gpu_layers);
  text += i.attention == AttentionKernel::flash ? " -fa on" : " -fa off";
  text += " -ctk " + std::string(name_in(kCacheTypeNames, i.cache_k)) + " -ctv " +
          std::string(name_in(kCacheTypeNames, i.cache_v));
  if (i.cpu_experts) text += " --cpu-moe";
  return text + " 2>&1 | tee llama.log\ngrep 'buffer size' llama.log\n";
}

std::string server(const Evaluation& evaluation) {
  const Scenario& s = evaluation.scenario;
  const InferenceSettings& i = s.inference;
  const std::string name = public_name(*s.model), share = effective_text(evaluation.request, s, Field::memory_fraction);
  const std::string tensor = number(s.parallel.tensor);
  const bool fp8 = i.cache_k == CacheType::fp8;
  if (s.rules == RuntimeId::sglang) {
    return "python -m sglang.launch_server --model-path " + name + " --context-length " + number(i.context) +
           " --mem-fraction-static " + share + " --tp " + tensor + (fp8 ? " --kv-cache-dtype fp8_e4m3" : "") +
           " 2>&1 | tee sglang.log\ngrep -E 'Load weight end|KV Cache is allocated|cuda graph end' sglang.log\n";
  }
  return "vllm serve " + name + " --max-model-len " + number(i.context) + " --gpu-memory-utilization " + share +
         " --tensor-parallel-size " + tensor + " --max-num-seqs " + number(i.max_sequences) +
         (fp8 ? " --kv-cache-dtype fp8" : "") + (i.cuda_graphs ? "" : " --enforce-eager") +
         " 2>&1 | tee vllm.log\ngrep -E 'took|KV cache' vllm.log\n";
}

std::string ollama(const Evaluation& evaluation) {
  const InferenceSettings& i = evaluation.scenario.inference;
  return "OLLAMA_CONTEXT_LENGTH=" + number(i.context) + " OLLAMA_NUM_PARALLEL=" + number(i.sequences) +
         " ollama serve &\nollama run " + evaluation.scenario.model->id + " 'Hello'\nollama ps\n";
}

std::string transformers(const Evaluation& evaluation) {
  const Scenario& s = evaluation.scenario;
  const std::string name = public_name(*s.model);
  std::string load = "torch_dtype=torch.bfloat16";
  if (s.weights.scheme == WeightScheme::bnb4) {
    load = "quantization_config=BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type='" +
           std::string(s.weights.fp4 ? "fp4" : "nf4") +
           "', bnb_4bit_use_double_quant=" + (s.weights.double_quant ? "True" : "False") +
           ", bnb_4bit_compute_dtype=torch.bfloat16)";
  } else if (s.weights.scheme == WeightScheme::bnb8) {
    load = "quantization_config=BitsAndBytesConfig(load_in_8bit=True)";
  } else if (s.weights.base == TensorType::f32) {
    load = "torch_dtype=torch.float32";
  } else if (s.weights.base == TensorType::f16) {
    load = "torch_dtype=torch.float16";
  }
  return "import torch\nfrom transformers import AutoModelForCausalLM, BitsAndBytesConfig\n"
         "model = AutoModelForCausalLM.from_pretrained('" +
         name + "', " + load + ", device_map='cuda', " + "attn_implementation='" +
         (s.inference.attention == AttentionKernel::flash   ? "flash_attention_2"
          : s.inference.attention == AttentionKernel::eager ? "eager"
                                                            : "sdpa") +
         "')\n"
         "tokens = torch.randint(0, model.config.vocab_size, (" +
         number(s.inference.sequences) + ", " + number(s.inference.context - 16) +
         "), device='cuda')\n"
         "torch.cuda.reset_peak_memory_stats()\n"
         "model.generate(tokens, max_new_tokens=16, do_sample=False)\n"
         "print('allocated', torch.cuda.max_memory_allocated(), 'reserved', torch.cuda.max_memory_reserved())\n";
}

/// Any trainer: two lines around its own loop.
std::string training() {
  return "# in the trainer's step callback, or around your loop\n"
         "if step == 1: torch.cuda.reset_peak_memory_stats()\n"
         "if step == 3: print(torch.cuda.memory_summary())\n";
}

Bytes need_with(const Evaluation& evaluation, const Facts& facts, Field field, std::uint64_t value) {
  Request request = evaluation.request;
  request.set(field, FieldValue(value));
  std::vector<std::shared_ptr<const Gpu>> cards;
  for (const GpuSlot& slot : evaluation.scenario.gpus) cards.push_back(slot.gpu);
  const auto scenario = with_gpus(request, evaluation.scenario, facts, cards);
  if (!scenario) return {};
  const Ledger ledger = estimate(*scenario);
  return peak_memory(ledger.devices[busiest(ledger)]).need.expected;
}

}  // namespace

Recipe recipe_for(const Evaluation& evaluation, const Facts& facts) {
  Recipe recipe;
  const Scenario& scenario = evaluation.scenario;
  if (is_training(scenario.task) || scenario.task == Task::development) {
    recipe = {training(), "peak", "third_step", {}};
  } else if (scenario.runtime == RuntimeId::ollama) {
    recipe = {ollama(evaluation), "ollama", "ready", {}};
  } else if (scenario.rules == RuntimeId::llama_cpp) {
    recipe = {llama_cpp(evaluation), "buffers", "ready", {}};
  } else if (scenario.runtime == RuntimeId::vllm || scenario.runtime == RuntimeId::sglang) {
    recipe = {server(evaluation), "startup", "ready", {}};
  } else if (scenario.runtime == RuntimeId::transformers) {
    recipe = {transformers(evaluation), "peak", "longest_prompt", {}};
  } else {
    recipe = {std::string(kDriver) + "\n", "driver", "longest_prompt", {}};
  }
  for (const Field field : turnable_fields(scenario)) {
    std::uint64_t now = 0;
    if (!parse_integer(effective_text(evaluation.request, scenario, field), now) || now == 0) continue;
    const Bytes need = need_with(evaluation, facts, field, 2 * now);
    if (need) recipe.next.push_back({field, 2 * now, need - evaluation.memory.need.expected});
  }
  return recipe;
}

json::Value recipe_to_json(const Recipe& recipe) {
  json::Value next = json::Value::array();
  for (const Recipe::Next& step : recipe.next) {
    json::Value entry = json::Value::object();
    entry.set("field", row_of(step.field).name).set("value", step.value).set("adds", step.adds);
    next.push(std::move(entry));
  }
  json::Value result = json::Value::object();
  result.set("commands", recipe.commands)
      .set("read", recipe.read)
      .set("moment", recipe.moment)
      .set("next", std::move(next));
  return result;
}

json::Value reference_measurement(const Request& request, std::string_view quantity, Bytes measured,
                                  std::string_view gpu) {
  json::Value reading = json::Value::object();
  reading.set("quantity", quantity).set("gib", measured.as_double() / kGiB.as_double());
  json::Value row = json::Value::object();
  row.set("id", "").set("source_group", "report").set("source", "").set("request", request_to_json(request));
  row.set("measured", std::move(reading)).set("grade", "B").set("assumed", json::Value::array()).set("gpu", gpu);
  row.set("notes", "");
  return row;
}

}  // namespace vram
