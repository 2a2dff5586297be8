#include "core/scenario/fields.h"

#include <array>

#include "core/scenario/choices.h"

namespace vram {
namespace {

using enum FieldKind;
using S = FieldSection;
using A = Applies;
using U = FieldUnit;
constexpr FieldScale kLog = FieldScale::logarithmic;
constexpr FieldScale kLin = FieldScale::linear;
constexpr bool kExpert = true;
constexpr double kMillion = 1048576;

// Meanings, names and choices are fixed by the vocabulary (version 1): links and reference measurements depend on them.
constexpr std::array<FieldRow, kFieldCount> kRows = {{
    // What runs
    {Field::task, "task", choice, S::job, A::always, U::none, 0, 0, kLin, kTaskNames, "inference"},
    {Field::model, "model", model_id, S::model, A::always},
    {Field::architecture, "architecture", object, S::model, A::always, U::none, 0, 0, kLin, {}, {}, kExpert},
    {Field::parameters_b, "parameters_b", number, S::model, A::no_model, U::billions, 0.01, 3000, kLog},
    {Field::framework, "framework", choice, S::job, A::always, U::none, 0, 0, kLin, kRuntimeNames},
    {Field::framework_version, "framework_version", text, S::job, A::always, U::none, 0, 40, kLin, {}, {}, kExpert},
    {Field::weights, "weights", weight_format, S::model, A::always},
    {Field::context, "context", integer, S::workload, A::language, U::tokens, 1, 16 * kMillion, kLog},
    {Field::context_average, "context_average", integer, S::inference, A::serving, U::tokens, 1, 16 * kMillion, kLog, {},
     {}, kExpert},
    {Field::batch, "batch", integer, S::workload, A::always, U::sequences, 1, 65536, kLog, {}, "1"},
    {Field::users, "users", integer, S::workload, A::serving, U::users, 1, 65536, kLog},
    {Field::growth_percent, "growth_percent", number, S::workload, A::serving, U::percent, 0, 10000, kLin, {}, "0"},
    {Field::growth_months, "growth_months", integer, S::workload, A::serving, U::months, 1, 120, kLin, {}, "12", kExpert},
    // Inference and serving
    {Field::kv_cache, "kv_cache", choice, S::inference, A::running, U::none, 0, 0, kLin, kCacheTypeNames},
    {Field::kv_cache_v, "kv_cache_v", choice, S::inference, A::running, U::none, 0, 0, kLin, kCacheTypeNames, {}, kExpert},
    {Field::ubatch, "ubatch", integer, S::inference, A::llama_cpp, U::tokens, 1, 65536, kLog, {}, {}, kExpert},
    {Field::prefill_tokens, "prefill_tokens", integer, S::inference, A::running, U::tokens, 1, kMillion, kLog, {}, {},
     kExpert},
    {Field::max_sequences, "max_sequences", integer, S::inference, A::paged, U::sequences, 1, 65536, kLog, {}, {}, kExpert},
    {Field::attention, "attention", choice, S::inference, A::language, U::none, 0, 0, kLin, kAttentionNames, {}, kExpert},
    {Field::cuda_graphs, "cuda_graphs", boolean, S::inference, A::paged, U::none, 0, 0, kLin, {}, {}, kExpert},
    {Field::gpu_layers, "gpu_layers", integer_or_all, S::inference, A::llama_cpp, U::layers, 0, 4096, kLin, {}, "all",
     kExpert},
    {Field::cpu_experts, "cpu_experts", boolean, S::inference, A::llama_cpp, U::none, 0, 0, kLin, {}, "false", kExpert},
    {Field::memory_fraction, "memory_fraction", number, S::inference, A::paged, U::share, 0.01, 1, kLin, {}, {}, kExpert},
    {Field::prefix_share_percent, "prefix_share_percent", number, S::inference, A::serving, U::percent, 0, 100, kLin, {},
     "0", kExpert},
    // Training
    {Field::precision, "precision", choice, S::training, A::training, U::none, 0, 0, kLin, kPrecisionNames},
    {Field::optimizer, "optimizer", choice, S::training, A::training, U::none, 0, 0, kLin, kOptimizerNames, "adamw"},
    {Field::optimizer_implementation, "optimizer_implementation", choice, S::training, A::training, U::none, 0, 0, kLin,
     kOptimizerImplementationNames, {}, kExpert},
    {Field::optimizer_state, "optimizer_state", choice, S::training, A::training, U::none, 0, 0, kLin, kOptimizerStateNames,
     "same", kExpert},
    {Field::gradients, "gradients", choice, S::training, A::training, U::none, 0, 0, kLin, kGradientsNames, "same",
     kExpert},
    {Field::checkpointing, "checkpointing", choice, S::training, A::training, U::none, 0, 0, kLin, kCheckpointingNames},
    {Field::loss, "loss", choice, S::training, A::training, U::none, 0, 0, kLin, kLossNames},
    {Field::compile, "compile", boolean, S::training, A::training, U::none, 0, 0, kLin, {}, "false", kExpert},
    {Field::accumulation, "accumulation", integer, S::training, A::training, U::steps, 1, 65536, kLog, {}, "1", kExpert},
    {Field::adapter, "adapter", choice, S::adapter, A::adapters, U::none, 0, 0, kLin, kAdapterNames, "lora", kExpert},
    {Field::lora_rank, "lora_rank", integer, S::adapter, A::adapters, U::rank, 1, 8192, kLog, {}, "16"},
    {Field::lora_targets, "lora_targets", choice_list, S::adapter, A::adapters, U::none, 0, 0, kLin, kLoraTargetNames,
     "all_linear"},
    {Field::adapter_dtype, "adapter_dtype", choice, S::adapter, A::adapters, U::none, 0, 0, kLin, kAdapterDtypeNames, {},
     kExpert},
    {Field::trained_modules, "trained_modules", choice_list, S::adapter, A::adapters, U::none, 0, 0, kLin,
     kTrainedModuleNames, {}, kExpert},
    {Field::sharding, "sharding", choice, S::parallel, A::training, U::none, 0, 0, kLin, kShardingNames},
    {Field::offload, "offload", choice, S::training, A::training, U::none, 0, 0, kLin, kOffloadNames, "none", kExpert},
    // Degrees of parallelism
    {Field::tensor_parallel, "tensor_parallel", integer, S::parallel, A::several_gpus, U::gpus, 1, 1024, kLin, {}, {},
     kExpert},
    {Field::sequence_parallel, "sequence_parallel", boolean, S::parallel, A::several_gpus, U::none, 0, 0, kLin, {}, "false",
     kExpert},
    {Field::pipeline_parallel, "pipeline_parallel", integer, S::parallel, A::several_gpus, U::gpus, 1, 1024, kLin, {}, {},
     kExpert},
    {Field::context_parallel, "context_parallel", integer, S::parallel, A::several_gpus, U::gpus, 1, 1024, kLin, {}, {},
     kExpert},
    {Field::expert_parallel, "expert_parallel", integer, S::parallel, A::several_gpus, U::gpus, 1, 1024, kLin, {}, {},
     kExpert},
    {Field::data_parallel, "data_parallel", integer, S::parallel, A::several_gpus, U::gpus, 1, 1024, kLin, {}, {},
     kExpert},
    // Vision and diffusion
    {Field::image_height, "image_height", integer, S::vision, A::vision, U::pixels, 16, 16384, kLog},
    {Field::image_width, "image_width", integer, S::vision, A::vision, U::pixels, 16, 16384, kLog},
    {Field::frames, "frames", integer, S::vision, A::vision, U::frames, 1, 4096, kLog, {}, "1"},
    {Field::classes, "classes", integer, S::vision, A::vision, U::classes, 1, 1000000, kLog},
    {Field::text_encoder, "text_encoder", choice, S::vision, A::diffusion, U::none, 0, 0, kLin, kTextEncoderNames, "keep"},
    {Field::vae_tiling, "vae_tiling", boolean, S::vision, A::diffusion, U::none, 0, 0, kLin, {}, "false"},
    // Machine
    {Field::gpu, "gpu", gpu_id, S::machine, A::always},
    {Field::gpu_count, "gpu_count", integer, S::machine, A::always, U::gpus, 1, 1024, kLin, {}, "1"},
    {Field::gpus, "gpus", gpu_list, S::machine, A::always, U::none, 0, 0, kLin, {}, {}, kExpert},
    {Field::os, "os", choice, S::machine, A::always, U::none, 0, 0, kLin, kOsNames, "linux", kExpert},
    {Field::display, "display", choice, S::machine, A::always, U::none, 0, 0, kLin, kDisplayNames, "none"},
    {Field::margin_percent, "margin_percent", number, S::machine, A::always, U::percent, 0, 90, kLin},
    {Field::dataset_gb, "dataset_gb", number, S::machine, A::training, U::gigabytes, 0, 1e9, kLog, {}, {}, kExpert},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].field) != i) return false;
  }
  return true;
}
static_assert(in_order(), "a row stands at its Field's index");

}  // namespace

std::span<const FieldRow> fields() { return kRows; }

std::optional<Field> field_by_name(std::string_view name) {
  for (const FieldRow& row : kRows) {
    if (row.name == name) return row.field;
  }
  return std::nullopt;
}

}  // namespace vram
