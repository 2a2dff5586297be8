// How numbers are stored: one exact table of element and block formats.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/count.h"

namespace vram {

/// Block formats of single tensors: `block_elements` consecutive elements of a row take `block_bytes` bytes.
enum class TensorType : std::uint8_t {
  f32,
  f16,
  bf16,
  f64,
  i8,
  i16,
  i32,
  i64,
  fp8,  ///< E4M3 or E5M2, scales counted by the quantiser
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q8_1,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  q8_k,
  iq1_s,
  iq1_m,
  iq2_xxs,
  iq2_xs,
  iq2_s,
  iq3_xxs,
  iq3_s,
  iq4_nl,
  iq4_xs,
  tq1_0,
  tq2_0,
  mxfp4,
  nvfp4,
  q1_0,
  q2_0,
};

struct BlockLayout {
  TensorType type;
  std::string_view name;         ///< llama.cpp's name in lower case, or the dtype's
  std::uint16_t block_elements;  ///< a power of two
  std::uint16_t block_bytes;
  std::int16_t ggml_id;  ///< -1: not a ggml type
};

/// The exact layouts, in the order of TensorType. F-3.1, F-3.2: ggml/src/ggml-common.h, ggml/include/ggml.h.
inline constexpr std::array kBlockLayouts = {
    // type, name, elements, bytes, ggml id
    BlockLayout{TensorType::f32, "f32", 1, 4, 0},
    BlockLayout{TensorType::f16, "f16", 1, 2, 1},
    BlockLayout{TensorType::bf16, "bf16", 1, 2, 30},
    BlockLayout{TensorType::f64, "f64", 1, 8, 28},
    BlockLayout{TensorType::i8, "i8", 1, 1, 24},
    BlockLayout{TensorType::i16, "i16", 1, 2, 25},
    BlockLayout{TensorType::i32, "i32", 1, 4, 26},
    BlockLayout{TensorType::i64, "i64", 1, 8, 27},
    BlockLayout{TensorType::fp8, "fp8", 1, 1, -1},
    BlockLayout{TensorType::q4_0, "q4_0", 32, 18, 2},  // fp16 scale + 32 x 4 bit
    BlockLayout{TensorType::q4_1, "q4_1", 32, 20, 3},  // + fp16 minimum
    BlockLayout{TensorType::q5_0, "q5_0", 32, 22, 6},
    BlockLayout{TensorType::q5_1, "q5_1", 32, 24, 7},
    BlockLayout{TensorType::q8_0, "q8_0", 32, 34, 8},
    BlockLayout{TensorType::q8_1, "q8_1", 32, 36, 9},  // activations only
    BlockLayout{TensorType::q2_k, "q2_k", 256, 84, 10},
    BlockLayout{TensorType::q3_k, "q3_k", 256, 110, 11},
    BlockLayout{TensorType::q4_k, "q4_k", 256, 144, 12},
    BlockLayout{TensorType::q5_k, "q5_k", 256, 176, 13},
    BlockLayout{TensorType::q6_k, "q6_k", 256, 210, 14},
    BlockLayout{TensorType::q8_k, "q8_k", 256, 292, 15},  // activations only
    BlockLayout{TensorType::iq1_s, "iq1_s", 256, 50, 19},
    BlockLayout{TensorType::iq1_m, "iq1_m", 256, 56, 29},
    BlockLayout{TensorType::iq2_xxs, "iq2_xxs", 256, 66, 16},
    BlockLayout{TensorType::iq2_xs, "iq2_xs", 256, 74, 17},
    BlockLayout{TensorType::iq2_s, "iq2_s", 256, 82, 22},
    BlockLayout{TensorType::iq3_xxs, "iq3_xxs", 256, 98, 18},
    BlockLayout{TensorType::iq3_s, "iq3_s", 256, 110, 21},
    BlockLayout{TensorType::iq4_nl, "iq4_nl", 32, 18, 20},
    BlockLayout{TensorType::iq4_xs, "iq4_xs", 256, 136, 23},
    BlockLayout{TensorType::tq1_0, "tq1_0", 256, 54, 34},
    BlockLayout{TensorType::tq2_0, "tq2_0", 256, 66, 35},
    BlockLayout{TensorType::mxfp4, "mxfp4", 32, 17, 39},  // E8M0 scale + 32 x 4 bit
    BlockLayout{TensorType::nvfp4, "nvfp4", 64, 36, 40},  // four E4M3 scales + 64 x 4 bit
    BlockLayout{TensorType::q1_0, "q1_0", 128, 18, 41},
    BlockLayout{TensorType::q2_0, "q2_0", 64, 18, 42},
};

/// All block layouts, indexed by TensorType.
constexpr std::span<const BlockLayout> block_layouts() { return kBlockLayouts; }
constexpr const BlockLayout& layout_of(TensorType type) { return kBlockLayouts[static_cast<std::size_t>(type)]; }
std::optional<TensorType> tensor_type_by_name(std::string_view name);
/// Ids 4, 5, 31 to 33 and 36 to 38 were removed from ggml; forks use others. Both give nullopt: never a guess (F-3.2).
std::optional<TensorType> tensor_type_by_ggml_id(std::uint32_t id);

/// True for formats whose elements share a block's scale.
constexpr bool is_block_format(TensorType type) { return layout_of(type).block_elements > 1; }

/// Bytes of `rows` rows of `cols` elements. Rows that do not fill whole blocks are padded to the next block. F-3.2.
constexpr Bytes bytes_of(TensorType type, Count rows, Count cols) {
  const BlockLayout& layout = layout_of(type);
  const Count padded = cols + Count(layout.block_elements - 1);
  const Count blocks = padded.value() >> static_cast<unsigned>(std::countr_zero(layout.block_elements));
  return rows * blocks * Count(layout.block_bytes);
}

/// The families of whole-model storage formats.
enum class WeightScheme : std::uint8_t {
  plain,  ///< every tensor in `base`
  gguf,   ///< llama.cpp mix `mix`: a type per tensor (F-3.3)
  bnb4,   ///< bitsandbytes NF4/FP4, block 64; `double_quant` (F-3.4)
  bnb8,   ///< LLM.int8 (F-3.4)
  gptq,   ///< `bits`, `group`, order of columns stored (F-3.5)
  awq,    ///< `bits`, `group` (F-3.6)
  wna16,  ///< compressed-tensors, symmetric: `bits`, `group`, no zero points (F-3.7)
  fp8,    ///< per-channel or 128 x 128 block scales (F-3.8)
  mxfp4,  ///< routed experts as in gpt-oss; every linear layer where there are none (F-3.10)
  nvfp4,  ///< (F-3.9)
  exl,    ///< ExLlama: `bits_x100` hundredths of a bit per weight (F-3.11)
};

/// llama.cpp file types; the order follows catalogue names, not llama.cpp's enum.
enum class GgufMix : std::uint8_t {
  f32,
  f16,
  bf16,
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q2_k,
  q2_k_s,
  q3_k_s,
  q3_k_m,
  q3_k_l,
  q4_k_s,
  q4_k_m,
  q5_k_s,
  q5_k_m,
  q6_k,
  iq1_s,
  iq1_m,
  iq2_xxs,
  iq2_xs,
  iq2_s,
  iq2_m,
  iq3_xxs,
  iq3_xs,
  iq3_s,
  iq3_m,
  iq4_nl,
  iq4_xs,
  tq1_0,
  tq2_0,
  mxfp4_moe,
  nvfp4,
  q1_0,
  q2_0,
};

/// The storage format of a model's weights, i.e. a value of the request field `weights`.
struct WeightFormat {
  WeightScheme scheme = WeightScheme::plain;
  TensorType base = TensorType::bf16;  ///< plain: the type; others: the type of what is not quantised
  GgufMix mix = GgufMix::q4_k_m;       ///< scheme gguf
  bool double_quant = false;           ///< bnb4
  bool fp4 = false;                    ///< bnb4: FP4 code book instead of NF4, same size
  std::uint8_t bits = 16;              ///< gptq, awq, wna16
  std::uint16_t group = 128;           ///< gptq, awq, wna16
  std::uint16_t bits_x100 = 0;         ///< exl
  std::uint8_t exl_version = 3;        ///< exl: 2 or 3

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

/// One row per value of the request field `weights` that is a plain word (exl2-/exl3- take a bit rate: see parse).
struct NamedFormat {
  std::string_view name;  ///< api.md id: "bf16", "nf4_dq", "q4_k_m", ...
  WeightFormat format;
  std::uint16_t nominal_bits_x100;  ///< see nominal_bits_x100()
};
std::span<const NamedFormat> named_formats();

/// Parses "bf16", "nf4_dq", "q4_k_m", "exl3-4.25" ... ; nullopt when the name means nothing. Bit rates of ExLlama go from
/// 1 to 8 with at most two decimals. GGUF files of plain floats are "gguf_f32", "gguf_f16", "gguf_bf16": their
/// normalisations and routers stay in fp32.
std::optional<WeightFormat> parse_weight_format(std::string_view name);
/// The canonical name: the inverse of parse_weight_format.
std::string name_of(const WeightFormat& format);

/// Nominal bits per weight of the quantised part, in hundredths, to order formats ("more bits"): the mean over the
/// quantised matrices in the layers of Llama-3-8B, for mxfp4_moe over experts. 0 for a format without a name.
std::uint32_t nominal_bits_x100(const WeightFormat& format);

}  // namespace vram
