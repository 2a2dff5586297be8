// What decides which tensors autograd keeps: dtypes, kernels, adapters. Filled once per estimate.
#pragma once

#include <cstdint>

#include "core/base/count.h"
#include "core/scenario/choices.h"

namespace vram {

/// Adapters beside frozen linear modules, as far as they change what is kept (F-8.4).
struct AdapterActivations {
  bool active = false;          ///< the base is frozen
  std::uint32_t targets = 0;    ///< mask over LoraTarget q..down
  Count rank;                   ///< 0: adapters without a low-rank product (LLaMA-Adapter)
  Count bytes = 4;              ///< of an adapter weight
  bool casts_inputs = false;    ///< each adapter converts its input to its own dtype (PEFT's fp32 adapters)
  bool scales_outputs = false;  ///< every linear's result is kept for its scale's gradient (LLaMA-Adapter V2)
  bool keeps_inputs = false;    ///< frozen quantised linears keep what they read (bitsandbytes before 0.44)
  bool fused_qkv = false;       ///< queries, keys and values come from one matrix with one adapter (LitGPT)
  bool dropout = false;         ///< each adapter drops its own copy of the input
};

/// Symbols of formulas.md in brackets.
struct ActivationRecipe {
  Count batch = 1;     ///< [b]
  Count sequence;      ///< [s]
  Count compute = 2;   ///< [e] bytes of an element in matrix products: 4 in fp32, else 2
  Count residual = 2;  ///< [er] bytes of an element of the residual stream: 4 in fp32 and under autocast
  bool autocast = false;
  bool fp32_weights = false;  ///< under autocast every linear then keeps a 16-bit copy of its weight
  AttentionKernel attention = AttentionKernel::sdpa;
  bool expands_kv = true;               ///< SDPA code repeats keys and values for every query head first
  bool copies_attention_output = true;  ///< SDPA code makes the transposed output contiguous (Hugging Face, 16 bit)
  bool fused_kernels = false;           ///< fused RMSNorm and SwiGLU (Liger, Transformer Engine, Unsloth)
  bool keeps_rotated = false;           ///< queries and keys are kept before and after their rotation (Megatron)
  bool scales_outputs = false;          ///< every linear's result is kept for its scale's gradient (LLaMA-Adapter V2)
  bool dropout = false;                 ///< on the blocks' outputs and the embedding
  bool attention_dropout = false;
  AdapterActivations adapters;
  Count tensor = 1;                ///< [t] tensor-parallel degree
  bool sequence_parallel = false;  ///< what tensor parallelism replicates is split along the sequence

  [[nodiscard]] constexpr Count tokens() const { return batch * sequence; }
  /// Tokens of tensors that tensor parallelism does not split.
  [[nodiscard]] constexpr Count replicated_tokens() const {
    return sequence_parallel ? ceil_div(tokens(), tensor) : tokens();
  }
  /// A split width's part on this GPU.
  [[nodiscard]] constexpr Count share(Count width) const { return ceil_div(width, tensor); }
  /// Autocast converts the fp32 residual stream once per linear that reads it.
  [[nodiscard]] constexpr bool casts_inputs() const { return autocast && residual == Count(4); }
  /// Autocast keeps a 16-bit copy of each base weight from forward to backward.
  [[nodiscard]] constexpr bool casts_weights() const { return autocast && fp32_weights; }
};

/// Bit of a target in AdapterActivations::targets.
constexpr std::uint32_t target_bit(LoraTarget target) { return 1U << static_cast<unsigned>(target); }

}  // namespace vram
