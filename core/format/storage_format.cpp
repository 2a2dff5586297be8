#include "core/format/storage_format.h"

namespace vram {
namespace {

constexpr bool table_is_in_enum_order() {
  for (std::size_t i = 0; i < kBlockLayouts.size(); ++i) {
    if (static_cast<std::size_t>(kBlockLayouts[i].type) != i) return false;
    if (!std::has_single_bit(kBlockLayouts[i].block_elements)) return false;  // bytes_of() shifts
  }
  return true;
}
static_assert(table_is_in_enum_order());
static_assert(kBlockLayouts.size() == static_cast<std::size_t>(TensorType::q2_0) + 1);

// Bits per weight as ggml documents them: each is block_bytes * 8 / block_elements (F-3.2).
constexpr bool has_bits(TensorType type, double bits_per_weight) {
  const BlockLayout& layout = layout_of(type);
  return layout.block_bytes * 8.0 == bits_per_weight * layout.block_elements;
}
static_assert(has_bits(TensorType::f32, 32) && has_bits(TensorType::f16, 16) && has_bits(TensorType::bf16, 16));
static_assert(has_bits(TensorType::q4_0, 4.5) && has_bits(TensorType::q4_1, 5) && has_bits(TensorType::q5_0, 5.5));
static_assert(has_bits(TensorType::q5_1, 6) && has_bits(TensorType::q8_0, 8.5) && has_bits(TensorType::q8_1, 9));
static_assert(has_bits(TensorType::q2_k, 2.625) && has_bits(TensorType::q3_k, 3.4375));
static_assert(has_bits(TensorType::q4_k, 4.5) && has_bits(TensorType::q5_k, 5.5) && has_bits(TensorType::q6_k, 6.5625));
static_assert(has_bits(TensorType::q8_k, 9.125) && has_bits(TensorType::iq1_s, 1.5625));
static_assert(has_bits(TensorType::iq1_m, 1.75) && has_bits(TensorType::iq2_xxs, 2.0625));
static_assert(has_bits(TensorType::iq2_xs, 2.3125) && has_bits(TensorType::iq2_s, 2.5625));
static_assert(has_bits(TensorType::iq3_xxs, 3.0625) && has_bits(TensorType::iq3_s, 3.4375));
static_assert(has_bits(TensorType::iq4_nl, 4.5) && has_bits(TensorType::iq4_xs, 4.25));
static_assert(has_bits(TensorType::tq1_0, 1.6875) && has_bits(TensorType::tq2_0, 2.0625));
static_assert(has_bits(TensorType::mxfp4, 4.25) && has_bits(TensorType::nvfp4, 4.5));
static_assert(has_bits(TensorType::q1_0, 1.125) && has_bits(TensorType::q2_0, 2.25));

// T-3.30: 4096 x 4096 in MXFP4; a row of 33 elements takes two blocks of 32.
static_assert(bytes_of(TensorType::mxfp4, 4096, 4096) == Bytes(8912896));
static_assert(bytes_of(TensorType::q4_0, 1, 33) == Bytes(36));

}  // namespace

std::optional<TensorType> tensor_type_by_name(std::string_view name) {
  for (const BlockLayout& layout : kBlockLayouts) {
    if (layout.name == name) return layout.type;
  }
  return std::nullopt;
}

std::optional<TensorType> tensor_type_by_ggml_id(std::uint32_t id) {
  for (const BlockLayout& layout : kBlockLayouts) {
    if (layout.ggml_id >= 0 && static_cast<std::uint32_t>(layout.ggml_id) == id) return layout.type;
  }
  return std::nullopt;
}

}  // namespace vram
