#include "core/scenario/resolve_steps.h"
#include "core/scenario/runtime_table.h"

namespace vram::steps {
namespace {

constexpr Count kDefaultSequence = 2048;

constexpr std::uint32_t bit(LoraTarget target) { return 1U << static_cast<unsigned>(target); }
constexpr std::uint32_t kAttentionTargets =
    bit(LoraTarget::q) | bit(LoraTarget::k) | bit(LoraTarget::v) | bit(LoraTarget::o);
constexpr std::uint32_t kLinearTargets =
    kAttentionTargets | bit(LoraTarget::gate) | bit(LoraTarget::up) | bit(LoraTarget::down);

/// The words `attention` and `all_linear` stand for their members.
std::uint32_t expanded(std::uint64_t mask) {
  auto targets = static_cast<std::uint32_t>(mask);
  if ((targets & bit(LoraTarget::attention)) != 0) targets |= kAttentionTargets;
  if ((targets & bit(LoraTarget::all_linear)) != 0) targets |= kLinearTargets;
  return targets & ~(bit(LoraTarget::attention) | bit(LoraTarget::all_linear));
}

Count bytes_of_base(const WeightFormat& format) { return format.base == TensorType::f32 ? 4 : 2; }

bool is_encoder_only(const Model& model) { return model.kind == ModelKind::embedding; }

Loss default_loss(const Scenario& scenario) {
  if (is_encoder_only(*scenario.model)) return Loss::classification;
  switch (scenario.runtime) {
    case RuntimeId::torchtune:
    case RuntimeId::litgpt: return Loss::chunked;
    case RuntimeId::unsloth: return Loss::fused_linear;
    case RuntimeId::torchtitan: return Loss::full;
    default: return Loss::full_fp32;
  }
}

Sharding default_sharding(const Scenario& scenario) {
  if (scenario.parallel.data == Count(1)) return Sharding::none;
  switch (scenario.runtime) {
    case RuntimeId::torchtune:
    case RuntimeId::torchtitan:
    case RuntimeId::litgpt: return Sharding::fsdp;
    case RuntimeId::deepspeed: return Sharding::zero3;
    case RuntimeId::megatron: return Sharding::zero1;
    default: return Sharding::ddp;
  }
}

/// PEFT keeps adapters in fp32 on a 16-bit base; torchtune and LitGPT use the model's dtype (F-8.2).
AdapterDtype default_adapter_dtype(const Scenario& scenario, Precision precision) {
  if (precision == Precision::fp32) return AdapterDtype::fp32;
  const bool follows_base = scenario.runtime == RuntimeId::torchtune || scenario.runtime == RuntimeId::torchtitan ||
                            (scenario.runtime == RuntimeId::litgpt && precision == Precision::bf16);
  if (!follows_base) return AdapterDtype::fp32;
  return precision == Precision::fp16 || precision == Precision::amp_fp16 ? AdapterDtype::fp16 : AdapterDtype::bf16;
}

/// Element sizes of the recipe (F-6.1): what is computed, kept, trained and mastered in how many bytes.
void resolve_recipe(const Request& request, Scenario& scenario) {
  TrainingSettings& training = scenario.training;
  training.precision = request.choice(Field::precision, kDefaultPrecision);
  const Count base = bytes_of_base(scenario.weights);
  switch (training.precision) {
    case Precision::fp32:
      training.compute_bytes = 4;
      training.residual_bytes = 4;
      break;
    case Precision::amp_bf16:
    case Precision::amp_fp16:
    case Precision::fp8:
      training.compute_bytes = 2;
      training.residual_bytes = base;
      training.autocast = training.precision != Precision::fp8 || base == Count(4);
      break;
    default:
      training.compute_bytes = 2;
      training.residual_bytes = 2;
      break;
  }
  const bool master = training.precision == Precision::bf16_master || training.precision == Precision::fp16_master;
  training.weight_bytes = master ? Count(2) : base;
  if (is_adapter_training(scenario.task)) {
    const AdapterDtype dtype =
        request.choice(Field::adapter_dtype, default_adapter_dtype(scenario, training.precision));
    training.adapter_bytes = dtype == AdapterDtype::fp32 ? 4 : 2;
    training.weight_bytes = training.adapter_bytes;
  }
  training.master_bytes = master ? 4 : 0;
  switch (request.choice(Field::gradients, Gradients::same)) {
    case Gradients::same: training.gradient_bytes = training.weight_bytes; break;
    case Gradients::fp32: training.gradient_bytes = 4; break;
    case Gradients::bf16: training.gradient_bytes = 2; break;
  }
  training.optimizer_state = request.choice(Field::optimizer_state, OptimizerState::same);
  switch (training.optimizer_state) {
    case OptimizerState::same: training.state_bytes = master ? Count(4) : training.weight_bytes; break;
    case OptimizerState::fp32: training.state_bytes = 4; break;
    case OptimizerState::bf16: training.state_bytes = 2; break;
    case OptimizerState::int8: training.state_bytes = 1; break;
  }
}

std::optional<Error> check_experts(const Request& request, const Scenario& scenario) {
  const std::uint64_t experts = scenario.parallel.expert.value();
  if (experts > 1) {
    const std::uint64_t ranks = (scenario.parallel.data * scenario.parallel.tensor * scenario.parallel.context).value();
    if (ranks % experts != 0) {
      return conflict(Field::expert_parallel, text_of(request, Field::expert_parallel),
                      "a divisor of " + std::to_string(ranks) + " ranks");
    }
  }
  return std::nullopt;
}

/// PEFT and LitGPT leave what bitsandbytes does not quantise in fp32 (F-8.3); not under FSDP, and not beside fused kernels,
/// which work on 16-bit modules.
bool upcasts_by_default(const Scenario& scenario) {
  const TrainingSettings& training = scenario.training;
  switch (scenario.runtime) {
    case RuntimeId::axolotl:
    case RuntimeId::unsloth:
    case RuntimeId::torchtune:
    case RuntimeId::torchtitan:
    case RuntimeId::megatron:
    case RuntimeId::pytorch: return false;
    case RuntimeId::litgpt:
      if (!scenario.version.at_least(0, 3)) return false;  // its precision plugin kept the dtype then
      break;
    default: break;
  }
  return training.sharding != Sharding::fsdp && training.loss != Loss::fused && training.loss != Loss::fused_linear;
}

bool is_bitsandbytes(const WeightFormat& weights) {
  return weights.scheme == WeightScheme::bnb4 || weights.scheme == WeightScheme::bnb8;
}

void resolve_adapter(const Request& request, Scenario& scenario) {
  TrainingSettings& training = scenario.training;
  training.adapter = request.choice(Field::adapter, Adapter::lora);
  training.lora_rank = request.integer(Field::lora_rank, 16);
  training.lora_targets = expanded(request.integer(Field::lora_targets, bit(LoraTarget::all_linear)));
  training.trained_modules = static_cast<std::uint32_t>(request.integer(Field::trained_modules, 0));
}

/// One small adapter step beside the running model: rank 8, micro-batch 1, full checkpointing (api.md `development`).
void resolve_development(Scenario& scenario) {
  TrainingSettings& training = scenario.training;
  training.precision = Precision::amp_bf16;
  training.residual_bytes = bytes_of_base(scenario.weights);
  training.autocast = true;
  training.adapter_bytes = 4;
  training.weight_bytes = 4;
  training.gradient_bytes = 4;
  training.state_bytes = 4;
  training.checkpointing = Checkpointing::full;
  training.loss = default_loss(scenario);
  training.lora_rank = 8;
  training.lora_targets = kLinearTargets;
  training.batch = 1;
  training.sequence = min(scenario.inference.context, kDefaultSequence);
  training.kbit_upcast = is_bitsandbytes(scenario.weights);
}

}  // namespace

std::optional<Error> resolve_training(const Request& request, Scenario& scenario) {
  TrainingSettings& training = scenario.training;
  training = {};
  if (scenario.task == Task::development) {
    resolve_development(scenario);
    return std::nullopt;
  }
  if (!is_training(scenario.task)) return std::nullopt;

  const Model& model = *scenario.model;
  resolve_recipe(request, scenario);
  resolve_adapter(request, scenario);
  training.optimizer = request.choice(Field::optimizer, Optimizer::adamw);
  training.sharding = request.choice(Field::sharding, default_sharding(scenario));
  const bool zero = training.sharding == Sharding::zero1 || training.sharding == Sharding::zero2 ||
                    training.sharding == Sharding::zero3;  // DeepSpeed's engine brings its own fused Adam
  const bool fused_by_default = zero || scenario.runtime == RuntimeId::torchtitan ||
                                scenario.runtime == RuntimeId::torchtune || scenario.runtime == RuntimeId::megatron ||
                                scenario.runtime == RuntimeId::deepspeed;
  // Transformers had an AdamW of its own, a loop, before PyTorch's became the Trainer's default.
  const bool loops_by_default = scenario.runtime == RuntimeId::hf_trainer && !scenario.version.at_least(4, 30);
  OptimizerImplementation implementation = OptimizerImplementation::foreach;
  if (fused_by_default) implementation = OptimizerImplementation::fused;
  if (loops_by_default) implementation = OptimizerImplementation::loop;
  training.implementation = request.choice(Field::optimizer_implementation, implementation);
  training.checkpointing =
      request.choice(Field::checkpointing, scenario.task == Task::qlora ? Checkpointing::full : Checkpointing::none);
  training.attention = request.choice(Field::attention, AttentionKernel::sdpa);
  training.loss = request.choice(Field::loss, default_loss(scenario));
  training.checkpoint_every = request.integer(Field::checkpoint_every, 1);
  training.compile = request.flag(Field::compile);
  // ms-swift's recipes batch samples as they come.
  training.packing = request.flag(Field::packing, scenario.runtime != RuntimeId::ms_swift);
  training.evaluation_batch = request.integer(Field::eval_batch, 0);
  training.preference = request.choice(Field::preference, Preference::none);
  training.generations = request.integer(Field::generations, 8);
  training.accumulation = request.integer(Field::accumulation, 1);
  training.batch = request.integer(Field::batch, 1);
  const Count trained = model.context_max ? model.context_max : kDefaultSequence;
  const Count fallback = min(trained, is_encoder_only(model) ? Count(512) : kDefaultSequence);
  training.sequence = request.integer(Field::context, fallback.value());
  training.offload = request.choice(Field::offload, Offload::none);
  scenario.parallel.interleave = scenario.parallel.pipeline > Count(1) ? request.integer(Field::interleave, 1) : 1;
  training.kbit_upcast = is_adapter_training(scenario.task) && is_bitsandbytes(scenario.weights) &&
                         request.flag(Field::kbit_upcast, upcasts_by_default(scenario));
  scenario.dataset = scaled(1000000000, request.number(Field::dataset_gb, 0));
  return check_experts(request, scenario);
}

}  // namespace vram::steps
