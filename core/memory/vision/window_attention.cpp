// Attention within windows (Swin), op by op as torchvision writes it.
#include "core/memory/vision/walker.h"

namespace vram::vision {
namespace {

Count padded(Count size, Count window) { return pad(size, max(window, 1)); }

}  // namespace

Value Walker::product(const Value& a, const Value& b, const Shape& shape) {
  const Value left = cast(a), right = cast(b);
  Value out = tape_.make(shape, compute_);
  if (tape_.node({&left, &right}, out, Pass::fresh)) {
    tape_.save(left);
    tape_.save(right);
  }
  tape_.release(left);
  tape_.release(right);
  return out;
}

namespace {

/// Elements per head of a part of q, k and v.
Shape third(const Shape& shape) {
  Shape part = shape;
  part.c = shape.c / 3;
  return part;
}

}  // namespace

/// wattn: `heads window shift`, .v2 = cosine attention with a learned bias network.
void Walker::window_attention(const Operation& operation) {
  const Value& x = in(operation);
  const Count heads = operation.a[0], window = operation.a[1];
  const bool v2 = operation.flag(0);
  const bool is_trained = trained(operation);
  const Count channels = x.shape.c;
  Shape tokens = x.shape;
  tokens.h = padded(x.shape.h, window);
  tokens.w = padded(x.shape.w, window);
  const Count windows = tokens.n * (tokens.h / max(window, 1)) * (tokens.w / max(window, 1));
  const bool one_per_image = tokens.h == window && tokens.w == window;
  const bool one = one_per_image && tokens.n == Count(1);
  const bool shifted = operation.a[2] > 0 && !one_per_image;
  const Count area = window * window;

  // Padding copies even where there is nothing to pad; rolling and cutting into windows copy again.
  Value cut = tape_.make(tokens, x.bytes);
  tape_.node({&x}, cut, Pass::fresh);
  if (shifted) {
    const Value rolled = copy(cut);
    tape_.release(cut);
    cut = rolled;
  }
  if (!one_per_image) {
    const Value partitioned = copy(cut);
    tape_.release(cut);
    cut = partitioned;
  }

  const Value qkv = matrix(cut, channels * 3, true, is_trained, 3);
  tape_.release(cut);
  Value parts[3];
  for (Value& part : parts) {
    part = tape_.view(qkv);
    part.shape = third(qkv.shape);
    tape_.node({&qkv}, part, Pass::alias);
  }
  tape_.release(qkv);

  Shape norms = tokens;
  norms.c = heads;
  for (std::size_t i = 0; i < 2 && v2; ++i) {
    // x / max(|x|, eps): the norm keeps its input and result, the quotient its input and divisor.
    // Under autocast the norm sums 16-bit input into fp32.
    Value norm = tape_.make(norms, settings_.autocast ? std::uint8_t{4} : parts[i].bytes);
    if (tape_.node({&parts[i]}, norm, Pass::fresh)) {
      tape_.save(parts[i]);
      tape_.save(norm);
    }
    Value clamped = tape_.make(norms, norm.bytes);
    tape_.node({&norm}, clamped, Pass::fresh);
    tape_.release(norm);
    Value unit = tape_.make(parts[i].shape, clamped.bytes);
    if (tape_.node({&parts[i], &clamped}, unit, Pass::fresh)) {
      tape_.save(parts[i]);
      tape_.save(clamped);
    }
    tape_.release(clamped);
    tape_.release(parts[i]);
    parts[i] = unit;
  }
  if (!v2) {
    Value scaled = tape_.make(parts[0].shape, parts[0].bytes);
    tape_.node({&parts[0]}, scaled, Pass::fresh);
    tape_.release(parts[0]);
    parts[0] = scaled;
  }
  // Batched products want one stride over windows and heads: a copy each, but for a single window.
  if (!one) {
    for (Value& part : parts) {
      const Value in_type = cast(part);
      const Value dense = copy(in_type);
      tape_.release(in_type);
      tape_.release(part);
      part = dense;
    }
  }
  Shape pairs;
  pairs.n = windows;
  pairs.c = heads;
  pairs.h = area;
  pairs.w = area;
  Value scores = product(parts[0], parts[1], pairs);
  tape_.release(parts[0]);
  tape_.release(parts[1]);
  if (v2) {
    // Times a learned temperature, kept with the scores.
    Value heated = tape_.make(pairs, settings_.autocast ? std::uint8_t{4} : scores.bytes);
    if (tape_.node({&scores}, heated, Pass::fresh, parameters(operation, 0, heads, is_trained))) {
      tape_.save(scores);
      tape_.save_bytes(heads * 4);
    }
    tape_.release(scores);
    scores = heated;
    // The bias network: coordinates -> 512 -> heads, then a sigmoid over all pairs of a window.
    const Count hidden = 512, offsets = (2 * window - 1) * (2 * window - 1);
    const Bytes gradients = parameters(operation, hidden * 2 + hidden * heads, hidden, is_trained);
    if (tape_.training() && is_trained) {
      Shape table;
      table.h = area * area;
      table.c = heads;
      Value bias = tape_.make(table, compute_);
      if (tape_.node({}, bias, Pass::fresh, gradients)) {
        tape_.save(bias);
        tape_.save_bytes(offsets * hidden * compute_);
        if (settings_.autocast) {
          tape_.save_bytes(offsets * 2 * 2);
          // The first layer's input wants no gradient, so that its weights are not kept.
          tape_.save_cast(hidden * heads * 2);
        }
      }
      tape_.release(bias);
    }
  } else {
    parameters(operation, 0, (2 * window - 1) * (2 * window - 1) * heads, is_trained);
  }
  // Bias and mask are added in fp32.
  Value biased = tape_.make(pairs, settings_.autocast ? std::uint8_t{4} : scores.bytes);
  tape_.node({&scores}, biased, Pass::alias);
  tape_.release(scores);
  const Value shares = softmax(biased, settings_.autocast);
  tape_.release(biased);
  const Value mixed = product(shares, parts[2], third(qkv.shape));
  tape_.release(shares);
  tape_.release(parts[2]);
  const Value dense = copy(mixed);
  tape_.release(mixed);
  Value out = matrix(dense, channels, true, is_trained, 1);
  tape_.release(dense);
  // Windows are put together, rolled back and cut to the size.
  if (!one_per_image) {
    const Value merged = copy(out);
    tape_.release(out);
    out = merged;
  }
  if (shifted) {
    const Value back = copy(out);
    tape_.release(out);
    out = back;
  }
  if (tokens.h != x.shape.h || tokens.w != x.shape.w) {
    Value inside = tape_.make(x.shape, out.bytes);
    tape_.node({&out}, inside, Pass::fresh);
    tape_.release(out);
    out = inside;
  }
  set(operation, out);
}

}  // namespace vram::vision
