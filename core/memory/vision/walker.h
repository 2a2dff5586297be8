// The state of one walk, shared by the files that know single operations. Used by walk.cpp and its neighbours alone.
#pragma once

#include "core/memory/vision/walk.h"

namespace vram::vision {

class Walker {
 public:
  Walker(const Graph& graph, const WalkSettings& settings);
  Footprint run();

 private:
  void step(const Operation& operation);

  // convolutions.cpp
  void conv(const Operation& operation);
  void transposed_conv(const Operation& operation);
  void linear(const Operation& operation);
  void pool(const Operation& operation);
  // norms.cpp
  void batch_norm(const Operation& operation);
  void layer_norm(const Operation& operation);
  void group_norm(const Operation& operation);
  // pointwise.cpp
  void activation(const Operation& operation);
  void dropout(const Operation& operation);
  void combine(const Operation& operation);
  void rearrange(const Operation& operation);
  void resize(const Operation& operation);
  // attention.cpp
  void attention(const Operation& operation);
  void window_attention(const Operation& operation);
  void relative_attention(const Operation& operation);
  void cross_attention(const Operation& operation);
  void deformable_attention(const Operation& operation);
  void reduced_attention(const Operation& operation);
  void non_local(const Operation& operation);
  // regions.cpp
  void roi_align(const Operation& operation);
  void output(const Operation& operation);
  void overlaps(const Operation& operation);
  void loss(const Operation& operation);

  // What operations are made of. `const Value&` parameters stay alive; results are new and released by the caller or kept as
  // an operation's result.
  Value cast(const Value& x);  ///< to the compute type under autocast; another view of it otherwise
  Value cast_to_float(const Value& x);
  Value copy(const Value& x);  ///< contiguous
  /// A linear layer over channels; `adapters`: how many modules of the published model it stands for that LoRA adapts.
  Value matrix(const Value& x, Count out, bool bias, bool trained, unsigned adapters = 0);
  Value normalise(const Value& x, bool weight, bool bias, bool trained);  ///< LayerNorm over channels
  Value softmax(const Value& x, bool to_float);
  Value product(const Value& a, const Value& b, const Shape& out);  ///< batched matrix product
  Value sum(const Value& a, const Value& b);
  /// Fused scaled dot product of q, k, v that are views of other tensors; keeps its output and statistics.
  Value fused_attention(const Value& q, const Value& k, const Value& v, Count batch, Count heads, Count queries,
                        const Shape& out);

  const Value& in(const Operation& operation, std::size_t which = 0) const {
    return values_[graph_->operands[operation.first + which]];
  }
  void set(const Operation& operation, const Value& value) { values_[operation.result] = value; }
  [[nodiscard]] bool trained(const Operation& operation) const;
  [[nodiscard]] bool stored_statistics(const Operation& operation) const;
  /// Parameters of a second stream that computes the same.
  void count_twin(Count elements, bool is_trained);
  /// Counts parameters unless an earlier operation owns them; bytes of their gradients.
  Bytes parameters(const Operation& operation, Count weights, Count others, bool trained);

  const Graph* graph_;
  WalkSettings settings_;
  Tape tape_;
  std::vector<Value> values_;
  Footprint out_;
  const Operation* now_ = nullptr;
  std::uint8_t compute_ = 4;
};

}  // namespace vram::vision
