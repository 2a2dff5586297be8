#include "core/format/storage_format.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace vram;

TEST_CASE("every layout is found by its name and by its ggml id", "[format]") {
  std::set<std::string_view> names;
  std::set<int> ids;
  for (const BlockLayout& layout : block_layouts()) {
    INFO(layout.name);
    CHECK(layout_of(layout.type).name == layout.name);
    CHECK(tensor_type_by_name(layout.name) == layout.type);
    CHECK(names.insert(layout.name).second);
    if (layout.ggml_id < 0) continue;
    CHECK(tensor_type_by_ggml_id(static_cast<std::uint32_t>(layout.ggml_id)) == layout.type);
    CHECK(ids.insert(layout.ggml_id).second);
  }
  CHECK(names.size() == 36);
  CHECK(ids.size() == 35);  // all but fp8
}

TEST_CASE("ids that ggml removed or never had are no type", "[format]") {
  for (const std::uint32_t id : {4U, 5U, 31U, 32U, 33U, 36U, 37U, 38U, 43U, 137U, 0xFFFFFFFFU}) {
    INFO(id);
    CHECK_FALSE(tensor_type_by_ggml_id(id));
  }
  CHECK_FALSE(tensor_type_by_name("q4_k_m"));  // a mix, not a type
  CHECK_FALSE(tensor_type_by_name(""));
}

TEST_CASE("rows are padded to whole blocks", "[format]") {
  struct Row {
    TensorType type;
    std::uint64_t rows, cols, bytes;
  };
  const Row table[] = {
      {TensorType::q4_k, 1, 256, 144},
      {TensorType::q4_k, 1, 257, 288},
      {TensorType::q4_k, 3, 255, 432},
      {TensorType::q8_0, 2, 31, 68},
      {TensorType::q8_0, 2, 33, 136},
      {TensorType::q4_0, 0, 32, 0},
      {TensorType::q4_0, 32, 0, 0},
      {TensorType::f32, 7, 5, 140},
      {TensorType::bf16, 1, 1, 2},
      {TensorType::nvfp4, 1, 65, 72},
      {TensorType::iq1_s, 1, 1, 50},
      {TensorType::fp8, 3, 3, 9},
      {TensorType::q6_k, 128256, 4096, 430940160},
  };
  for (const Row& row : table) {
    INFO(layout_of(row.type).name << ' ' << row.rows << " x " << row.cols);
    CHECK(bytes_of(row.type, row.rows, row.cols) == Bytes(row.bytes));
  }
}

TEST_CASE("sizes beyond 64 bits saturate", "[format]") {
  CHECK(bytes_of(TensorType::f32, Count::max(), 2).is_saturated());
  CHECK(bytes_of(TensorType::q8_0, 1U << 31U, Count::max()).is_saturated());
}
