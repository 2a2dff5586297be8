#include "core/base/number.h"

#include <catch2/catch_test_macros.hpp>

using namespace vram;

namespace {
const NumberStyle kEnglish{".", ","};
const NumberStyle kPortuguese{",", "."};
}  // namespace

TEST_CASE("integers are grouped by the language's marks", "[base][number]") {
  CHECK(format_integer(0, kEnglish) == "0");
  CHECK(format_integer(999, kEnglish) == "999");
  CHECK(format_integer(1000, kEnglish) == "1,000");
  CHECK(format_integer(131072, kPortuguese) == "131.072");
  CHECK(format_integer(8192, kPortuguese, 10000) == "8192");
}

TEST_CASE("decimals round half up and keep their sign", "[base][number]") {
  CHECK(format_decimal(14.45, 1, kPortuguese) == "14,5");
  CHECK(format_decimal(0.05, 1, kEnglish) == "0.1");
  CHECK(format_decimal(-0.01, 1, kEnglish) == "0.0");
  CHECK(format_decimal(-2.5, 0, kEnglish) == "-3");
  CHECK(format_decimal(1234.5, 1, kEnglish) == "1,234.5");
  CHECK(format_short(8, 2, kEnglish) == "8");
  CHECK(format_short(0.5, 2, kEnglish) == "0.5");
  CHECK(format_gib(kGiB * 9 + kGiB / 2, kEnglish) == "9.50");
  CHECK(format_gib(kGiB * 14 + kGiB / 2, kEnglish) == "14.5");
}

TEST_CASE("only whole decimal numbers are read", "[base][number]") {
  double value = 0;
  CHECK((parse_decimal("0.5", value) && value == 0.5));
  CHECK((parse_decimal("-3", value) && value == -3));
  CHECK((parse_decimal("1e3", value) && value == 1000));
  for (const char* bad : {"", " 1", "1 ", "0x10", "inf", "nan", "1,5", "+1", "1e999", "--1"}) {
    INFO(bad);
    CHECK_FALSE(parse_decimal(bad, value));
  }
}

TEST_CASE("only whole unsigned integers are read", "[base][number]") {
  std::uint64_t value = 0;
  CHECK((parse_integer("18446744073709551615", value) && value == ~std::uint64_t{0}));
  CHECK((parse_integer("8k", value, true) && value == 8192));
  for (const char* bad : {"", "-1", "1.0", "18446744073709551616", "8k", "1_000", "99999999999999999999999"}) {
    INFO(bad);
    CHECK_FALSE(parse_integer(bad, value));
  }
}
