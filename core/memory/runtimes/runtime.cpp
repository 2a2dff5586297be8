#include "core/memory/runtimes/runtime.h"

#include <array>

#include "core/memory/runtimes/inference_rules.h"
#include "core/memory/runtimes/training_rules.h"

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
    RuntimeRules{RuntimeId::pytorch, nullptr, train_with_pytorch},
    RuntimeRules{RuntimeId::hf_trainer, nullptr, train_with_hf_trainer},
    RuntimeRules{RuntimeId::axolotl, nullptr, train_on_hf_trainer},
    RuntimeRules{RuntimeId::ms_swift, nullptr, train_on_hf_trainer},
    RuntimeRules{RuntimeId::unsloth, nullptr, train_with_unsloth},
    RuntimeRules{RuntimeId::deepspeed, nullptr, train_on_hf_trainer},
    RuntimeRules{RuntimeId::torchtune, nullptr, train_with_torchtune},
    RuntimeRules{RuntimeId::torchtitan, nullptr, train_with_torchtitan},
    RuntimeRules{RuntimeId::litgpt, nullptr, train_with_litgpt},
    RuntimeRules{RuntimeId::megatron, nullptr, train_with_megatron},
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
