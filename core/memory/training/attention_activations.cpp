#include "core/memory/training/attention_activations.h"

namespace vram {
namespace {

/// Scores in eager code (oracle section 2): the softmax's result, and what dropout or the cast to 16 bit adds.
Bytes scores(const ActivationRecipe& recipe, const AttentionShape& shape) {
  const Count elements = score_elements(recipe, shape.heads);
  const bool fp32_softmax = !shape.classic || recipe.casts_inputs();
  Bytes bytes = (fp32_softmax ? Count(4) : recipe.compute) * elements;
  if (recipe.attention_dropout) {
    bytes += (recipe.compute + 1) * elements;  // dropped weights and a mask of one byte each
  } else if (fp32_softmax && recipe.compute == Count(2)) {
    bytes += 2 * elements;  // 16-bit copy for the product with the values
  }
  if (shape.softcap) bytes += recipe.compute * elements;  // tanh
  return bytes;
}

Bytes eager(const ActivationRecipe& recipe, const AttentionShape& shape) {
  const Count tokens = recipe.tokens();
  const Count queries = shape.heads * shape.key_dim;
  const Count outputs = shape.heads * shape.value_dim;
  Bytes bytes = recipe.compute * tokens * (2 * queries + outputs) + scores(recipe, shape);
  if (shape.classic) {
    bytes += recipe.compute * tokens * outputs;
    if (shape.fused_qkv) bytes += recipe.compute;  // the scale, a tensor without dimensions
  } else if (recipe.batch == Count(1) && shape.kv_heads == Count(1) && shape.heads > Count(1)) {
    // One sequence and one key head: the expanded keys and values are views of stride 0.
    const Count views = recipe.casts_inputs() ? 1 : 2;
    bytes -= views * recipe.compute * tokens * (queries - shape.kv_heads * shape.key_dim);
  }
  return bytes;
}

Bytes fused(const ActivationRecipe& recipe, const AttentionShape& shape) {
  const bool sdpa = recipe.attention == AttentionKernel::sdpa;
  const Count tokens = recipe.tokens();
  const Count kv_heads = sdpa && recipe.expands_kv ? shape.heads : shape.kv_heads;
  const Count outputs = shape.heads * shape.value_dim;
  Count elements = tokens * (shape.heads * shape.key_dim + kv_heads * (shape.key_dim + shape.value_dim) + outputs);
  if (!sdpa) return recipe.compute * elements + 4 * recipe.batch * shape.heads * recipe.sequence;
  if (recipe.compute == Count(2) && recipe.copies_attention_output && !shape.classic) elements += tokens * outputs;
  // fp32 runs the memory-efficient kernel, whose log-sums are padded to 32 rows; 16: philox seed and offset.
  const Count rows = recipe.compute == Count(4) ? pad(recipe.sequence, 32) : recipe.sequence;
  return recipe.compute * elements + 4 * recipe.batch * shape.heads * rows + 16;
}

}  // namespace

Bytes attention_core_activations(const ActivationRecipe& recipe, const AttentionShape& shape) {
  return recipe.attention == AttentionKernel::eager ? eager(recipe, shape) : fused(recipe, shape);
}

}  // namespace vram
