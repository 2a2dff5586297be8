#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "core/format/quantiser.h"
#include "core/format/storage_format.h"

using namespace vram;

TEST_CASE("every word of the field `weights` is a format and has its name back", "[format]") {
  // api.md, and every file type of llama-quantize.
  const char* const words[] = {
      "fp32",      "bf16",     "fp16",     "fp8",       "int8",      "nf4",    "nf4_dq", "fp4",    "gptq4",
      "gptq8",     "awq4",     "w4a16",    "mxfp4",     "nvfp4",     "q4_0",   "q4_1",   "q5_0",   "q5_1",
      "q8_0",      "q2_k",     "q2_k_s",   "q3_k_s",    "q3_k_m",    "q3_k_l", "q4_k_s", "q4_k_m", "q5_k_s",
      "q5_k_m",    "q6_k",     "iq1_s",    "iq1_m",     "iq2_xxs",   "iq2_xs", "iq2_s",  "iq2_m",  "iq3_xxs",
      "iq3_xs",    "iq3_s",    "iq3_m",    "iq4_nl",    "iq4_xs",    "tq1_0",  "tq2_0",  "q1_0",   "q2_0",
      "mxfp4_moe", "gguf_f32", "gguf_f16", "gguf_bf16", "gguf_nvfp4"};
  for (const char* word : words) {
    INFO(word);
    const std::optional<WeightFormat> format = parse_weight_format(word);
    REQUIRE(format);
    CHECK(name_of(*format) == word);
  }
  CHECK(named_formats().size() == std::size(words));
}

TEST_CASE("no two names mean one format", "[format]") {
  std::set<std::string_view> names;
  for (const NamedFormat& row : named_formats()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(parse_weight_format(row.name) == row.format);
    CHECK(name_of(row.format) == row.name);
    CHECK(nominal_bits_x100(row.format) > 100);
  }
}

TEST_CASE("short names of llama-quantize mean the medium mixes", "[format]") {
  for (const char* word : {"q3_k", "q4_k", "q5_k"}) {
    const std::optional<WeightFormat> format = parse_weight_format(word);
    REQUIRE(format);
    CHECK(name_of(*format) == std::string(word) + "_m");
  }
}

TEST_CASE("ExLlama takes a bit rate from 1 to 8 with two decimals", "[format]") {
  struct Row {
    const char* text;
    const char* canonical;
    std::uint16_t rate;
  };
  const Row good[] = {{"exl3-4.25", "exl3-4.25", 425}, {"exl2-4.0", "exl2-4", 400},   {"exl2-1", "exl2-1", 100},
                      {"exl3-8.00", "exl3-8", 800},    {"exl3-2.5", "exl3-2.5", 250}, {"exl2-6.05", "exl2-6.05", 605}};
  for (const Row& row : good) {
    INFO(row.text);
    const std::optional<WeightFormat> format = parse_weight_format(row.text);
    REQUIRE(format);
    CHECK(format->scheme == WeightScheme::exl);
    CHECK(format->bits_x100 == row.rate);
    CHECK(nominal_bits_x100(*format) == row.rate);
    CHECK(name_of(*format) == row.canonical);
    CHECK(parse_weight_format(row.canonical) == format);
  }
  for (const char* text : {"exl3", "exl3-", "exl3-.5", "exl3-0.99", "exl3-8.01", "exl3-4.", "exl3-4.255", "exl3-42",
                           "exl3-+4", "exl3-4,25", "exl3-4.2x", "exl1-4", "exl3- 4", "exl34", "exl2-4.25 "}) {
    INFO(text);
    CHECK_FALSE(parse_weight_format(text));
  }
}

TEST_CASE("every bit rate of ExLlama goes to text and back", "[format]") {
  for (std::uint16_t rate = 100; rate <= 800; ++rate) {
    WeightFormat format = *parse_weight_format("exl2-4");
    format.bits_x100 = rate;
    CHECK(parse_weight_format(name_of(format)) == format);
  }
}

TEST_CASE("words that mean nothing are no format", "[format]") {
  for (const char* word : {"", "q4", "Q4_K_M", "q4_k_m ", "fp16 ", "f16", "f32", "int4", "nf4-dq", "q9_9"}) {
    INFO(word);
    CHECK_FALSE(parse_weight_format(word));
  }
  WeightFormat nameless = *parse_weight_format("gptq4");
  nameless.group = 48;
  CHECK(name_of(nameless).empty());
  CHECK(nominal_bits_x100(nameless) == 0);
}

TEST_CASE("groups of another size have an ending", "[format]") {
  const std::optional<WeightFormat> small = parse_weight_format("awq4_g32");
  REQUIRE(small);
  CHECK(small->group == 32);
  CHECK(name_of(*small) == "awq4_g32");
  CHECK(nominal_bits_x100(*small) == nominal_bits_x100(*parse_weight_format("awq4")));
  CHECK(name_of(*parse_weight_format("gptq4_row")) == "gptq4_row");
  for (const char* text : {"awq4_g128", "nf4_g32", "q4_0_row", "awq4_", "_g32", "awq4_g32_g32"}) {
    INFO(text);
    CHECK_FALSE(parse_weight_format(text));
  }
  // 4,096 x 4,096: values, one zero and scale a row, and the columns' indexes; or 128 groups a row.
  Tensor matrix;
  matrix.role = TensorRole::attn_q;
  matrix.rows = matrix.cols = 4096;
  CHECK(stored_bytes(*parse_weight_format("gptq4_row"), matrix, {}, {}) == Bytes(4096 * 2048 + 2048 + 8192 + 16384));
  CHECK(stored_bytes(*small, matrix, {}, {}) == Bytes(4096 * 2048 + 128 * 4096 / 2 + 128 * 4096 * 2));
}
