// Normalisations.
#include "core/memory/vision/walker.h"

namespace vram::vision {

/// Keeps its input and two fp32 statistics a channel; as a fixed scale and shift only the scale (oracle section 7).
void Walker::batch_norm(const Operation& operation) {
  const Value& x = in(operation);
  const Count channels = x.shape.c;
  const bool affine =
      settings_.training && settings_.backbone_norm == BackboneNorm::affine && operation.stage < kHeadStage;
  const Bytes gradients = parameters(operation, 0, 2 * channels, !affine && trained(operation));
  out_.buffers += 8 * channels + 8;
  Value out = tape_.make(x.shape, x.bytes);
  if (affine) {
    if (tape_.node({&x}, out, Pass::fresh)) tape_.save_bytes(channels * 4);
    Value shifted = tape_.make(x.shape, x.bytes);
    tape_.node({&out}, shifted, Pass::alias);
    tape_.release(out);
    set(operation, shifted);
    return;
  }
  if (tape_.node({&x}, out, Pass::fresh, gradients)) {
    tape_.save(x);
    tape_.save_bytes(channels * 8);
  }
  set(operation, out);
}

Value Walker::normalise(const Value& given, bool weight, bool bias, bool is_trained) {
  // Autocast runs it in fp32 on a copy.
  const Value x = settings_.autocast ? cast_to_float(given) : tape_.view(given);
  const Count channels = x.shape.c;
  const Bytes gradients = parameters(*now_, 0, (weight ? channels : Count()) + (bias ? channels : Count()), is_trained);
  Value out = tape_.make(x.shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh, gradients)) {
    tape_.save(x);
    tape_.save_bytes(x.shape.positions() * 8);
  }
  tape_.release(x);
  return out;
}

void Walker::layer_norm(const Operation& operation) {
  const bool is_trained = trained(operation);
  const bool rms = operation.op == Op::rms_norm;
  const bool plain = !rms && operation.flag(2);
  set(operation, normalise(in(operation), !plain, !plain && !rms && !operation.flag(1), is_trained));
}

/// Statistics a group and image in the type of the input; fp32 under autocast.
void Walker::group_norm(const Operation& operation) {
  const bool instance = operation.op == Op::instance_norm;
  const Value x = settings_.autocast ? cast_to_float(in(operation)) : tape_.view(in(operation));
  const Count groups = instance ? x.shape.c : Count(operation.a[0]);
  const Bytes gradients = parameters(operation, 0, instance ? Count() : 2 * x.shape.c, trained(operation));
  Value out = tape_.make(x.shape, x.bytes);
  if (tape_.node({&x}, out, Pass::fresh, gradients)) {
    tape_.save(x);
    tape_.save_bytes(x.shape.n * groups * 2 * (instance ? Count(4) : Count(x.bytes)));
  }
  tape_.release(x);
  set(operation, out);
}

}  // namespace vram::vision
