// Tensors of the encoders beside a language model (formulas.md section 2: ViT, CLIP, SigLIP, Qwen-VL vision).
#include "core/model/layer_tensors.h"
#include "core/model/tensors.h"

namespace vram {
namespace {

using enum TensorRole;

Count elements_from(const std::vector<Tensor>& tensors, std::size_t first) {
  Count sum;
  for (std::size_t i = first; i < tensors.size(); ++i) sum += tensors[i].elements();
  return sum;
}

void append_stem(const Tower& t, TensorList& out) {
  out.matrix(vision, t.hidden, t.channels * t.frames * t.patch * t.patch);
  if (t.patch && t.patch_bias) out.vector(vision_small, t.hidden);
  if (t.mel_bins) {
    out.matrix(vision, t.hidden, t.mel_bins * 3);
    out.matrix(vision, t.hidden, t.hidden * 3);
    out.vector(vision_small, t.hidden * 2);
  }
  if (t.class_token) out.vector(vision_small, t.hidden);
  out.vector(vision_small, t.positions * t.hidden);
  if (t.input_norm) out.vector(vision_small, norm_elements(t.norm, t.hidden));
}

/// The blocks: one tensor of `layers` matrices for each matrix of a block.
void append_blocks(const Tower& t, TensorList& out) {
  out.matrix(vision, t.hidden * 3, t.hidden, t.layers);
  out.matrix(vision, t.hidden, t.hidden, t.layers);
  out.matrix(vision, t.gated ? t.ffn * 2 : t.ffn, t.hidden, t.layers);
  out.matrix(vision, t.hidden, t.ffn, t.layers);
  const Count biases = t.hidden * (t.key_bias ? 4 : 3) + t.ffn * (t.gated ? 2 : 1) + t.hidden;
  out.vector(vision_small, t.layers * (norm_elements(t.norm, t.hidden) * 2 + (t.bias ? biases : Count())));
}

void append_ends(const Tower& t, TensorList& out) {
  if (t.output_norm) out.vector(vision_small, norm_elements(t.norm, t.hidden));
  if (t.attention_pool) {
    out.matrix(vision, t.hidden * 3, t.hidden);
    out.matrix(vision, t.hidden, t.hidden);
    out.matrix(vision, t.ffn, t.hidden);
    out.matrix(vision, t.hidden, t.ffn);
    // Probe, biases of attention and MLP, normalisation.
    out.vector(vision_small, t.hidden + t.hidden * 4 + t.ffn + t.hidden + norm_elements(t.norm, t.hidden));
  }
  out.vector(vision_small, t.other_parameters);
}

void append_projector(const Tower& t, TensorList& out) {
  for (const Projection& p : t.projector) {
    out.matrix(projector, p.out, p.in, p.count);
    if (p.bias) out.vector(bias, p.out * p.count);
  }
  out.vector(norm, t.projector_norms);
}

}  // namespace

void append_tower(const Tower& tower, std::vector<Tensor>& out) {
  TensorList list(out);
  append_stem(tower, list);
  append_blocks(tower, list);
  append_ends(tower, list);
  append_projector(tower, list);
}

void count_tower(Tower& tower) {
  std::vector<Tensor> tensors;
  TensorList list(tensors);
  append_stem(tower, list);
  append_blocks(tower, list);
  append_ends(tower, list);
  tower.parameters = elements_from(tensors, 0);
  const std::size_t first = tensors.size();
  append_projector(tower, list);
  tower.projector_parameters = elements_from(tensors, first);
}

void append_tower_tensors(const Model& model, std::vector<Tensor>& out) {
  for (const Tower& tower : model.towers) append_tower(tower, out);
}

}  // namespace vram
