#include "core/model/vision/operation.h"

#include <algorithm>

namespace vram::vision {
namespace {

constexpr std::uint8_t kAny = 255;

constexpr Signature kSignatures[] = {
    // p=-1: "same" padding of the dilated kernel. kw, sw, pw: where the width differs; kt, st, pt: time.
    {"conv", Op::conv, "out k=1 s=1 p=-1 g=1 d=1 kt=1 st=1 pt=-1 kw=0 sw=0 pw=-1", "bias"},
    {"tconv", Op::transposed_conv, "out k s p=0 g=1", "bias"},
    {"linear", Op::linear, "out", "nobias,twin,adapted"},
    {"bn", Op::batch_norm, "", ""},
    {"ln", Op::layer_norm, "", "channels,nobias,plain"},
    {"gn", Op::group_norm, "groups", ""},
    {"inorm", Op::instance_norm, "", ""},
    {"rms", Op::rms_norm, "", ""},
    {"relu", Op::relu, "", "inplace"},
    {"relu6", Op::relu6, "", "inplace"},
    {"leaky", Op::leaky_relu, "", "inplace"},
    {"silu", Op::silu, "", "inplace"},
    {"gelu", Op::gelu, "", ""},
    {"hswish", Op::hardswish, "", "inplace"},
    {"hsig", Op::hardsigmoid, "", "inplace"},
    {"sigmoid", Op::sigmoid, "", ""},
    {"tanh", Op::tanh, "", ""},
    {"mish", Op::mish, "", "inplace"},
    {"softmax", Op::softmax, "", ""},
    {"maxpool", Op::max_pool, "k s=0 p=0 kt=1 st=1 pt=0", "ceil"},
    {"avgpool", Op::average_pool, "k s=0 p=0 kt=1 st=1", "ceil"},
    {"gap", Op::global_pool, "", "mean"},
    {"aap", Op::adaptive_pool, "k", ""},
    {"flatten", Op::flatten, "", ""},
    {"up", Op::upsample, "r=2", "bilinear"},
    {"resize", Op::resize, "", "image", 1},  // to the size of the named value, or of the image
    {"add", Op::add, "", "inplace", 1},
    {"mul", Op::multiply, "", "", 1},
    {"scale", Op::scale, "", ""},
    {"lscale", Op::layer_scale, "", ""},
    {"drop", Op::dropout, "percent", "inplace,channels"},
    {"droppath", Op::drop_path, "", ""},
    {"concat", Op::concatenate, "", "tokens", kAny},
    {"chunk", Op::chunk, "of first=0 count=1", ""},
    {"shuffle", Op::shuffle, "", ""},
    {"copy", Op::copy, "", ""},
    {"s2d", Op::space_to_depth, "r=2", ""},
    {"pixelshuffle", Op::pixel_shuffle, "r=2", ""},
    {"tokens", Op::tokens, "extra=0", ""},
    {"first", Op::first, "", ""},
    {"pos", Op::positions, "", "grid"},
    {"grid", Op::grid, "", "", 1},
    {"frames", Op::frames, "r", ""},
    {"merge", Op::patch_merge, "", ""},
    {"attn", Op::attention, "heads dim=0", "module,eager,nobias,rope,mask,nokbias,twin,norms,noproj"},
    {"cross", Op::cross_attention, "heads dim=0", "nobias,rms", 1},
    {"wattn", Op::window_attention, "heads window shift=0", "v2"},
    {"rattn", Op::relative_attention, "heads window=0", ""},
    {"dattn", Op::deformable_attention, "heads levels points", "", 1},
    {"srattn", Op::reduced_attention, "heads r", ""},
    {"nonlocal", Op::non_local, "inner", ""},
    {"roi", Op::roi_align, "rois k", "", kAny},
    {"queries", Op::queries, "n c", "given"},
    {"shift", Op::shift, "of", ""},
    {"hold", Op::hold, "", "", kAny},
    // iou: overlaps of `a` anchors a position with an image's boxes, computed when targets are assigned.
    {"iou", Op::overlaps, "a=1", ""},
    // loss: over the positions of the current value. ce = cross-entropy over channels, bce = one number an element.
    {"loss", Op::loss, "copies=0", "ce,bce"},
    {"output", Op::output, "", "", kAny},
};

/// The words of a list separated by `mark`, one after the other.
class Words {
 public:
  Words(std::string_view list, char mark) : rest_(list), mark_(mark) {}
  bool next(std::string_view& word) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find(mark_), rest_.size());
    word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(rest_.size(), end + 1));
    return true;
  }

 private:
  std::string_view rest_;
  char mark_;
};

}  // namespace

std::span<const Signature> signatures() { return kSignatures; }

const Signature* find_signature(std::string_view word) {
  for (const Signature& signature : kSignatures) {
    if (signature.word == word) return &signature;
  }
  return nullptr;
}

int parameter_index(const Signature& signature, std::string_view name) {
  Words words(signature.parameters, ' ');
  int index = 0;
  for (std::string_view word; words.next(word); ++index) {
    if (word.substr(0, word.find('=')) == name) return index;
  }
  return -1;
}

int flag_index(const Signature& signature, std::string_view name) {
  Words words(signature.flags, ',');
  int index = 0;
  for (std::string_view word; words.next(word); ++index) {
    if (word == name) return index;
  }
  return -1;
}

std::int64_t parameter_default(const Signature& signature, int index, bool& required) {
  Words words(signature.parameters, ' ');
  required = false;
  int at = 0;
  for (std::string_view word; words.next(word); ++at) {
    if (at != index) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      required = true;
      return 0;
    }
    const std::string_view value = word.substr(equals + 1);
    if (value == "-1") return -1;
    return value.front() - '0';
  }
  return 0;
}

}  // namespace vram::vision
