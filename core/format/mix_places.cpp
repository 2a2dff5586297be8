#include "core/format/mix_places.h"

namespace vram {
namespace {

using Mix = GgufMix;

/// The places that a mix asks for.
std::uint16_t asked_by(Mix mix, const QuantiserContext& context) {
  using P = LayerPlace;
  switch (mix) {
    case Mix::q4_k_m: return P::kValueMore | P::kFfnMore | (context.falcon ? P::kFfnFirst16th : 0);
    case Mix::q5_k_m: return P::kValueMore | P::kFfnMore;
    case Mix::q4_k_s: return P::kValueFirst4 | P::kFfnFirst8th;
    case Mix::q3_k_m: return P::kValueFirst2 | P::kFfnFirst16th | (context.falcon ? P::kFfnMore : 0);
    case Mix::q2_k_s: return P::kFfnFirst8th;
    case Mix::iq3_xs: return P::kFfnMiddle;
    case Mix::iq3_m: return P::kFfnFirst8th | (context.experts == Count(8) ? P::kFfnMore : 0);
    case Mix::iq3_xxs:
    case Mix::iq4_nl:
    case Mix::iq4_xs: return context.has_imatrix ? 0 : P::kFfnFirst8th;
    // Only an importance matrix makes the first layers of Q4_0 and Q5_0 better.
    case Mix::q4_0:
    case Mix::q5_0: return context.has_imatrix ? P::kFfnFirst8th : 0;
    default: return is_one_or_two_bit(mix) ? P::kFfnFirst8th | P::kSharedFirst8th : 0;
  }
}

/// use_more_bits(): the first and the last eighth and every third in between.
bool more_bits(std::uint32_t i, std::uint32_t eighth, std::uint32_t last) {
  return i < eighth || i >= last || (i - eighth) % 3 == 2;
}

std::uint32_t small(Count count) { return static_cast<std::uint32_t>(min(count, Count(1U << 24U)).value()); }

}  // namespace

MixPlaces::MixPlaces(GgufMix mix, const QuantiserContext& context)
    : asked_(asked_by(mix, context)),
      // The name gives the layer where there are experts, except in the 1- and 2-bit mixes.
      counts_ffn_(context.experts <= Count(1) || is_one_or_two_bit(mix)),
      values_eighth_(small(context.value_tensors) / 8),
      values_last_(7 * small(context.value_tensors) / 8),
      layers_sixteenth_(small(context.layers) / 16),
      layers_eighth_(small(context.layers) / 8),
      layers_last_(7 * small(context.layers) / 8) {}

LayerPlace MixPlaces::at(std::uint32_t value, std::uint32_t ffn, std::uint32_t shared) const {
  unsigned bits = 0;
  if (value < 2) bits |= LayerPlace::kValueFirst2;
  if (value < 4) bits |= LayerPlace::kValueFirst4;
  if (more_bits(value, values_eighth_, values_last_)) bits |= LayerPlace::kValueMore;
  if (ffn < layers_sixteenth_) bits |= LayerPlace::kFfnFirst16th;
  if (ffn < layers_eighth_) bits |= LayerPlace::kFfnFirst8th;
  if (more_bits(ffn, layers_eighth_, layers_last_)) bits |= LayerPlace::kFfnMore;
  if (ffn >= layers_eighth_ && ffn < layers_last_) bits |= LayerPlace::kFfnMiddle;
  if (shared < layers_eighth_) bits |= LayerPlace::kSharedFirst8th;
  return {static_cast<std::uint16_t>(bits & asked_)};
}

}  // namespace vram
