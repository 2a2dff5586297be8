// Training jobs put together by hand: exact constants, so that what the formulas say is what the ledger says.
#pragma once

#include <memory>
#include <string_view>

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/model/stored_weights.h"
#include "core/model/tensors.h"
#include "core/scenario/scenario.h"

namespace vram::training_test {

struct Sizes {
  Count hidden, layers, heads, kv_heads, head_dim, ffn, vocab;
  bool tied = false;
};
inline constexpr Sizes kLlama2_7b = {4096, 32, 32, 32, 128, 11008, 32000};
inline constexpr Sizes kLlama31_8b = {4096, 32, 32, 8, 128, 14336, 128256};
inline constexpr Sizes kLlama31_70b = {8192, 80, 64, 8, 128, 28672, 128256};
inline constexpr Sizes kLlama32_1b = {2048, 16, 32, 8, 64, 8192, 128256, true};
inline constexpr Sizes kLlama32_3b = {3072, 28, 24, 8, 128, 8192, 128256, true};
inline constexpr Sizes kMistral_7b = {4096, 32, 32, 8, 128, 14336, 32000};
inline constexpr Sizes kQwen25_3b = {2048, 36, 16, 2, 128, 11008, 151936, true};

inline Model llama(const Sizes& sizes) {
  Model model;
  model.hidden = sizes.hidden;
  model.vocab = sizes.vocab;
  model.tied = sizes.tied;
  Attention attention;
  attention.heads = sizes.heads;
  attention.kv_heads = sizes.kv_heads;
  attention.head_dim = attention.value_dim = sizes.head_dim;
  Mlp mlp;
  mlp.size = sizes.ffn;
  Layer layer;
  layer.mixer = attention;
  layer.feed_forward = mlp;
  model.kinds = {layer};
  model.order.assign(static_cast<std::size_t>(sizes.layers.value()), 0);
  derive_tensors(model);
  return model;
}

/// A model of nothing but that many parameters: for rules that only count them.
inline Model mere_parameters(Count parameters) {
  Model model;
  model.has_output = model.final_norm = false;
  model.norm = NormKind::none;
  model.extra_parameters = parameters;
  derive_tensors(model);
  return model;
}

/// Constants without bands and without anything measured.
inline std::shared_ptr<const ResolvedConstants> plain_constants() {
  auto constants = std::make_shared<ResolvedConstants>();
  constants->sources.fill("");
  for (const Constant one : {Constant::activation_training, Constant::compile_activations, Constant::logits_training}) {
    constants->factors[static_cast<std::size_t>(one)] = {1, 1, 1};
  }
  return constants;
}

/// Full training of `model` on `gpus` equal cards, stored in `weights`; settings are the caller's to change.
inline Scenario job(Model model, std::string_view weights = "bf16", std::uint32_t gpus = 1) {
  Scenario scenario;
  scenario.weights = *parse_weight_format(weights);
  scenario.stored = std::make_shared<const StoredWeights>(store(model, scenario.weights, quantiser_context(model)));
  scenario.model = std::make_shared<const Model>(std::move(model));
  scenario.task = Task::full;
  scenario.runtime = scenario.rules = RuntimeId::pytorch;
  const Count bytes = scenario.weights.base == TensorType::f32 ? 4 : 2;
  TrainingSettings& training = scenario.training;
  training.precision = bytes == Count(4) ? Precision::fp32 : Precision::bf16;
  training.weight_bytes = training.gradient_bytes = training.state_bytes = bytes;
  training.compute_bytes = training.residual_bytes = bytes;
  training.sequence = 512;
  GpuSlot slot;
  slot.gpu = std::make_shared<const Gpu>();
  slot.constants = plain_constants();
  scenario.gpus.assign(gpus, slot);
  scenario.parallel.data = gpus;
  return scenario;
}

/// 16-bit weights and gradients beside an fp32 master and fp32 states.
inline void use_masters(Scenario& scenario) {
  scenario.training.precision = Precision::bf16_master;
  scenario.training.master_bytes = scenario.training.state_bytes = 4;
}

inline Bytes sum(const DeviceLedger& device, std::initializer_list<std::string_view> ids) {
  Bytes bytes;
  for (const Item& item : device.items) {
    for (const std::string_view id : ids) {
      if (id == item.id) bytes += item.bytes.expected;
    }
  }
  return bytes;
}

/// Weights, gradients, masters and states: what the recipes of F-6.1 count.
inline Bytes states_of(const DeviceLedger& device) {
  return sum(device, {"weights.trained", "gradients", "gradients.rest", "master_weights", "optimizer.states"});
}

}  // namespace vram::training_test
