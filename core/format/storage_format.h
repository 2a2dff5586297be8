// How numbers are stored: one exact table of element and block formats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/count.h"

namespace vram {

/// Block formats of single tensors: `block_elements` consecutive elements of a row take `block_bytes` bytes.
enum class TensorType : std::uint8_t {
  f32, f16, bf16, f64, i8, i16, i32, i64,
  fp8,  ///< E4M3 or E5M2, scales counted by the quantiser
  q4_0, q4_1, q5_0, q5_1, q8_0, q8_1,
  q2_k, q3_k, q4_k, q5_k, q6_k, q8_k,
  iq1_s, iq1_m, iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq4_nl, iq4_xs,
  tq1_0, tq2_0, mxfp4, nvfp4, q1_0, q2_0,
};

struct BlockLayout {
  TensorType type;
  std::string_view name;  ///< llama.cpp's name in lower case, or the dtype's
  std::uint16_t block_elements;
  std::uint16_t block_bytes;
  std::int16_t ggml_id;   ///< -1: not a ggml type
};

/// All block layouts, indexed by TensorType.
std::span<const BlockLayout> block_layouts();
const BlockLayout& layout_of(TensorType type);
std::optional<TensorType> tensor_type_by_name(std::string_view name);
std::optional<TensorType> tensor_type_by_ggml_id(std::uint32_t id);

/// Bytes of `rows` rows of `cols` elements. Rows that do not fill whole blocks are padded to the next block.
Bytes bytes_of(TensorType type, Count rows, Count cols);

/// The families of whole-model storage formats.
enum class WeightScheme : std::uint8_t {
  plain,      ///< every tensor in `base`
  gguf,       ///< llama.cpp mix `mix`: a type per tensor (F-3.3)
  bnb4,       ///< bitsandbytes NF4/FP4, block 64; `double_quant` (F-3.4)
  bnb8,       ///< LLM.int8
  gptq,       ///< `bits`, `group` (F-3.5)
  awq,        ///< (F-3.6)
  fp8,        ///< per-channel or block scales (F-3.8)
  mxfp4,      ///< (F-3.10)
  nvfp4,      ///< (F-3.9)
  exl,        ///< ExLlama: `bits_x100` hundredths of a bit per weight (F-3.11)
};

/// llama.cpp file types; the order follows catalogue names, not llama.cpp's enum.
enum class GgufMix : std::uint8_t {
  f32, f16, bf16, q4_0, q4_1, q5_0, q5_1, q8_0,
  q2_k, q2_k_s, q3_k_s, q3_k_m, q3_k_l, q4_k_s, q4_k_m, q5_k_s, q5_k_m, q6_k,
  iq1_s, iq1_m, iq2_xxs, iq2_xs, iq2_s, iq2_m, iq3_xxs, iq3_xs, iq3_s, iq3_m, iq4_nl, iq4_xs,
  tq1_0, tq2_0, mxfp4_moe,
};

/// The storage format of a model's weights, i.e. a value of the request field `weights`.
struct WeightFormat {
  WeightScheme scheme = WeightScheme::plain;
  TensorType base = TensorType::bf16;  ///< plain: the type; others: the type of what is not quantised
  GgufMix mix = GgufMix::q4_k_m;       ///< scheme gguf
  bool double_quant = false;           ///< bnb4
  std::uint8_t bits = 16;              ///< gptq, awq
  std::uint16_t group = 128;           ///< gptq, awq
  std::uint16_t bits_x100 = 0;         ///< exl

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

/// One row per value of the request field `weights` that is a plain word (exl2-/exl3- take a bit rate: see parse).
struct NamedFormat {
  std::string_view name;  ///< api.md id: "bf16", "nf4_dq", "q4_k_m", ...
  WeightFormat format;
};
std::span<const NamedFormat> named_formats();

/// Parses "bf16", "nf4_dq", "q4_k_m", "exl3-4.25" ... ; nullopt when the name means nothing.
std::optional<WeightFormat> parse_weight_format(std::string_view name);
/// The canonical name: the inverse of parse_weight_format.
std::string name_of(const WeightFormat& format);

/// Nominal bits per weight of the quantised part, in hundredths, to order formats ("more bits").
std::uint32_t nominal_bits_x100(const WeightFormat& format);

}  // namespace vram
