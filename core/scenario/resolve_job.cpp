#include "core/format/storage_format.h"
#include "core/model/file_weights.h"
#include "core/scenario/resolve_steps.h"
#include "core/scenario/runtime_table.h"

namespace vram::steps {
namespace {

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

/// `architecture` alone, or laid over the catalogue's model.
Result<std::shared_ptr<const Model>> custom_model(const json::Value& architecture, const Model* base) {
  json::Value merged = architecture;
  if (base != nullptr) {
    merged = write_model(*base);
    for (const json::Member& member : architecture.members()) merged.replace(member.key, member.value);
  }
  const auto library = base == nullptr ? nullptr : vision::library_of(base->program.get(), base->pipeline.get());
  auto model = read_model(merged, "architecture", false, library);
  if (!model) return model.error();
  return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(*model)));
}

Result<std::shared_ptr<const Model>> find_model(const Request& request, const Facts& facts) {
  std::shared_ptr<const Model> model;
  if (request.has(Field::model)) {
    const std::string_view name = request.text(Field::model);
    model = facts.models.find(name);
    if (!model) {
      std::string similar = joined(facts.models.similar(name, 5));
      if (similar.empty()) similar = "an id of the catalogue";
      return Error{ErrorCode::unknown_id, "model", std::string(name.substr(0, 60)), std::move(similar), 0};
    }
  }
  if (const FieldValue* architecture = request.find(Field::architecture)) {
    return custom_model(std::get<json::Value>(*architecture), model.get());
  }
  if (model) return model;
  if (request.has(Field::parameters_b)) {
    const Count parameters = scaled(1000000000, request.number(Field::parameters_b));
    auto generic = std::make_shared<Model>(generic_model(parameters));
    generic->id = kGenericModelId;
    return std::shared_ptr<const Model>(std::move(generic));
  }
  return Error{ErrorCode::missing_field, "model", "", "model, architecture or parameters_b", 0};
}

/// api.md: fp32 under autocast, 16-bit otherwise; adapters train on a 16-bit base, QLoRA on NF4.
WeightFormat default_weights(const Request& request, Task task, bool gguf_runtime) {
  if (gguf_runtime) return *parse_weight_format("q4_k_m");
  if (task == Task::qlora) return *parse_weight_format("nf4");
  if (is_training(task) && !is_adapter_training(task)) {
    switch (request.choice(Field::precision, kDefaultPrecision)) {
      case Precision::fp32:
      case Precision::amp_bf16:
      case Precision::amp_fp16: return *parse_weight_format("fp32");
      case Precision::fp16:
      case Precision::fp16_master: return *parse_weight_format("fp16");
      default: break;
    }
  }
  return *parse_weight_format("bf16");
}

/// llama.cpp stores 16-bit and MXFP4 models as GGUF too: norms in fp32, matrices in the asked type.
WeightFormat as_gguf(const WeightFormat& format) {
  if (format.scheme == WeightScheme::mxfp4) return *parse_weight_format("mxfp4_moe");
  if (format.base == TensorType::f32) return *parse_weight_format("gguf_f32");
  return *parse_weight_format(format.base == TensorType::f16 ? "gguf_f16" : "gguf_bf16");
}

bool is_sixteen_or_more(const WeightFormat& format) {
  return format.scheme == WeightScheme::plain &&
         (format.base == TensorType::f32 || format.base == TensorType::f16 || format.base == TensorType::bf16);
}

std::optional<Error> check_runtime(const Request& request, const Scenario& scenario) {
  const RuntimeRow& runtime = runtime_row(scenario.runtime);
  const std::string name(name_in(kRuntimeNames, scenario.runtime));
  const std::string task(name_in(kTaskNames, scenario.task));
  const bool able = is_training(scenario.task)       ? runtime.trains
                    : scenario.task == Task::serving ? runtime.serves
                                                     : runtime.runs;
  if (!able) return conflict(Field::framework, name, "task=" + task);
  const bool image_model = scenario.model->kind == ModelKind::vision || scenario.model->kind == ModelKind::diffusion;
  if (image_model != runtime.vision && scenario.runtime != RuntimeId::pytorch) {
    return conflict(Field::framework, name, "model=" + scenario.model->id);
  }
  const bool gguf = scenario.weights.scheme == WeightScheme::gguf;
  const bool exl = scenario.weights.scheme == WeightScheme::exl;
  if (gguf != runtime.gguf || exl != (scenario.runtime == RuntimeId::exllama && exl)) {
    return conflict(Field::weights, std::string(request.text(Field::weights, name_of(scenario.weights))),
                    "framework=" + name);
  }
  return std::nullopt;
}

std::optional<Error> check_weights(const Scenario& scenario) {
  const std::string weights = name_of(scenario.weights);
  const std::string task(name_in(kTaskNames, scenario.task));
  if (scenario.task == Task::full || scenario.task == Task::pretrain) {
    if (!is_sixteen_or_more(scenario.weights))
      return conflict(Field::weights, weights, "task=" + task + ": fp32, bf16 or fp16");
  }
  if (scenario.task == Task::qlora && is_sixteen_or_more(scenario.weights)) {
    return conflict(Field::weights, weights, "task=qlora: a quantised base such as nf4, or task=lora");
  }
  return std::nullopt;
}

/// What the model's own file stores as long as it is asked for in the file's format, else what the format's rules give.
std::shared_ptr<const StoredWeights> stored_weights(const Scenario& scenario, const QuantiserContext& context) {
  if (const auto& file = scenario.model->file_weights; file && file->format == name_of(scenario.weights)) {
    return {file, &file->stored};
  }
  return std::make_shared<StoredWeights>(store(*scenario.model, scenario.weights, context));
}

}  // namespace

std::optional<Error> resolve_job(const Request& request, const Facts& facts, Scenario& scenario) {
  auto model = find_model(request, facts);
  if (!model) return model.error();
  scenario.model = std::move(*model);
  scenario.task = request.choice(Field::task, Task::inference);
  scenario.calibration = request.number(Field::calibration, 1);
  scenario.version = parse_version(request.text(Field::framework_version));

  std::optional<WeightFormat> weights;
  if (request.has(Field::weights)) weights = parse_weight_format(request.text(Field::weights));
  const bool gguf_weights = weights && weights->scheme == WeightScheme::gguf;
  const RuntimeId fallback = weights && weights->scheme == WeightScheme::exl
                                 ? RuntimeId::exllama
                                 : default_runtime(scenario.task, *scenario.model, gguf_weights);
  scenario.runtime = request.choice(Field::framework, fallback);
  const RuntimeRow& runtime = runtime_row(scenario.runtime);
  scenario.rules = is_training(scenario.task) ? runtime.train_rules : runtime.run_rules;

  scenario.weights = weights ? *weights : default_weights(request, scenario.task, runtime.gguf);
  if (runtime.gguf && (is_sixteen_or_more(scenario.weights) || scenario.weights.scheme == WeightScheme::mxfp4)) {
    scenario.weights = as_gguf(scenario.weights);
  }
  if (auto error = check_weights(scenario)) return error;
  if (auto error = check_runtime(request, scenario)) return error;

  if (auto error = resolve_images(request, scenario)) return error;
  QuantiserContext context = quantiser_context(*scenario.model);
  // Transformers 5 fused the experts into 3-D parameters, which bitsandbytes does not touch; before, each was a linear layer.
  const bool transformers_version =
      scenario.runtime == RuntimeId::transformers || scenario.runtime == RuntimeId::hf_trainer;
  context.fused_experts_are_linear = transformers_version && !scenario.version.at_least(5);
  scenario.stored = stored_weights(scenario, context);
  return std::nullopt;
}

}  // namespace vram::steps
