// The words of the request's choice fields, one enum and one list of names each (api.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vram {

enum class Task : std::uint8_t { inference, development, serving, lora, qlora, full, pretrain };
inline constexpr std::array<std::string_view, 7> kTaskNames = {"inference", "development", "serving", "lora",
                                                               "qlora",     "full",        "pretrain"};

constexpr bool is_training(Task task) { return task >= Task::lora; }
constexpr bool is_adapter_training(Task task) { return task == Task::lora || task == Task::qlora; }

enum class RuntimeId : std::uint8_t {
  transformers,
  vllm,
  sglang,
  tensorrt_llm,
  llama_cpp,
  ollama,
  lm_studio,
  exllama,
  ik_llama_cpp,
  torchao,
  autoawq,
  gptq,
  hf_trainer,
  torchtune,
  torchtitan,
  litgpt,
  unsloth,
  axolotl,
  ms_swift,
  deepspeed,
  megatron,
  pytorch,
  ultralytics,
  mmdetection,
  mmsegmentation,
  mmaction2,
  mmyolo,
  mmrotate,
  mmtracking,
  detectron2,
  torchvision,
  diffusers,
  comfyui,
  simpletuner,
  cogvideox_factory,
  finetrainers,
};
inline constexpr std::array<std::string_view, 36> kRuntimeNames = {
    "transformers",   "vllm",      "sglang",       "tensorrt-llm", "llama.cpp",         "ollama",
    "lm-studio",      "exllama",   "ik_llama.cpp", "torchao",      "autoawq",           "gptq",
    "hf-trainer",     "torchtune", "torchtitan",   "litgpt",       "unsloth",           "axolotl",
    "ms-swift",       "deepspeed", "megatron",     "pytorch",      "ultralytics",       "mmdetection",
    "mmsegmentation", "mmaction2", "mmyolo",       "mmrotate",     "mmtracking",        "detectron2",
    "torchvision",    "diffusers", "comfyui",      "simpletuner",  "cogvideox-factory", "finetrainers"};

enum class CacheType : std::uint8_t { f16, bf16, fp8, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl, q8, q6, q4 };
inline constexpr std::array<std::string_view, 12> kCacheTypeNames = {"f16",  "bf16", "fp8",    "q8_0", "q5_1", "q5_0",
                                                                     "q4_1", "q4_0", "iq4_nl", "q8",   "q6",   "q4"};

enum class AttentionKernel : std::uint8_t { flash, sdpa, eager };
inline constexpr std::array<std::string_view, 3> kAttentionNames = {"flash", "sdpa", "eager"};

enum class Precision : std::uint8_t { fp32, amp_bf16, amp_fp16, bf16, fp16, bf16_master, fp16_master, fp8 };
inline constexpr std::array<std::string_view, 8> kPrecisionNames = {"fp32", "amp_bf16",    "amp_fp16",    "bf16",
                                                                    "fp16", "bf16_master", "fp16_master", "fp8"};

enum class Optimizer : std::uint8_t {
  adamw,
  adamw_8bit,
  paged_adamw,
  paged_adamw_8bit,
  adafactor,
  sgd,
  sgd_momentum,
  lion,
  lion_8bit,
  muon,
  galore_adamw,
  galore_adamw_8bit,
};
inline constexpr std::array<std::string_view, 12> kOptimizerNames = {
    "adamw", "adamw_8bit", "paged_adamw", "paged_adamw_8bit", "adafactor",        "sgd", "sgd_momentum",
    "lion",  "lion_8bit",  "muon",        "galore_adamw",     "galore_adamw_8bit"};

/// `in_backward`: each parameter is stepped, and its gradient freed, as soon as it has one.
enum class OptimizerImplementation : std::uint8_t { foreach, fused, loop, in_backward };
inline constexpr std::array<std::string_view, 4> kOptimizerImplementationNames = {"foreach", "fused", "loop",
                                                                                  "in_backward"};

enum class OptimizerState : std::uint8_t { same, fp32, bf16, int8 };
inline constexpr std::array<std::string_view, 4> kOptimizerStateNames = {"same", "fp32", "bf16", "int8"};

enum class Gradients : std::uint8_t { same, fp32, bf16 };
inline constexpr std::array<std::string_view, 3> kGradientsNames = {"same", "fp32", "bf16"};

enum class Checkpointing : std::uint8_t { none, selective, full };
inline constexpr std::array<std::string_view, 3> kCheckpointingNames = {"none", "selective", "full"};

enum class Loss : std::uint8_t { full_fp32, full, fused, chunked, fused_linear, classification };
inline constexpr std::array<std::string_view, 6> kLossNames = {"full_fp32", "full",         "fused",
                                                               "chunked",   "fused_linear", "classification"};

/// Learning from preferences: DPO compares pairs with a frozen reference; GRPO and PPO learn from what the model generates.
enum class Preference : std::uint8_t { none, dpo, orpo, grpo, ppo };
inline constexpr std::array<std::string_view, 5> kPreferenceNames = {"none", "dpo", "orpo", "grpo", "ppo"};

enum class Adapter : std::uint8_t { lora, dora, rslora, adapter, adapter_v2 };
inline constexpr std::array<std::string_view, 5> kAdapterNames = {"lora", "dora", "rslora", "adapter", "adapter_v2"};

/// Bits of the lora_targets list; `attention` = q k v o, `all_linear` = q k v o gate up down.
enum class LoraTarget : std::uint8_t { q, k, v, o, gate, up, down, lm_head, embed, attention, all_linear };
inline constexpr std::array<std::string_view, 11> kLoraTargetNames = {
    "q", "k", "v", "o", "gate", "up", "down", "lm_head", "embed", "attention", "all_linear"};

enum class AdapterDtype : std::uint8_t { fp32, bf16, fp16 };
inline constexpr std::array<std::string_view, 3> kAdapterDtypeNames = {"fp32", "bf16", "fp16"};

enum class TrainedModule : std::uint8_t { embed, lm_head };
inline constexpr std::array<std::string_view, 2> kTrainedModuleNames = {"embed", "lm_head"};

enum class Sharding : std::uint8_t { none, ddp, zero1, zero2, zero3, fsdp };
inline constexpr std::array<std::string_view, 6> kShardingNames = {"none", "ddp", "zero1", "zero2", "zero3", "fsdp"};

enum class Offload : std::uint8_t { none, optimizer, parameters, all, activations };
inline constexpr std::array<std::string_view, 5> kOffloadNames = {"none", "optimizer", "parameters", "all",
                                                                  "activations"};

enum class TextEncoder : std::uint8_t { keep, offload };
inline constexpr std::array<std::string_view, 2> kTextEncoderNames = {"keep", "offload"};

/// What moves to system memory between (model), within (group) or layer by layer (sequential) a pipeline's components.
enum class ComponentOffload : std::uint8_t { none, model, group, sequential };
inline constexpr std::array<std::string_view, 4> kComponentOffloadNames = {"none", "model", "group", "sequential"};

enum class Os : std::uint8_t { linux_os, windows };
inline constexpr std::array<std::string_view, 2> kOsNames = {"linux", "windows"};

/// The wall circuit a machine is fed from: its volts and amperes.
enum class Mains : std::uint8_t { v230_a16, v120_a15, v120_a20 };
inline constexpr std::array<std::string_view, 3> kMainsNames = {"230v_16a", "120v_15a", "120v_20a"};

enum class Display : std::uint8_t { none, desktop, cad, render };
inline constexpr std::array<std::string_view, 4> kDisplayNames = {"none", "desktop", "cad", "render"};

/// Name of an enumerator: name_in(kTaskNames, task).
template <std::size_t N, class E>
constexpr std::string_view name_in(const std::array<std::string_view, N>& names, E value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace vram
