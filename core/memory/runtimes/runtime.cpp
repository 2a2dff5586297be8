#include "core/memory/runtimes/runtime.h"

#include <array>

#include "core/memory/runtimes/inference_rules.h"

namespace vram {
namespace {

/// Rules for running and for training; training runtimes try a model out as Transformers does.
constexpr std::array kRules = {
    RuntimeRules{RuntimeId::transformers, run_with_transformers, nullptr},
    RuntimeRules{RuntimeId::vllm, run_with_vllm, nullptr},
    RuntimeRules{RuntimeId::sglang, run_with_sglang, nullptr},
    RuntimeRules{RuntimeId::tensorrt_llm, run_with_tensorrt_llm, nullptr},
    RuntimeRules{RuntimeId::llama_cpp, run_with_llama_cpp, nullptr},
    RuntimeRules{RuntimeId::ollama, run_with_llama_cpp, nullptr},
    RuntimeRules{RuntimeId::lm_studio, run_with_llama_cpp, nullptr},
    RuntimeRules{RuntimeId::exllama, run_with_exllama, nullptr},
};

}  // namespace

std::span<const RuntimeRules> runtime_rules() { return kRules; }

const RuntimeRules* find_rules(RuntimeId id) {
  for (const RuntimeRules& rules : kRules) {
    if (rules.id == id) return &rules;
  }
  return nullptr;
}

}  // namespace vram
