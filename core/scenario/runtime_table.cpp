#include "core/scenario/runtime_table.h"

#include <algorithm>
#include <array>

namespace vram {
namespace {

using R = RuntimeId;
constexpr std::size_t kRuntimeCount = kRuntimeNames.size();

// id, runs, serves, trains, vision, preallocates, gguf, spread, rules when running, rules when training
constexpr std::array<RuntimeRow, kRuntimeCount> kRows = {{
    {R::transformers, true, true, false, false, false, false, Spread::layers, R::transformers, R::hf_trainer},
    {R::vllm, true, true, false, false, true, false, Spread::tensor, R::vllm, R::pytorch},
    {R::sglang, true, true, false, false, true, false, Spread::tensor, R::sglang, R::pytorch},
    {R::tensorrt_llm, true, true, false, false, true, false, Spread::tensor, R::tensorrt_llm, R::pytorch},
    {R::llama_cpp, true, true, false, false, false, true, Spread::layers, R::llama_cpp, R::pytorch},
    {R::ollama, true, true, false, false, false, true, Spread::layers, R::llama_cpp, R::pytorch},
    {R::lm_studio, true, true, false, false, false, true, Spread::layers, R::llama_cpp, R::pytorch},
    {R::exllama, true, true, false, false, false, false, Spread::layers, R::exllama, R::pytorch},
    {R::ik_llama_cpp, true, true, false, false, false, true, Spread::layers, R::llama_cpp, R::pytorch},
    {R::torchao, true, false, false, false, false, false, Spread::layers, R::transformers, R::pytorch},
    {R::autoawq, true, false, false, false, false, false, Spread::layers, R::transformers, R::pytorch},
    {R::gptq, true, false, false, false, false, false, Spread::layers, R::transformers, R::pytorch},
    {R::hf_trainer, false, false, true, false, false, false, Spread::data, R::transformers, R::hf_trainer},
    {R::torchtune, false, false, true, false, false, false, Spread::data, R::transformers, R::torchtune},
    {R::torchtitan, false, false, true, false, false, false, Spread::data, R::transformers, R::torchtitan},
    {R::litgpt, false, false, true, false, false, false, Spread::data, R::transformers, R::litgpt},
    {R::unsloth, false, false, true, false, false, false, Spread::data, R::transformers, R::unsloth},
    {R::axolotl, false, false, true, false, false, false, Spread::data, R::transformers, R::axolotl},
    {R::ms_swift, false, false, true, false, false, false, Spread::data, R::transformers, R::ms_swift},
    {R::deepspeed, false, false, true, false, false, false, Spread::data, R::transformers, R::deepspeed},
    {R::megatron, false, false, true, false, false, false, Spread::data, R::transformers, R::megatron},
    {R::pytorch, true, false, true, false, false, false, Spread::data, R::transformers, R::pytorch},
    {R::ultralytics, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmdetection, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmsegmentation, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmaction2, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmyolo, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmrotate, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::mmtracking, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::detectron2, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::torchvision, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::diffusers, true, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::comfyui, true, false, false, true, false, true, Spread::data, R::transformers, R::pytorch},
    {R::simpletuner, false, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::cogvideox_factory, false, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
    {R::finetrainers, false, false, true, true, false, false, Spread::data, R::transformers, R::pytorch},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].id) != i) return false;
  }
  return true;
}
static_assert(in_order(), "a row stands at its runtime's index");

}  // namespace

const RuntimeRow& runtime_row(RuntimeId id) { return kRows[static_cast<std::size_t>(id)]; }

namespace {

bool has_latent_attention(const Model& model) {
  return std::any_of(model.kinds.begin(), model.kinds.end(),
                     [](const Layer& layer) { return std::holds_alternative<LatentAttention>(layer.mixer); });
}

}  // namespace

RuntimeId default_runtime(Task task, const Model& model, bool gguf_weights) {
  if (model.kind == ModelKind::diffusion) return R::diffusers;
  if (model.kind == ModelKind::vision) return is_training(task) ? R::pytorch : R::torchvision;
  if (is_training(task)) return task == Task::pretrain ? R::pytorch : R::hf_trainer;
  if (gguf_weights) return R::llama_cpp;
  if (task == Task::serving) return R::vllm;
  return task == Task::inference && has_latent_attention(model) ? R::vllm : R::transformers;
}

}  // namespace vram
