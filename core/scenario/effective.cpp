// What a field comes to for a resolved job: shown in controls the visitor has not touched.
#include <array>

#include "core/base/json.h"
#include "core/scenario/resolve_steps.h"
#include "core/scenario/runtime_table.h"

namespace vram {
namespace {

bool is_image_model(const Model& model) {
  return model.kind == ModelKind::vision || model.kind == ModelKind::diffusion;
}

std::string number(Count count) { return std::to_string(count.value()); }
std::string number(double value) { return json::write(json::Value(value)); }
std::string flag(bool value) { return value ? "true" : "false"; }

template <std::size_t N, class E>
std::string word(const std::array<std::string_view, N>& names, E value) {
  return std::string(name_in(names, value));
}

template <std::size_t N>
std::string words(const std::array<std::string_view, N>& names, std::uint32_t mask) {
  std::string out;
  for (std::size_t i = 0; i < N; ++i) {
    if ((mask >> i & 1U) == 0) continue;
    if (!out.empty()) out += ',';
    out += names[i];
  }
  return out;
}

std::string of_machine(const Scenario& scenario, Field field) {
  const GpuSlot& first = scenario.gpus.front();
  switch (field) {
    case Field::gpu: return first.gpu->id;
    case Field::gpu_count: return std::to_string(scenario.gpus.size());
    case Field::os: return word(kOsNames, scenario.os);
    case Field::display: return word(kDisplayNames, scenario.display);
    case Field::mains: return word(kMainsNames, scenario.mains);
    case Field::checkpoints_kept: return number(scenario.checkpoints_kept);
    case Field::margin_percent:
      return number(static_cast<double>(mul_div(first.margin, 1000, first.usable).value()) / 10);
    case Field::tensor_parallel: return number(scenario.parallel.tensor);
    case Field::sequence_parallel: return flag(scenario.parallel.sequence);
    case Field::pipeline_parallel: return number(scenario.parallel.pipeline);
    case Field::interleave: return number(scenario.parallel.interleave);
    case Field::context_parallel: return number(scenario.parallel.context);
    case Field::expert_parallel: return number(scenario.parallel.expert);
    case Field::data_parallel: return number(scenario.parallel.data);
    default: return {};
  }
}

std::string of_inference(const Scenario& scenario, Field field) {
  const InferenceSettings& settings = scenario.inference;
  switch (field) {
    case Field::context_average: return number(settings.context_average);
    case Field::users: return number(settings.users_today);
    case Field::growth_percent: return number(scenario.growth_percent);
    case Field::growth_months: return number(scenario.growth_months);
    case Field::kv_cache: return word(kCacheTypeNames, settings.cache_k);
    case Field::kv_cache_v: return word(kCacheTypeNames, settings.cache_v);
    case Field::ubatch: return number(settings.ubatch);
    case Field::prefill_tokens: return number(settings.prefill_tokens);
    case Field::max_sequences: return number(settings.max_sequences);
    case Field::cuda_graphs: return flag(settings.cuda_graphs);
    case Field::gpu_layers:
      return settings.output_on_gpu && settings.gpu_layers == Count(scenario.model->layer_count())
                 ? "all"
                 : number(settings.gpu_layers);
    case Field::cpu_experts: return flag(settings.cpu_experts);
    case Field::memory_fraction: return number(settings.memory_fraction);
    case Field::prefix_share_percent: return number(settings.prefix_share * 100);
    default: return {};
  }
}

std::string of_images(const Scenario& scenario, Field field) {
  const VisionSettings& settings = scenario.vision;
  switch (field) {
    case Field::image_height: return number(settings.image_height);
    case Field::image_width: return number(settings.image_width);
    case Field::frames: return number(settings.frames);
    case Field::classes: return number(settings.classes);
    case Field::text_encoder: return word(kTextEncoderNames, settings.text_encoder);
    case Field::vae_tiling: return flag(settings.vae_tiling);
    case Field::component_offload: return word(kComponentOffloadNames, settings.offload);
    case Field::encoder_weights: return name_of(settings.encoder_weights);
    case Field::cached_latents: return flag(settings.cached_latents);
    case Field::text_tokens: return number(settings.text_tokens);
    default: return {};
  }
}

std::string of_training(const Scenario& scenario, Field field) {
  const TrainingSettings& training = scenario.training;
  switch (field) {
    case Field::precision: return word(kPrecisionNames, training.precision);
    case Field::optimizer: return word(kOptimizerNames, training.optimizer);
    case Field::optimizer_implementation: return word(kOptimizerImplementationNames, training.implementation);
    case Field::optimizer_state: return word(kOptimizerStateNames, training.optimizer_state);
    case Field::gradients: return "same";
    case Field::checkpointing: return word(kCheckpointingNames, training.checkpointing);
    case Field::checkpoint_every: return number(training.checkpoint_every);
    case Field::packing: return flag(training.packing);
    case Field::eval_batch: return number(training.evaluation_batch);
    case Field::preference: return word(kPreferenceNames, training.preference);
    case Field::generations: return number(training.generations);
    case Field::kbit_upcast: return flag(training.kbit_upcast);
    case Field::loss: return word(kLossNames, training.loss);
    case Field::compile: return flag(training.compile);
    case Field::accumulation: return number(training.accumulation);
    case Field::adapter: return word(kAdapterNames, training.adapter);
    case Field::lora_rank: return number(training.lora_rank);
    case Field::lora_targets: return words(kLoraTargetNames, training.lora_targets);
    case Field::adapter_dtype:
      return word(kAdapterDtypeNames, training.adapter_bytes == Count(4) ? AdapterDtype::fp32 : AdapterDtype::bf16);
    case Field::trained_modules: return words(kTrainedModuleNames, training.trained_modules);
    case Field::sharding: return word(kShardingNames, training.sharding);
    case Field::offload: return word(kOffloadNames, training.offload);
    default: return {};
  }
}

}  // namespace

std::string effective_text(const Request& request, const Scenario& scenario, Field field) {
  if (request.has(field)) return text_of(request, field);
  const bool training = is_training(scenario.task);
  switch (field) {
    case Field::task: return word(kTaskNames, scenario.task);
    case Field::model: return scenario.model->id;
    case Field::parameters_b: return number(scenario.model->parameters.as_double() / 1e9);
    case Field::framework: return word(kRuntimeNames, scenario.runtime);
    case Field::weights: return name_of(scenario.weights);
    case Field::context: return number(training ? scenario.training.sequence : scenario.inference.context);
    case Field::batch: return number(training ? scenario.training.batch : scenario.inference.sequences);
    case Field::attention:
      return word(kAttentionNames, training ? scenario.training.attention : scenario.inference.attention);
    case Field::calibration: return number(scenario.calibration);
    case Field::dataset_gb: return number(scenario.dataset.as_double() / 1e9);
    default: break;
  }
  switch (row_of(field).section) {
    case FieldSection::machine:
    case FieldSection::parallel:
      if (field != Field::sharding) return of_machine(scenario, field);
      return of_training(scenario, field);
    case FieldSection::training:
    case FieldSection::adapter: return of_training(scenario, field);
    case FieldSection::vision: return of_images(scenario, field);
    default: return of_inference(scenario, field);
  }
}

namespace {

/// Fields that only another choice gives a meaning.
bool has_meaning(Field field, const Scenario& scenario) {
  const TrainingSettings& training = scenario.training;
  const bool language = !is_image_model(*scenario.model);
  switch (field) {
    case Field::preference:
    case Field::packing:
    case Field::eval_batch: return language;
    case Field::generations: return training.preference == Preference::grpo;
    case Field::checkpoint_every: return language && training.checkpointing != Checkpointing::none;
    case Field::interleave: return scenario.parallel.pipeline > Count(1);
    case Field::kbit_upcast:
      return scenario.weights.scheme == WeightScheme::bnb4 || scenario.weights.scheme == WeightScheme::bnb8;
    default: return true;
  }
}

}  // namespace

bool applies(const FieldRow& row, const Scenario& scenario) {
  if (!has_meaning(row.field, scenario)) return false;
  const bool training = is_training(scenario.task);
  const bool image = is_image_model(*scenario.model);
  switch (row.applies) {
    case Applies::always: return row.field != Field::batch || scenario.task != Task::serving;
    case Applies::language: return !image;
    case Applies::running: return !training && !image;
    case Applies::serving: return scenario.task == Task::serving;
    case Applies::paged: return !training && runtime_row(scenario.runtime).preallocates;
    case Applies::llama_cpp: return !training && scenario.rules == RuntimeId::llama_cpp;
    case Applies::training: return training;
    case Applies::adapters: return is_adapter_training(scenario.task);
    case Applies::several_gpus: return scenario.gpus.size() > 1;
    case Applies::vision: return image;
    case Applies::diffusion: return scenario.model->kind == ModelKind::diffusion;
    case Applies::no_model: return scenario.model->id == kGenericModelId;
  }
  return true;
}

namespace steps {

void warn_of_unused_fields(const Request& request, Scenario& scenario) {
  for (const FieldRow& row : fields()) {
    if (!request.has(row.field)) continue;
    if (!applies(row, scenario)) scenario.warnings.push_back({"field_unused", row.name, {}});
  }
  if (scenario.rules != scenario.runtime && scenario.runtime != RuntimeId::ollama &&
      scenario.runtime != RuntimeId::lm_studio) {
    scenario.warnings.push_back({"nearest_runtime",
                                 "framework",
                                 {{"framework", std::string(name_in(kRuntimeNames, scenario.runtime))},
                                  {"rules", std::string(name_in(kRuntimeNames, scenario.rules))}}});
  }
  // A count that equals the published total to the last parameter confirms itself.
  if (scenario.model->unverified && scenario.model->published_parameters != scenario.model->parameters) {
    scenario.warnings.push_back({"model_unverified", "model", {{"model", scenario.model->name}}});
  }
  for (const GpuSlot& slot : scenario.gpus) {
    if (!slot.gpu->usable_derived) continue;
    scenario.warnings.push_back({"usable_derived", "gpu", {{"gpu", slot.gpu->name}}});
    break;
  }
}

}  // namespace steps
}  // namespace vram
