// Where a layer stands among those that llama.cpp's mixes count.
#pragma once

#include <cstdint>

#include "core/format/quantiser_context.h"
#include "core/format/storage_format.h"

namespace vram {

/// What llama.cpp's mixes ask about a layer's place, as bits: layers of one kind with equal bits store the same.
struct LayerPlace {
  enum Bit : std::uint16_t {
    kValueFirst2 = 1,  ///< among the first two attn_v tensors
    kValueFirst4 = 2,
    kValueMore = 4,     ///< llama.cpp's use_more_bits() for attn_v
    kFfnFirst16th = 8,  ///< in the first sixteenth of the layers
    kFfnFirst8th = 16,
    kFfnMore = 32,          ///< use_more_bits() for ffn_down
    kFfnMiddle = 64,        ///< in the middle six eighths
    kSharedFirst8th = 128,  ///< the same for the shared expert's matrix, which the 1- and 2-bit mixes count by itself
                            // Of the kind of layer rather than its place:
    kDeltaNet = 256,        ///< the first mixer_in is what llama.cpp calls attn_qkv and attn_gate
    kTimeMix = 512,         ///< RWKV: low-rank matrices stay in fp32
  };
  std::uint16_t bits = 0;

  [[nodiscard]] constexpr bool has(Bit bit) const { return (bits & bit) != 0; }
  friend bool operator==(LayerPlace, LayerPlace) = default;
};

/// Answers a mix's questions about places; a bit that the mix does not ask for is never set. F-3.3.
class MixPlaces {
 public:
  MixPlaces(GgufMix mix, const QuantiserContext& context);

  /// True when no answer depends on the place.
  [[nodiscard]] bool uniform() const { return asked_ == 0; }
  /// True when feed-forward tensors are counted one by one, not by the layer's index.
  [[nodiscard]] bool counts_ffn() const { return counts_ffn_; }
  /// `value`: attn_v tensors before this layer; `ffn`: this layer's index, or the ffn_down tensors before it when
  /// counts_ffn(); `shared`: the same for the shared expert's tensor.
  [[nodiscard]] LayerPlace at(std::uint32_t value, std::uint32_t ffn, std::uint32_t shared) const;

 private:
  std::uint16_t asked_ = 0;
  bool counts_ffn_ = false;
  std::uint32_t values_eighth_, values_last_, layers_sixteenth_, layers_eighth_, layers_last_;
};

/// The mixes below three bits, which share rules of their own.
constexpr bool is_one_or_two_bit(GgufMix mix) {
  return mix == GgufMix::iq1_s || mix == GgufMix::iq1_m || mix == GgufMix::iq2_xxs || mix == GgufMix::iq2_xs ||
         mix == GgufMix::iq2_s || mix == GgufMix::iq2_m;
}

}  // namespace vram
