#include "core/memory/training/loss_head.h"

namespace vram {
namespace {

/// Bytes per logit; `held` of them are the output that a loop may hold during the backward pass.
struct PerLogit {
  Count kept, forward, backward, held;
};

PerLogit per_logit(const LossRecipe& recipe) {
  const bool half = recipe.compute == Count(2);
  const bool several = recipe.batch > Count(1);
  switch (recipe.head) {
    case LossHead::upcast: return half ? PerLogit{4, 10, 12, 2} : PerLogit{4, 8, 12, 4};
    case LossHead::upcast_shifted:
      // One sequence: the shifted logits are a view.
      if (half) return {4, several ? 14 : 10, 12, 2};
      return {4, several ? 12 : 8, 12, 4};
    case LossHead::native:
      if (!half) return {4, 8, 12, 4};
      return recipe.autocast ? PerLogit{6, 8, 10, 2} : PerLogit{2, 4, 6, 2};
    case LossHead::native_shifted:
      // The copy, and under autocast its fp32 cast, beside the logits; gradients of both. Santacoder, A100: 8 and 14.
      if (!half) return {4, several ? 12 : 8, 12, 4};
      return recipe.autocast ? PerLogit{6, 12, 14, 2} : PerLogit{2, several ? 6 : 4, several ? 8 : 6, 2};
    case LossHead::fused_kernel: return {0, 8, 8, 0};
    case LossHead::fused_kernel_shifted: return several ? PerLogit{0, 10, 10, 0} : PerLogit{0, 8, 8, 0};
    case LossHead::chunked: return half ? PerLogit{4, 6, 6, 2} : PerLogit{4, 8, 8, 4};
    case LossHead::chunked_checkpointed: return half ? PerLogit{2, 2, 4, 0} : PerLogit{4, 4, 8, 0};
    case LossHead::chunked_compiled: return {recipe.compute, recipe.compute, recipe.compute, 0};
    case LossHead::compiled: return {2, 5, 5, 0};
    case LossHead::vocab_parallel: return {4, 10, 10, 0};
    case LossHead::vocab_parallel_fused: return {recipe.compute, recipe.compute, recipe.compute, 0};
    case LossHead::none:
    case LossHead::fused_linear: break;
  }
  return {};
}

/// Bytes per logit of one chunk at a time.
PerLogit per_chunk_logit(LossHead head) {
  if (head == LossHead::chunked) return {0, 4, 0, 0};
  if (head == LossHead::chunked_checkpointed) return {0, 8, 12, 0};
  return {};
}

/// Bytes per logit of every block that Hugging Face's loss asks for: 16-bit logits, their fp32 copy, the shifted copy and a
/// gradient in fp32. Each has a size of its own class, and none serves another's request while both are alive in a step.
constexpr Count kUpcastBlocks = 14;

/// The number of pieces torch.chunk cuts `tokens` into.
Count pieces(Count tokens, Count chunks) { return ceil_div(tokens, ceil_div(tokens, chunks)); }

/// Both gradients exist before the backward pass: of the hidden states and, if trained, of the head.
LossMemory fused_linear(const LossRecipe& recipe) {
  const Count tokens = recipe.batch * recipe.sequence;
  Bytes kept = recipe.compute * tokens * recipe.hidden;
  if (recipe.trains_head) kept += recipe.compute * recipe.vocab * recipe.hidden;
  const Bytes chunk = recipe.compute * liger_chunk_rows(tokens, recipe.vocab, recipe.hidden) * recipe.vocab;
  return {kept, kept + chunk + 4 * tokens, kept, kept + chunk + 4 * tokens};
}

/// Labels and the sum of weights, beside the log-softmax.
Bytes kept_by_labels(const LossRecipe& recipe) {
  const Count tokens = recipe.batch * recipe.sequence;
  switch (recipe.head) {
    case LossHead::upcast_shifted:
      return 8 * (recipe.batch > Count(1) ? recipe.batch * (recipe.sequence - 1) : recipe.sequence) + 4;
    case LossHead::native: return 8 * tokens + (recipe.compute == Count(2) && !recipe.autocast ? 2 : 4);
    case LossHead::chunked: return 8 * tokens + 4 * pieces(tokens, recipe.chunks);
    case LossHead::chunked_compiled:
    case LossHead::chunked_checkpointed: return 8 * tokens;
    case LossHead::none:
    case LossHead::fused_linear:
    case LossHead::fused_kernel:
    case LossHead::fused_kernel_shifted: return {};
    default: return 8 * tokens + 4;
  }
}

}  // namespace

Count liger_chunk_rows(Count tokens, Count vocab, Count hidden) {
  return next_power_of_two(ceil_div(tokens, ceil_div(vocab, hidden)));
}

LossMemory loss_memory(const LossRecipe& recipe) {
  if (recipe.head == LossHead::none) return {};
  if (recipe.head == LossHead::fused_linear) return fused_linear(recipe);
  const PerLogit factor = per_logit(recipe);
  const PerLogit chunk = per_chunk_logit(recipe.head);
  const Count rows = recipe.batch * recipe.sequence;
  const Count kept_rows = recipe.head == LossHead::upcast_shifted ? recipe.batch * (recipe.sequence - 1) : rows;
  const Bytes tanh = recipe.softcap ? recipe.compute * rows * recipe.vocab : Bytes();
  const Bytes labels = kept_by_labels(recipe) + tanh;
  const Count held = recipe.holds_logits ? factor.held : Count();
  const Count chunk_rows = ceil_div(rows, recipe.chunks);
  LossMemory loss{kept_rows * recipe.vocab * factor.kept + labels,
                  (rows * factor.forward + chunk_rows * chunk.forward) * recipe.vocab + labels,
                  (rows * (factor.backward + held) + chunk_rows * chunk.backward) * recipe.vocab + labels,
                  {}};
  // torchtune runs the head chunk by chunk: the gradient of its weight so far and the next chunk's.
  if (recipe.head == LossHead::chunked_compiled && recipe.trains_head) {
    loss.backward += 2 * recipe.compute * recipe.vocab * recipe.hidden;
  }
  loss.blocks = loss.peak();
  const bool upcasts = recipe.head == LossHead::upcast || recipe.head == LossHead::upcast_shifted ||
                       recipe.head == LossHead::fused_kernel || recipe.head == LossHead::fused_kernel_shifted;
  if (upcasts && recipe.batch > Count(1)) loss.blocks = max(loss.blocks, rows * recipe.vocab * kUpcastBlocks);
  return loss;
}

}  // namespace vram
