#include "core/memory/runtimes/llama_compute_buffer.h"

#include <variant>

namespace vram {
namespace {

/// fp32 elements per token of the attention part, residual stream and layer input (2 h) included; with flash attention.
struct FlashElements {
  Count hidden;

  // Queries and the output. GLM-4.5-Air at 131,072 cells, u = 4096: 6*cells*u + 4u(2h + 2*nh*hd) = 3,584 MiB as logged.
  // With an output gate also the joint projection of both and the gate: 5 (Qwen3.x-27B: 40 KiB per token beyond cells).
  Count operator()(const Attention& attention) const {
    return (attention.output_gate ? 5 : 2) * attention.heads * attention.head_dim;
  }
  // Absorbed queries, their rotated part, output and its copy; DeepSeek-V3 at u = 1024: 1,412 MiB per GPU logged.
  Count operator()(const LatentAttention& mla) const { return 4 * mla.heads * (mla.kv_rank + mla.rope_dim); }
  Count operator()(const GatedDeltaNet& net) const {
    return 3 * (2 * net.key_heads * net.key_dim + net.value_heads * net.value_dim);
  }
  Count operator()(const KimiDelta& net) const { return 9 * net.heads * net.head_dim; }
  Count operator()(const Mamba1& mamba) const { return 3 * mamba.inner; }
  Count operator()(const Mamba2& mamba) const { return 3 * (mamba.inner() + 2 * mamba.groups * mamba.state); }
  Count operator()(const ShortConv&) const { return 3 * hidden; }
  Count operator()(const LinearAttention& attention) const { return 4 * attention.heads * attention.head_dim; }
  Count operator()(const Rwkv&) const { return 6 * hidden; }
  Count operator()(std::monostate) const { return 0; }
};

struct FeedForwardElements {
  Count hidden;

  Count operator()(const Mlp& mlp) const { return (mlp.gated ? 3 : 2) * mlp.size; }
  // F-5.5: k rows of the experts' inner width twice and of the hidden width once.
  Count operator()(const Experts& experts) const {
    return max(experts.active * (hidden + 2 * experts.size), 3 * experts.shared_size);
  }
  Count operator()(std::monostate) const { return 0; }
};

Count score_heads(const Mixer& mixer) {
  if (const auto* attention = std::get_if<Attention>(&mixer)) return attention->heads;
  if (const auto* mla = std::get_if<LatentAttention>(&mixer)) return mla->heads;
  return 0;
}

/// Elements beside a matrix that was copied over, in a layer whose experts stay in system memory.
Count elements_beside_copy(const Layer& layer, Count hidden) {
  if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
    return 4 * hidden + 2 * experts->active * experts->size;
  }
  return 4 * hidden;
}

}  // namespace

ComputeBuffer llama_compute_buffer(const Model& model, LayerRange range, const ComputeBufferCase& use) {
  ComputeBuffer buffer;
  const Count hidden = model.hidden;
  const Bytes fp32 = 4 * use.ubatch;              // one element per token of the batch
  const Bytes mask = 2 * use.cells * use.ubatch;  // fp16; its fp32 source takes twice as much
  bool attends = false;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    if (!occurrences(model, range, kind)) continue;
    const Layer& layer = model.kinds[kind];
    const FlashElements elements{hidden};
    const Count heads = max(score_heads(layer.mixer), score_heads(layer.parallel_mixer));
    attends = attends || heads;
    Bytes mixer = fp32 * (2 * hidden + std::visit(elements, layer.mixer) + std::visit(elements, layer.parallel_mixer));
    if (heads && use.flash_attention) mixer += use.half_mask ? mask : 3 * mask;
    if (heads && use.flash_attention) mixer += use.unpacked_cache;
    // F-5.5 without flash attention: scores of every head, the mask, and 4 h of the layer.
    if (heads && !use.flash_attention) mixer = max(mixer, fp32 * (1 + 4 * hidden + use.cells * (1 + heads)));
    Bytes feed_forward = fp32 * (2 * hidden + std::visit(FeedForwardElements{hidden}, layer.feed_forward));
    if (heads) feed_forward += mask;
    buffer.layer = max(buffer.layer, max(mixer, feed_forward));
    if (use.copied_matrix && !use.copies_output) {
      // Qwen3-235B with experts on the CPU, mainline: 630 MiB of one expert tensor + 144 at 16,384 cells, 816 + 208 at
      // 32,768; masks count 8 B per cell and token there.
      buffer.layer = max(buffer.layer, use.copied_matrix + 4 * mask + fp32 * elements_beside_copy(layer, hidden));
    }
  }
  if (attends && use.flash_attention && !use.half_mask) buffer.masks = 3 * mask;
  const Bytes logits = (use.outputs ? 4 * min(use.outputs, use.ubatch) : fp32) * model.vocab + fp32 * hidden;
  if (use.output) {
    buffer.vocabulary = logits;
    buffer.every_output = fp32 * (model.vocab + hidden) - logits;
  }
  if (use.copied_matrix && use.copies_output) {
    // Qwen2.5-Coder-32B half offloaded, mainline: logits 307 + head 609 = 916 MiB.
    buffer.vocabulary = logits + use.copied_matrix;
  }
  if (use.pipelined) buffer.copies = 3 * ((attends ? 2 * mask : Count(0)) + fp32 * hidden);
  return buffer;
}

}  // namespace vram
