// Convolutions, linear layers and pooling.
#include "core/memory/vision/walker.h"

namespace vram::vision {
namespace {

constexpr Count natural(std::int32_t value) { return Count(value); }

/// Positions of a window of `kernel` with `dilation` over `size` padded by `padding` on both sides.
Count windows(Count size, Count kernel, Count stride, Count padding, Count dilation, bool ceil) {
  const Count span = dilation * (kernel - 1) + 1;
  const Count padded = size + 2 * padding;
  if (padded < span || !stride) return 1;
  const Count free = padded - span;
  if (!ceil) return free / stride + 1;
  Count count = ceil_div(free, stride) + 1;
  // The last window begins inside the input or its left padding.
  if ((count - 1) * stride >= size + padding) count -= 1;
  return count;
}

Count padding_of(std::int32_t given, Count kernel, Count dilation) {
  return given < 0 ? dilation * (kernel - 1) / 2 : Count(given);
}

}  // namespace

Value Walker::cast(const Value& x) {
  if (x.bytes == compute_ || !settings_.autocast) return tape_.view(x);
  Value out = tape_.make(x.shape, compute_);
  tape_.node({&x}, out, Pass::fresh);
  return out;
}

Value Walker::cast_to_float(const Value& x) {
  if (x.bytes == 4) return tape_.view(x);
  Value out = tape_.make(x.shape, 4);
  tape_.node({&x}, out, Pass::fresh);
  return out;
}

Value Walker::copy(const Value& x) {
  Value out = tape_.make(x.shape, x.bytes);
  tape_.node({&x}, out, Pass::fresh);
  return out;
}

/// conv: `out k s p g d`, time `kt st pt`, width `kw sw pw` where it differs. Keeps its input (oracle section 7).
void Walker::conv(const Operation& operation) {
  const auto& a = operation.a;
  const Value x = cast(in(operation));
  const Count k = natural(a[1]), kw = a[9] > 0 ? natural(a[9]) : k, kt = natural(a[6]);
  const Count s = natural(a[2]), sw = a[10] > 0 ? natural(a[10]) : s;
  const Count d = natural(a[5]);
  Shape shape = x.shape;
  shape.c = natural(a[0]);
  shape.h = windows(x.shape.h, k, s, padding_of(a[3], k, d), d, false);
  shape.w = windows(x.shape.w, kw, sw, padding_of(a[11] >= 0 ? a[11] : a[9] > 0 ? -1 : a[3], kw, d), d, false);
  shape.t = windows(x.shape.t, kt, natural(a[7]), padding_of(a[8], kt, 1), 1, false);
  const Count weights = shape.c * (x.shape.c / max(natural(a[4]), 1)) * k * kw * kt;
  const Count bias = operation.flag(0) ? shape.c : Count();
  const bool is_trained = trained(operation);
  const Bytes gradients = parameters(operation, weights, bias, is_trained);
  Value out = tape_.make(shape, compute_);
  const bool casts = settings_.autocast && !operation.shared;
  if (tape_.node({&x}, out, Pass::fresh, gradients, casts ? weights * 2 : Bytes())) {
    tape_.save(x);
    if (casts) tape_.save_cast(weights * 2);
  } else if (casts) {
    tape_.keep((weights + bias) * 2);  // autocast caches copies of trainable weights until it ends
  }
  tape_.release(x);
  set(operation, out);
}

/// tconv: `out k s p`, the reverse of a convolution.
void Walker::transposed_conv(const Operation& operation) {
  const auto& a = operation.a;
  const Value x = cast(in(operation));
  const Count k = natural(a[1]), s = natural(a[2]), p = natural(a[3]);
  Shape shape = x.shape;
  shape.c = natural(a[0]);
  shape.h = (x.shape.h - 1) * s + k - 2 * p;
  shape.w = (x.shape.w - 1) * s + k - 2 * p;
  const Count weights = shape.c * (x.shape.c / max(natural(a[4]), 1)) * k * k;
  const Bytes gradients = parameters(operation, weights, operation.flag(0) ? shape.c : Count(), trained(operation));
  Value out = tape_.make(shape, compute_);
  if (tape_.node({&x}, out, Pass::fresh, gradients)) {
    tape_.save(x);
    if (settings_.autocast && !operation.shared) tape_.save_cast(weights * 2);
  }
  tape_.release(x);
  set(operation, out);
}

Value Walker::matrix(const Value& given, Count width, bool bias, bool is_trained, unsigned adapters) {
  const Value x = cast(given);
  const Count weights = x.shape.c * width;
  const Bytes gradients = parameters(*now_, weights, bias ? width : Count(), is_trained);
  Shape shape = x.shape;
  shape.c = width;
  Value out = tape_.make(shape, compute_);
  const Count rank = settings_.training ? settings_.adapter_rank * adapters : Count();
  const Count adapter = rank * x.shape.c + (rank ? settings_.adapter_rank * width : Count());
  out_.adapters += adapter;
  const bool casts = settings_.autocast && !now_->shared;
  if (tape_.node({&x}, out, Pass::fresh, gradients + adapter * settings_.adapter_element,
                 casts && is_trained ? weights * 2 : Bytes())) {
    if (is_trained || rank) tape_.save(x);
    if (casts && is_trained) tape_.save_cast(weights * 2);
    // Each adapter keeps its own copy of the input where its type differs (F-8.2), and its inner product.
    if (rank) {
      if (settings_.adapter_element != x.bytes && !settings_.autocast) {
        tape_.save_bytes(x.shape.elements() * adapters * settings_.adapter_element);
      }
      tape_.save_bytes(x.shape.positions() * rank * (settings_.autocast ? compute_ : settings_.adapter_element));
    }
  } else if (casts) {
    tape_.keep((weights + (bias ? width : Count())) * 2);
  }
  tape_.release(x);
  return out;
}

/// linear: `out`; .twin = two streams with weights of their own share one sequence (joint attention of SD3 and FLUX).
void Walker::linear(const Operation& operation) {
  const Value& x = in(operation);
  const Count width = natural(operation.a[0]);
  const bool bias = !operation.flag(0), is_trained = trained(operation);
  if (operation.flag(1)) count_twin(x.shape.c * width + (bias ? width : Count()), is_trained);
  set(operation, matrix(x, width, bias, is_trained, operation.flag(2) ? 1 : 0));
}

void Walker::count_twin(Count elements, bool is_trained) {
  out_.parameters += elements;
  if (is_trained) out_.trained += elements;
}

void Walker::pool(const Operation& operation) {
  const Value& x = in(operation);
  const auto& a = operation.a;
  Shape shape = x.shape;
  const bool global = operation.op == Op::global_pool;
  if (global) {
    shape.h = shape.w = shape.t = 1;
  } else if (operation.op == Op::adaptive_pool) {
    shape.h = shape.w = natural(a[0]);
    shape.t = 1;
  } else {
    const Count k = natural(a[0]), s = a[1] > 0 ? natural(a[1]) : k, p = natural(a[2]);
    const Count kt = natural(a[3]), st = natural(a[4]);
    const Count pt = operation.op == Op::max_pool ? natural(a[5]) : Count();
    const bool ceil = operation.flag(0);
    shape.h = windows(x.shape.h, k, s, p, 1, ceil);
    shape.w = windows(x.shape.w, k, s, p, 1, ceil);
    shape.t = windows(x.shape.t, kt, st, pt, 1, ceil);
  }
  Value out = tape_.make(shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh)) {
    // A mean keeps nothing; the maximum keeps 64-bit indices (oracle section 4).
    if (!global) tape_.save(x);
    if (operation.op == Op::max_pool) tape_.save_bytes(shape.elements() * 8);
  }
  set(operation, out);
}

}  // namespace vram::vision
