// Activations, dropout, additions and views.
#include "core/memory/vision/walker.h"

namespace vram::vision {
namespace {

enum class Keeps : std::uint8_t { output, input, clone };

/// What an activation keeps, and what it keeps in place: only ReLU, LeakyReLU and ELU save memory there (oracle section 4).
Keeps keeps(Op op, bool inplace) {
  switch (op) {
    case Op::relu:
    case Op::sigmoid:
    case Op::tanh:
    case Op::softmax: return Keeps::output;
    case Op::leaky_relu: return inplace ? Keeps::output : Keeps::input;
    default: return inplace ? Keeps::clone : Keeps::input;
  }
}

}  // namespace

Value Walker::softmax(const Value& given, bool to_float) {
  const Value x = to_float ? cast_to_float(given) : tape_.view(given);
  Value out = tape_.make(x.shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh)) tape_.save(out);
  tape_.release(x);
  return out;
}

void Walker::activation(const Operation& operation) {
  const Value& x = in(operation);
  if (operation.op == Op::softmax) return set(operation, softmax(x, settings_.autocast));
  const bool inplace = operation.flag(0);
  const Keeps kept = keeps(operation.op, inplace);
  Value out = inplace ? tape_.view(x) : tape_.make(x.shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh)) {
    if (kept == Keeps::output) tape_.save(out);
    if (kept == Keeps::input) tape_.save(x);
    if (kept == Keeps::clone) tape_.save_bytes(x.size());
  }
  set(operation, out);
}

/// Fused dropout keeps a byte an element, in place a number; stochastic depth a number an image.
void Walker::dropout(const Operation& operation) {
  const Value& x = in(operation);
  const bool path = operation.op == Op::drop_path;
  if (!settings_.training || (!path && operation.a[0] == 0)) return set(operation, tape_.view(x));
  const bool inplace = !path && operation.flag(0);
  const bool channels = !path && operation.flag(1);
  Value out = inplace ? tape_.view(x) : tape_.make(x.shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh)) {
    if (path)
      tape_.save_bytes(x.shape.n * x.bytes);
    else if (channels)
      tape_.save_bytes(x.shape.n * x.shape.c * x.bytes);
    else
      tape_.save_bytes(x.shape.elements() * (inplace ? x.bytes : 1));
  }
  set(operation, out);
}

Value Walker::sum(const Value& a, const Value& b) {
  const Shape& shape = a.shape.elements() < b.shape.elements() ? b.shape : a.shape;
  Value out = tape_.make(shape, std::uint8_t{a.bytes > b.bytes ? a.bytes : b.bytes});
  tape_.node({&a, &b}, out, Pass::alias);
  return out;
}

void Walker::combine(const Operation& operation) {
  const Value& x = in(operation);
  switch (operation.op) {
    case Op::add: {
      const Value& y = in(operation, 1);
      if (operation.flag(0)) {
        Value out = tape_.view(x);
        tape_.node({&x, &y}, out, Pass::alias);
        return set(operation, out);
      }
      return set(operation, sum(x, y));
    }
    case Op::multiply: {
      const Value& y = in(operation, 1);
      const Shape& shape = x.shape.elements() < y.shape.elements() ? y.shape : x.shape;
      Value out = tape_.make(shape, std::uint8_t{x.bytes > y.bytes ? x.bytes : y.bytes});
      if (tape_.node({&x, &y}, out, Pass::fresh)) {
        tape_.save(x);
        tape_.save(y);
      }
      return set(operation, out);
    }
    case Op::layer_scale: {
      const bool is_trained = trained(operation);
      const Bytes gradients = parameters(operation, 0, x.shape.c, is_trained);
      Value out = tape_.make(x.shape, settings_.element);
      if (tape_.node({&x}, out, Pass::fresh, gradients) && is_trained) tape_.save(x);
      return set(operation, out);
    }
    case Op::concatenate: {
      Shape shape = x.shape;
      Count channels, rows;
      std::vector<const Value*> inputs;
      inputs.reserve(operation.inputs);
      std::uint8_t bytes = 0;
      for (std::size_t i = 0; i < operation.inputs; ++i) {
        const Value& part = in(operation, i);
        channels += part.shape.c;
        rows += part.shape.h * part.shape.w;
        bytes = part.bytes > bytes ? part.bytes : bytes;
        inputs.push_back(&part);
      }
      if (operation.flag(0)) {
        shape.h = rows;
        shape.w = 1;
      } else {
        shape.c = channels;
      }
      Value out = tape_.make(shape, bytes);
      tape_.node(inputs, out, Pass::alias);
      return set(operation, out);
    }
    default: {  // a product with a number keeps nothing
      Value out = tape_.make(x.shape, x.bytes);
      tape_.node({&x}, out, Pass::fresh);
      return set(operation, out);
    }
  }
}

void Walker::resize(const Operation& operation) {
  const Value& x = in(operation);
  Shape shape = x.shape;
  if (operation.op == Op::upsample) {
    shape.h = shape.h * operation.a[0];
    shape.w = shape.w * operation.a[0];
  } else if (operation.flag(0)) {
    shape.h = settings_.height;
    shape.w = settings_.width;
  } else if (operation.inputs > 1) {
    shape.h = in(operation, 1).shape.h;
    shape.w = in(operation, 1).shape.w;
  }
  // Bilinear interpolation is on autocast's fp32 list only for its backward pass: the output has the input's type.
  Value out = tape_.make(shape, x.bytes);
  tape_.node({&x}, out, Pass::fresh);
  set(operation, out);
}

/// Views and copies that change the shape.
void Walker::rearrange(const Operation& operation) {
  const Value& x = in(operation);
  const auto& a = operation.a;
  Shape shape = x.shape;
  const auto as_view = [&] {
    Value out = tape_.view(x);
    out.shape = shape;
    tape_.node({&x}, out, Pass::alias);
    set(operation, out);
  };
  const auto as_copy = [&] {
    Value out = tape_.make(shape, x.bytes);
    tape_.node({&x}, out, Pass::fresh);
    set(operation, out);
  };
  switch (operation.op) {
    case Op::flatten:
      shape.c = shape.c * shape.t * shape.h * shape.w;
      shape.t = shape.h = shape.w = 1;
      return as_view();
    case Op::first: shape.t = shape.h = shape.w = 1; return as_view();
    case Op::chunk: shape.c = shape.c * a[2] / Count(a[0]); return as_view();
    case Op::shuffle:
    case Op::copy: return as_copy();
    case Op::space_to_depth:
      shape.c = shape.c * a[0] * a[0];
      shape.h = shape.h / Count(a[0]);
      shape.w = shape.w / Count(a[0]);
      return as_copy();
    case Op::pixel_shuffle:
      shape.c = shape.c / (Count(a[0]) * a[0]);
      shape.h = shape.h * a[0];
      shape.w = shape.w * a[0];
      return as_copy();
    case Op::patch_merge:
      shape.c = shape.c * 4;
      shape.h = ceil_div(shape.h, 2);
      shape.w = ceil_div(shape.w, 2);
      return as_copy();
    case Op::tokens: {
      shape.h = shape.t * shape.h * shape.w;
      shape.t = shape.w = 1;
      if (a[0] == 0) return as_view();
      // Learned tokens are concatenated before the patches.
      shape.h += a[0];
      const bool is_trained = trained(operation);
      const Bytes gradients = parameters(operation, 0, x.shape.c * a[0], is_trained);
      Value out = tape_.make(shape, is_trained || !settings_.autocast ? settings_.element : x.bytes);
      tape_.node({&x}, out, Pass::alias, gradients);
      return set(operation, out);
    }
    case Op::grid:
      if (operation.inputs > 1) {
        shape = in(operation, 1).shape;
        shape.c = x.shape.c;
      }
      return as_view();
    case Op::frames:  // channels become frames
      shape.c = shape.c / Count(a[0]);
      shape.t = shape.t * a[0];
      return as_copy();
    case Op::positions: {
      const Bytes gradients = parameters(operation, 0, shape.h * shape.w * shape.t * shape.c, trained(operation));
      Value out = tape_.make(shape, settings_.element);
      tape_.node({&x}, out, Pass::alias, gradients);
      return set(operation, out);
    }
    case Op::queries: {
      shape.c = a[1];
      shape.h = a[0] == 0 ? settings_.text_tokens : Count(a[0]);
      shape.w = shape.t = 1;
      if (operation.flag(0)) {  // made outside: a prompt's embedding
        set(operation, tape_.make(shape, settings_.autocast ? compute_ : settings_.element));
        return;
      }
      const Bytes gradients = parameters(operation, 0, shape.c * shape.h, trained(operation));
      Value out = tape_.make(shape, settings_.element);
      tape_.node({}, out, Pass::alias, gradients);
      return set(operation, out);
    }
    default: return as_view();
  }
}

}  // namespace vram::vision
