// Logits and loss: usually the peak of fine-tuning with large vocabularies (F-7.9).
#pragma once

#include <cstdint>

#include "core/base/count.h"

namespace vram {

/// How a training loop turns hidden states into a loss.
enum class LossHead : std::uint8_t {
  none,                  ///< classification of sequences: a handful of logits
  upcast,                ///< logits in fp32, labels shifted
  upcast_shifted,        ///< logits in fp32, the logits themselves shifted and copied (transformers 4.46 to 4.48)
  native,                ///< cross-entropy on logits in the compute dtype
  native_shifted,        ///< the same on a shifted copy (GPT-2's own code before transformers 4.49)
  fused_kernel,          ///< a kernel that writes the gradient over fp32 logits
  fused_kernel_shifted,  ///< the same on a shifted copy (transformers 4.46 to 4.48)
  chunked,               ///< in chunks over materialised logits
  chunked_checkpointed,  ///< the same, each chunk under a checkpoint
  chunked_compiled,      ///< the same, compiled: nothing is upcast in memory (torchtune)
  compiled,              ///< torch.compile fuses the upcast into the loss (torchtitan, 21.2 R4)
  vocab_parallel,        ///< Megatron: softmax in place over fp32 logits
  vocab_parallel_fused,  ///< Transformer Engine's cross-entropy: the gradient over 16-bit logits
  fused_linear,          ///< head and loss fused chunk by chunk: logits never exist as a whole (Liger)
};

struct LossRecipe {
  LossHead head = LossHead::upcast;
  Count batch = 1, sequence;
  Count hidden, vocab;        ///< of this GPU's part of the head
  Count compute = 2;          ///< bytes of a logit as the head yields it
  bool autocast = false;      ///< CUDA autocast keeps 16-bit log-softmax and its fp32 cast
  bool holds_logits = false;  ///< the loop still holds the output during the backward pass
  bool softcap = false;       ///< tanh of the logits is kept (Gemma 2)
  bool trains_head = true;    ///< the head's weight gets a gradient
  Count chunks = 8;           ///< of `chunked`
};

/// Bytes on top of the layers' activations.
struct LossMemory {
  Bytes kept;      ///< from the loss's forward to its backward: log-softmax, labels
  Bytes forward;   ///< all alive while the log-softmax is computed
  Bytes backward;  ///< all alive while its gradient is computed
  Bytes blocks;    ///< of all sizes it goes through, which the default allocator caches side by side
  [[nodiscard]] constexpr Bytes peak() const { return max(forward, backward); }
};

/// F-7.9, in bytes per logit: upcast on 16-bit logits keeps 4, forward 10, backward 12 (14 with the logits held).
LossMemory loss_memory(const LossRecipe& recipe);

/// Rows of logits that Liger's fused kernel works on at a time: npow2(ceil(T / ceil(V / h))). F-7.9; 8,192 tokens,
/// V 128,256, h 4,096: 256.
Count liger_chunk_rows(Count tokens, Count vocab, Count hidden);

}  // namespace vram
