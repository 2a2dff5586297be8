// Attention over all positions.
#include "core/memory/vision/walker.h"

namespace vram::vision {

/// Keeps q, k, v and its output with a log-sum-exp a row: flash for 16 bit, memory-efficient for fp32 (rows padded to 32),
/// and 16 bytes of random state (oracle section 2).
Value Walker::fused_attention(const Value& q, const Value& k, const Value& v, Count batch, Count heads, Count queries,
                              const Shape& shape) {
  Value out = tape_.make(shape, q.bytes);
  const Count rows = q.bytes == 2 ? queries : pad(queries, 32);
  if (tape_.node({&q, &k, &v}, out, Pass::fresh)) {
    tape_.save(q);
    tape_.save(k);
    tape_.save(v);
    tape_.save(out);
    tape_.save_bytes(batch * heads * rows * 4 + 16);
  }
  return out;
}

/// attn: `heads dim` over tokens; .module = torch.nn.MultiheadAttention, else one qkv layer as in timm; .eager = the matrix of
/// all pairs; .mask = a mask keeps fused kernels from being flash.
void Walker::attention(const Operation& operation) {
  const Value& x = in(operation);
  const Count heads = operation.a[0];
  const Count inner = operation.a[1] > 0 ? heads * operation.a[1] : x.shape.c;
  const bool module = operation.flag(0), eager = operation.flag(1) || settings_.eager_attention;
  const bool is_trained = trained(operation);
  const Count batch = x.shape.n, queries = x.shape.t * x.shape.h * x.shape.w;
  const bool several = batch > Count(1);

  Value source = cast(x);
  if (module && several) {
    // Batch and sequence change places: the linear layer copies what is not contiguous.
    const Value turned = copy(source);
    tape_.release(source);
    source = turned;
  }
  Value qkv = matrix(source, inner * 3, !operation.flag(2), is_trained, 3);
  if (operation.flag(6)) {
    count_twin((x.shape.c + 1) * inner * 3 + (inner + 1) * x.shape.c, is_trained);
  }
  if (operation.flag(5)) {  // no bias for the keys
    out_.parameters = out_.parameters - inner;
    if (is_trained) out_.trained = out_.trained - inner;
  }
  tape_.release(source);
  if (module) {
    const Value packed = copy(qkv);
    tape_.release(qkv);
    qkv = packed;
  }
  Shape shape = x.shape;
  shape.c = inner;
  Value out;
  if (!eager) {
    if (operation.flag(3) || operation.flag(7)) {
      // Normalised (a vector of the head's size for q and k each) and rotated queries and keys are tensors of their own.
      Value rotated[2];
      for (Value& part : rotated) {
        part = tape_.make(shape, qkv.bytes);
        tape_.node({&qkv}, part, Pass::fresh);
        if (!operation.flag(7)) continue;
        const Count norm = inner / max(heads, 1);
        const Bytes gradients = parameters(operation, 0, norm, is_trained);
        if (operation.flag(6)) count_twin(norm, is_trained);
        Value normed = tape_.make(shape, qkv.bytes);
        if (tape_.node({&part}, normed, Pass::fresh, gradients)) {
          tape_.save(qkv);
          tape_.save_bytes(shape.positions() * heads * 4);
          if (operation.flag(3)) tape_.save(normed);
        }
        tape_.release(part);
        part = normed;
      }
      out = fused_attention(rotated[0], rotated[1], qkv, batch, heads, queries, shape);
      for (const Value& part : rotated) tape_.release(part);
    } else {
      out = fused_attention(qkv, qkv, qkv, batch, heads, queries, shape);
    }
    tape_.release(qkv);
    if (module && several && out.bytes == 4) {
      const Value turned = copy(out);
      tape_.release(out);
      out = turned;
    }
  } else {
    Value parts[3];
    for (Value& part : parts) {
      Value strided = tape_.view(qkv);
      strided.shape = shape;
      tape_.node({&qkv}, strided, Pass::alias);
      if (several) {
        part = copy(strided);
        tape_.release(strided);
      } else {
        part = strided;
      }
    }
    tape_.release(qkv);
    Shape pairs;
    pairs.n = batch;
    pairs.c = heads;
    pairs.h = pairs.w = queries;
    const Value scores = product(parts[0], parts[1], pairs);
    tape_.release(parts[0]);
    tape_.release(parts[1]);
    const Value shares = softmax(scores, settings_.autocast);
    tape_.release(scores);
    const Value mixed = product(shares, parts[2], shape);
    tape_.release(shares);
    tape_.release(parts[2]);
    out = copy(mixed);
    tape_.release(mixed);
  }
  if (operation.flag(8)) return set(operation, out);  // the projection follows elsewhere
  const Value projected = matrix(out, x.shape.c, true, is_trained, 1);
  tape_.release(out);
  set(operation, projected);
}

/// cross: `heads dim @memory`: queries from the current value, keys and values from another; .rms = normalised q and k.
void Walker::cross_attention(const Operation& operation) {
  const Value& x = in(operation);
  const Value& memory = in(operation, operation.inputs > 1 ? 1 : 0);
  const Count heads = operation.a[0];
  const bool is_trained = trained(operation), bias = !operation.flag(0);
  const Count channels = operation.a[1] > 0 ? heads * operation.a[1] : x.shape.c;
  Value q = matrix(x, channels, bias, is_trained, 1);
  Value k = matrix(memory, channels, bias, is_trained, 1);
  const Value v = matrix(memory, channels, bias, is_trained, 1);
  if (operation.flag(1)) {
    for (Value* part : {&q, &k}) {
      const Value normed = normalise(*part, true, false, is_trained);
      tape_.release(*part);
      *part = normed;
    }
  }
  const Count queries = x.shape.t * x.shape.h * x.shape.w;
  Shape shape = x.shape;
  shape.c = channels;
  const Value mixed = fused_attention(q, k, v, x.shape.n, heads, queries, shape);
  tape_.release(q);
  tape_.release(k);
  tape_.release(v);
  const Value out = matrix(mixed, x.shape.c, true, is_trained, 1);
  tape_.release(mixed);
  set(operation, out);
}

/// dattn: `heads levels points @memory`: values of the memory sampled at points that each query chooses.
void Walker::deformable_attention(const Operation& operation) {
  const Value& x = in(operation);
  const Value& memory = in(operation, operation.inputs > 1 ? 1 : 0);
  const Count samples = Count(operation.a[0]) * operation.a[1] * operation.a[2];
  const bool is_trained = trained(operation);
  const Value values = matrix(memory, x.shape.c, true, is_trained);
  const Value offsets = matrix(x, samples * 2, true, is_trained);
  // Reference points plus offsets: a tensor of its own that the kernel keeps.
  const Value places = copy(offsets);
  tape_.release(offsets);
  const Value logits = matrix(x, samples, true, is_trained);
  const Value weights = softmax(logits, settings_.autocast);
  tape_.release(logits);
  Value mixed = tape_.make(x.shape, values.bytes);
  if (tape_.node({&values, &places, &weights}, mixed, Pass::fresh)) {
    tape_.save(values);
    tape_.save(places);
    tape_.save(weights);
  }
  tape_.release(values);
  tape_.release(places);
  tape_.release(weights);
  const Value out = matrix(mixed, x.shape.c, true, is_trained);
  tape_.release(mixed);
  set(operation, out);
}

/// srattn: `heads r`: keys and values of a map reduced r times by a convolution (SegFormer); the pairs are materialised.
void Walker::reduced_attention(const Operation& operation) {
  const Value& x = in(operation);
  const Count heads = operation.a[0], reduction = operation.a[1];
  const bool is_trained = trained(operation);
  const Count channels = x.shape.c;
  const Value q = matrix(x, channels, true, is_trained);
  Value source = tape_.view(x);
  if (reduction > Count(1)) {
    Shape shape = x.shape;
    shape.h = max(shape.h / reduction, 1);
    shape.w = max(shape.w / reduction, 1);
    const Count weights = channels * channels * reduction * reduction;
    const Value typed = cast(x);
    Value reduced = tape_.make(shape, compute_);
    if (tape_.node({&typed}, reduced, Pass::fresh, parameters(operation, weights, channels, is_trained))) {
      tape_.save(typed);
      if (settings_.autocast) tape_.save_cast(weights * 2);
    }
    tape_.release(typed);
    tape_.release(source);
    source = normalise(reduced, true, true, is_trained);
    tape_.release(reduced);
  }
  const Value kv = matrix(source, channels * 2, true, is_trained);
  tape_.release(source);
  Shape pairs;
  pairs.n = x.shape.n;
  pairs.c = heads;
  pairs.h = x.shape.h * x.shape.w;
  pairs.w = kv.shape.h * kv.shape.w;
  const Value scores = product(q, kv, pairs);
  tape_.release(q);
  const Value shares = softmax(scores, settings_.autocast);
  tape_.release(scores);
  const Value mixed = product(shares, kv, x.shape);
  tape_.release(shares);
  tape_.release(kv);
  const Value dense = copy(mixed);
  tape_.release(mixed);
  const Value out = matrix(dense, channels, true, is_trained);
  tape_.release(dense);
  set(operation, out);
}

/// rattn: `heads window`: attention with decomposed relative positions (ViTDet, SAM); window 0 = over the whole map. The
/// matrix of all pairs is materialised, once more for each direction's bias.
void Walker::relative_attention(const Operation& operation) {
  const Value& x = in(operation);
  const Count heads = operation.a[0], window = operation.a[1];
  const bool is_trained = trained(operation);
  Shape tokens = x.shape;
  Count side_h = x.shape.h, side_w = x.shape.w;
  Value source = tape_.view(x);
  if (window) {
    tokens.h = pad(x.shape.h, window);
    tokens.w = pad(x.shape.w, window);
    Value cut = tape_.make(tokens, x.bytes);
    tape_.node({&source}, cut, Pass::fresh);
    tape_.release(source);
    source = cut;
    side_h = side_w = window;
  }
  const Count area = side_h * side_w;
  const Count groups = tokens.n * tokens.h * tokens.w / max(area, 1);
  const Value qkv = matrix(source, x.shape.c * 3, true, is_trained, 3);
  tape_.release(source);
  Shape shape = tokens;
  Value parts[3];
  for (Value& part : parts) {
    Value strided = tape_.view(qkv);
    strided.shape = shape;
    tape_.node({&qkv}, strided, Pass::alias);
    part = copy(strided);
    tape_.release(strided);
  }
  tape_.release(qkv);
  Shape pairs;
  pairs.n = groups;
  pairs.c = heads;
  pairs.h = pairs.w = area;
  parameters(operation, 0, (2 * side_h - 1 + 2 * side_w - 1) * (x.shape.c / max(heads, 1)), is_trained);
  const Value scores = product(parts[0], parts[1], pairs);
  tape_.release(parts[1]);
  // Two additions of broadcast biases.
  Value biased = tape_.make(pairs, settings_.autocast ? std::uint8_t{4} : scores.bytes);
  tape_.node({&scores, &parts[0]}, biased, Pass::alias);
  tape_.release(scores);
  tape_.release(parts[0]);
  const Value shares = softmax(biased, settings_.autocast);
  tape_.release(biased);
  const Value mixed = product(shares, parts[2], shape);
  tape_.release(shares);
  tape_.release(parts[2]);
  const Value dense = copy(mixed);
  tape_.release(mixed);
  Value out = matrix(dense, x.shape.c, true, is_trained, 1);
  tape_.release(dense);
  if (window) {
    Value inside = tape_.make(x.shape, out.bytes);
    tape_.node({&out}, inside, Pass::fresh);
    tape_.release(out);
    out = inside;
  }
  set(operation, out);
}

/// nonlocal: `inner`: theta, phi and g of a map, the matrix of all pairs, and a residual projection.
void Walker::non_local(const Operation& operation) {
  const Value& x = in(operation);
  const Count inner = operation.a[0];
  const bool is_trained = trained(operation);
  const Value theta = matrix(x, inner, true, is_trained);
  const Value phi = matrix(x, inner, true, is_trained);
  const Value g = matrix(x, inner, true, is_trained);
  Shape pairs;
  pairs.n = x.shape.n;
  pairs.h = pairs.w = x.shape.t * x.shape.h * x.shape.w;
  const Value scores = product(theta, phi, pairs);
  tape_.release(theta);
  tape_.release(phi);
  const Value shares = softmax(scores, settings_.autocast);
  tape_.release(scores);
  const Value mixed = product(shares, g, g.shape);
  tape_.release(shares);
  tape_.release(g);
  const Value projected = matrix(mixed, x.shape.c, true, is_trained);
  tape_.release(mixed);
  const Value out = sum(projected, x);
  tape_.release(projected);
  set(operation, out);
}

}  // namespace vram::vision
