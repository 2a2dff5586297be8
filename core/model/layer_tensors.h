// Small vocabulary for listing tensors.
#pragma once

#include <vector>

#include "core/format/tensor.h"
#include "core/model/model.h"

namespace vram {

/// Appends tensors, leaving out the empty ones.
class TensorList {
 public:
  explicit TensorList(std::vector<Tensor>& out) : out_(&out) {}
  void matrix(TensorRole role, Count rows, Count cols, Count matrices = 1) {
    if (rows && cols && matrices) out_->push_back({role, kNoLayer, rows, cols, matrices});
  }
  void vector(TensorRole role, Count elements) { matrix(role, 1, elements); }
  /// LN = weight and bias, RMS = weight (formulas.md section 2).
  void norm(NormKind kind, Count width) {
    if (kind == NormKind::none) return;
    vector(TensorRole::norm, width);
    if (kind == NormKind::layer) vector(TensorRole::norm, width);
  }

 private:
  std::vector<Tensor>* out_;
};

/// Appends a layer's sequence mixer; several follow each other in a layer with parallel mixers. mixer_tensors.cpp.
void append_mixer(const Mixer& mixer, Count hidden, TensorList& out);
/// Appends softmax attention, with `cross` under the roles of cross-attention.
void append_attention(const Attention& attention, Count hidden, bool cross, TensorList& out);

/// Elements of a norm of that width.
constexpr Count norm_elements(NormKind kind, Count width) {
  return kind == NormKind::none ? Count() : kind == NormKind::layer ? width * 2 : width;
}

}  // namespace vram
