#include "core/memory/vision/walk.h"

#include <algorithm>

#include "core/memory/vision/walker.h"

namespace vram::vision {

Walker::Walker(const Graph& graph, const WalkSettings& settings)
    : graph_(&graph), settings_(settings), tape_(settings.training) {
  compute_ = settings.autocast ? std::uint8_t{2} : settings.element;
  values_.resize(graph.values);
  tape_.reserve(graph.operations.size());
}

Footprint Walker::run() {
  Shape image;
  image.n = settings_.batch;
  image.c = graph_->input_channels;
  image.t = settings_.frames;
  image.h = settings_.height;
  image.w = settings_.width;
  values_[0] = tape_.make(image, settings_.element);
  out_.input = values_[0].size();
  tape_.hold(values_[0]);  // the loop that feeds the network keeps its batch
  NodeId unit = kNoNode;
  std::uint32_t unit_input = 0;
  struct {
    Value value;
    bool held = false;
  } held;
  for (std::size_t i = 0; i < graph_->operations.size(); ++i) {
    const Operation& operation = graph_->operations[i];
    if (operation.checkpointed && settings_.checkpointing) {
      // The unit that ends here is recomputed from its input.
      if (unit != kNoNode) tape_.checkpoint(unit, values_[unit_input]);
      unit = tape_.next_node();
      unit_input = graph_->operands[operation.first];
      out_.units += 1;
    }
    if (unit != kNoNode && operation.stage >= kHeadStage) {
      tape_.checkpoint(unit, values_[unit_input]);
      unit = kNoNode;
    }
    // The frame that calls a stage keeps the stage's input while it runs.
    if ((operation.row || operation.rows_end) && held.held) {
      tape_.release(held.value);
      held.held = false;
    }
    if (operation.row) {
      held = {values_[graph_->operands[operation.first]], true};
      tape_.hold(held.value);
    }
    now_ = &operation;
    step(operation);
    const Value& made = values_[operation.result];
    out_.largest_output = max(out_.largest_output, made.size());
    for (const std::uint32_t value : graph_->inputs_of(operation)) {
      if (graph_->last_use[value] == i) tape_.release(values_[value]);
    }
    if (graph_->last_use[operation.result] == i && i + 1 < graph_->operations.size()) tape_.release(made);
  }
  if (unit != kNoNode) tape_.checkpoint(unit, values_[unit_input]);
  const Value& last = values_[graph_->operations.empty() ? 0 : graph_->operations.back().result];
  if (!out_.saved_forward) out_.saved_forward = tape_.saved();
  out_.tape = tape_.finish(last, settings_.accumulates);
  return out_;
}

bool Walker::trained(const Operation& operation) const {
  if (!settings_.training || settings_.frozen) return false;
  return operation.stage >= kHeadStage || static_cast<int>(operation.stage) > settings_.frozen_stages;
}

bool Walker::stored_statistics(const Operation& operation) const {
  if (!settings_.training) return true;
  if (operation.stage >= kHeadStage) return false;
  return settings_.backbone_norm != BackboneNorm::batch || static_cast<int>(operation.stage) <= settings_.frozen_stages;
}

Bytes Walker::parameters(const Operation& operation, Count weights, Count others, bool is_trained) {
  if (operation.shared) return 0;
  out_.parameters += weights + others;
  if (!is_trained) return 0;
  out_.trained += weights + others;
  return (weights + others) * settings_.element;
}

void Walker::step(const Operation& operation) {
  switch (operation.op) {
    case Op::conv: return conv(operation);
    case Op::transposed_conv: return transposed_conv(operation);
    case Op::linear: return linear(operation);
    case Op::max_pool:
    case Op::average_pool:
    case Op::global_pool:
    case Op::adaptive_pool: return pool(operation);
    case Op::batch_norm: return batch_norm(operation);
    case Op::layer_norm:
    case Op::rms_norm: return layer_norm(operation);
    case Op::group_norm:
    case Op::instance_norm: return group_norm(operation);
    case Op::relu:
    case Op::relu6:
    case Op::leaky_relu:
    case Op::silu:
    case Op::gelu:
    case Op::hardswish:
    case Op::hardsigmoid:
    case Op::sigmoid:
    case Op::tanh:
    case Op::mish:
    case Op::softmax: return activation(operation);
    case Op::dropout:
    case Op::drop_path: return dropout(operation);
    case Op::add:
    case Op::multiply:
    case Op::scale:
    case Op::layer_scale:
    case Op::concatenate: return combine(operation);
    case Op::upsample:
    case Op::resize: return resize(operation);
    case Op::attention: return attention(operation);
    case Op::window_attention: return window_attention(operation);
    case Op::relative_attention: return relative_attention(operation);
    case Op::cross_attention: return cross_attention(operation);
    case Op::deformable_attention: return deformable_attention(operation);
    case Op::reduced_attention: return reduced_attention(operation);
    case Op::non_local: return non_local(operation);
    case Op::roi_align: return roi_align(operation);
    case Op::overlaps: return overlaps(operation);
    case Op::loss: return loss(operation);
    case Op::hold:
    case Op::output: return output(operation);
    default: return rearrange(operation);
  }
}

Footprint walk(const Graph& graph, const WalkSettings& settings) { return Walker(graph, settings).run(); }

}  // namespace vram::vision
