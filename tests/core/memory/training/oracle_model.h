// Models and recipes of the oracle records: what was run in PyTorch, in this project's words.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/memory/training/activation_recipe.h"
#include "core/memory/training/loss_head.h"
#include "core/model/model.h"
#include "core/model/tensors.h"

namespace vram::oracle {

inline Count count(const json::Value& config, const char* key) {
  const json::Value* value = config.find(key);
  return value == nullptr ? Count() : Count(value->integer());
}
inline std::string text(const json::Value& config, const char* key) {
  const json::Value* value = config.find(key);
  return value == nullptr ? std::string() : value->text();
}
inline bool flag(const json::Value& config, const char* key) {
  const json::Value* value = config.find(key);
  return value != nullptr && value->boolean();
}
inline bool positive(const json::Value& config, const char* key) {
  const json::Value* value = config.find(key);
  return value != nullptr && value->number() > 0;
}

inline Model model(const json::Value& config) {
  const std::string arch = text(config, "arch");
  const bool classic = arch == "gpt2" || arch == "bert";
  Model model;
  model.hidden = count(config, "h");
  model.vocab = count(config, "V");
  model.tied = flag(config, "tied") || classic || arch == "gemma";
  model.norm = classic ? NormKind::layer : NormKind::rms;
  model.post_norms = arch == "gemma";
  model.positions = classic ? 4096 : 0;
  model.final_norm = arch != "bert";
  model.embedding_norm = arch == "bert";
  model.token_types = arch == "bert" ? 2 : 0;
  model.final_softcap = positive(config, "final_softcap");

  Attention attention;
  attention.heads = count(config, "nh");
  attention.kv_heads = count(config, "nkv");
  attention.head_dim = attention.value_dim = count(config, "hd");
  attention.q_bias = attention.k_bias = attention.v_bias = classic || flag(config, "qkv_bias");
  attention.o_bias = classic;
  attention.fused_qkv = arch == "gpt2";
  attention.qk_norm = flag(config, "qk_norm") ? QkNorm::per_head : QkNorm::none;
  attention.causal = arch != "bert";
  attention.softcap = positive(config, "softcap");
  Layer layer;
  layer.mixer = attention;
  layer.norms = arch == "gemma" ? 4 : 2;
  if (arch == "mixtral") {
    Experts experts;
    experts.count = count(config, "experts");
    experts.active = count(config, "topk");
    experts.size = count(config, "ffn");
    layer.feed_forward = experts;
  } else {
    Mlp mlp{.size = count(config, "ffn"), .gated = !classic, .bias = classic};
    const std::string act = text(config, "act");
    mlp.activation = act == "gelu_new" ? Activation::gelu_new : act == "relu" ? Activation::relu : Activation::gelu;
    layer.feed_forward = mlp;
  }
  model.kinds = {layer};
  model.order.assign(static_cast<std::size_t>(count(config, "L").value()), 0);
  derive_tensors(model);
  return model;
}

inline std::uint32_t targets(const json::Value& lora) {
  static constexpr const char* kNames[] = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
  std::uint32_t mask = 0;
  for (const json::Value& target : lora.find("targets")->items()) {
    for (unsigned i = 0; i < 7; ++i) {
      if (target.text() == kNames[i]) mask |= 1U << i;
    }
  }
  return mask;
}

inline ActivationRecipe recipe(const json::Value& config) {
  const std::string dtype = text(config, "dtype");
  const std::string kernel = text(config, "attn");
  const bool classic = text(config, "arch") == "gpt2" || text(config, "arch") == "bert";
  ActivationRecipe recipe;
  recipe.batch = count(config, "b");
  recipe.sequence = count(config, "s");
  recipe.compute = dtype == "fp32" ? 4 : 2;
  recipe.residual = dtype == "bf16" ? 2 : 4;
  recipe.autocast = dtype == "amp" || flag(config, "autocast");
  recipe.fp32_weights = dtype == "amp";
  recipe.attention = kernel == "flash"  ? AttentionKernel::flash
                     : kernel == "sdpa" ? AttentionKernel::sdpa
                                        : AttentionKernel::eager;
  recipe.dropout = positive(config, "dropout");
  recipe.attention_dropout = positive(config, classic ? "dropout" : "attn_dropout");
  if (const json::Value* lora = config.find("lora")) {
    recipe.adapters.active = true;
    recipe.adapters.targets = targets(*lora);
    recipe.adapters.rank = count(*lora, "r");
    recipe.adapters.bytes = dtype != "bf16" || text(*lora, "dtype") == "fp32" ? 4 : 2;
    recipe.adapters.casts_inputs = flag(*lora, "peft_cast");
    recipe.adapters.dropout = positive(*lora, "dropout");
  }
  return recipe;
}

inline LossHead loss_head(const json::Value& config) {
  const std::string loss = text(config, "loss");
  if (loss == "ce_upcast_shift") return LossHead::upcast_shifted;
  if (loss == "ce_native") return LossHead::native;
  if (loss == "ce_chunked") return LossHead::chunked;
  if (loss == "ce_chunked_ckpt") return LossHead::chunked_checkpointed;
  if (loss == "fused_linear") return LossHead::fused_linear;
  return loss == "none" ? LossHead::none : LossHead::upcast;
}

}  // namespace vram::oracle
