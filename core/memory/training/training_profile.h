// What one training framework does differently; runtimes/*.cpp fill it, the rules of a step read it.
#pragma once

#include <array>

#include "core/base/count.h"
#include "core/memory/training/loss_head.h"
#include "core/scenario/choices.h"

namespace vram {

struct TrainingProfile {
  /// How each value of the request's `loss` is carried out, in Loss order.
  std::array<LossHead, kLossNames.size()> losses = {LossHead::upcast,  LossHead::native,       LossHead::fused_kernel,
                                                    LossHead::chunked, LossHead::fused_linear, LossHead::none};
  bool holds_logits = false;            ///< the loop keeps the output while it runs backward
  bool expands_kv = true;               ///< SDPA code repeats keys and values (ActivationRecipe)
  bool copies_attention_output = true;  ///< and copies its transposed output
  bool fused_kernels = false;           ///< fused RMSNorm and SwiGLU
  bool keeps_rotated = false;           ///< queries and keys are kept before and after their rotation (Megatron)
  bool default_dropout = false;         ///< trains GPT-2 and BERT with the dropout of their published configurations
  bool casts_adapter_inputs = false;    ///< PEFT: each adapter converts its input to its own dtype
  bool fuses_adapters = false;          ///< one adapter on a fused matrix of queries, keys and values (LitGPT)
  bool adapter_dropout = false;         ///< by the recipes' defaults
  bool keeps_frozen_inputs = false;     ///< bitsandbytes before 0.44: 4-bit linears keep their inputs
  bool op_checkpointing = true;         ///< `selective` is torchtitan's per-operation policy; else attention only
  bool offloads_checkpoints = false;    ///< full checkpointing keeps layer inputs in system memory (Unsloth)
  bool keeps_frozen_gathered = false;   ///< frozen parameters under FSDP are not sharded again after use (LitGPT)
  bool retains_frozen_inputs = false;   ///< FSDP1: gradients of layer inputs live until the end of the backward pass
  bool upcasts_sharded = false;         ///< FSDP under mixed precision stores trained parameters in fp32 (Accelerate)
  bool copies_trained_modules = true;   ///< trained embeddings beside adapters are copies (PEFT)
  bool ddp_bucket_views = false;        ///< gradients are views of DDP's buckets
  bool main_gradients = false;          ///< 16-bit gradients exist for one matrix at a time (Megatron)
  bool steps_in_backward = false;       ///< each parameter is stepped, and its gradient freed, as soon as it has one
  bool k_bit_computes_in_fp32 = false;  ///< after the k-bit preparation activations are fp32 without autocast (LitGPT)
  bool reduces_in_fp32 = false;         ///< FSDP2's mixed precision reduces gradients in fp32 (torchtitan)
  bool caches_rotary = false;           ///< cosines and sines of every position in fp32 (torchtune)
  bool expandable_segments = false;     ///< the framework sets the allocator so: no size classes, little stays cached
  bool torch_1 = false;
};

}  // namespace vram
