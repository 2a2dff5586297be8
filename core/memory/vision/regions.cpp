// Regions of interest and the ends of a network.
#include "core/memory/vision/walker.h"

namespace vram::vision {

/// roi: `rois k` regions an image, each k x k; keeps the boxes (five fp32 numbers a region).
void Walker::roi_align(const Operation& operation) {
  const Value& x = in(operation);
  Shape shape = x.shape;
  shape.n = settings_.batch * Count(operation.a[0]);
  shape.h = shape.w = Count(operation.a[1]);
  Value out = tape_.make(shape, x.bytes);
  std::vector<const Value*> inputs;
  for (std::size_t i = 0; i < operation.inputs; ++i) inputs.push_back(&in(operation, i));
  if (tape_.node(inputs, out, Pass::fresh)) tape_.save_bytes(shape.n * 20);
  set(operation, out);
}

/// iou: corners, extents, intersections and unions of all anchors with all boxes of one image, at once: nine fp32 tensors of
/// that size (mmdet bbox_overlaps, detectron2 pairwise_iou).
void Walker::overlaps(const Operation& operation) {
  const Value& x = in(operation);
  const Count anchors = x.shape.positions() / max(x.shape.n, 1) * operation.a[0];
  if (settings_.training) tape_.flash(anchors * settings_.boxes * 9 * 4);
  Value out = tape_.view(x);
  tape_.node({&x}, out, Pass::alias);
  set(operation, out);
}

/// loss: autocast computes it in fp32. Cross-entropy keeps the log-softmax and 64-bit targets; a loss of single elements keeps
/// its input and a tensor of targets (oracle section 7). `copies`: further tensors of that size it holds for a moment.
void Walker::loss(const Operation& operation) {
  if (!out_.saved_forward) out_.saved_forward = tape_.saved();
  const Value x = settings_.autocast ? cast_to_float(in(operation)) : tape_.view(in(operation));
  const bool entropy = operation.flag(0);
  Value spread = x;
  if (entropy) {
    spread = tape_.make(x.shape, x.bytes);
    if (tape_.node({&x}, spread, Pass::fresh)) tape_.save(spread);
  } else {
    spread = tape_.view(x);
  }
  tape_.flash(x.size() * operation.a[0]);
  Value result = tape_.make({}, 4);
  if (tape_.node({&spread}, result, Pass::fresh)) {
    if (entropy) {
      tape_.save_bytes(x.shape.positions() * 8 + 4);
    } else {
      tape_.save(x);
      tape_.save_bytes(x.size());
    }
  }
  tape_.release(spread);
  tape_.release(x);
  set(operation, result);
}

/// The network's result; what follows belongs to the loss.
void Walker::output(const Operation& operation) {
  if (!out_.saved_forward) out_.saved_forward = tape_.saved();
  const Value& x = in(operation);
  Value out = tape_.view(x);
  std::vector<const Value*> inputs;
  for (std::size_t i = 0; i < operation.inputs; ++i) inputs.push_back(&in(operation, i));
  tape_.node(inputs, out, Pass::alias);
  set(operation, out);
}

}  // namespace vram::vision
