#include "core/base/count.h"

#include <catch2/catch_test_macros.hpp>

using namespace vram;

TEST_CASE("counts saturate instead of wrapping", "[base][count]") {
  const Count huge = Count::max();
  CHECK((huge + 1).is_saturated());
  CHECK((huge * 2).is_saturated());
  CHECK((Count(std::uint64_t{1} << 40) * Count(std::uint64_t{1} << 40)).is_saturated());
  CHECK(Count(3) - Count(5) == Count(0));
  CHECK(Count(-7) == Count(0));
  CHECK(Count(7) / Count(0) == Count(0));
}

TEST_CASE("counts hold more than 32 bits on every platform", "[base][count]") {
  // 70e9 parameters in a 32-bit size_t silently become 1,280,523,264.
  CHECK(Count(70'000'000'000).value() == 70'000'000'000U);
  CHECK((Count(70'000'000'000) * 2).value() == 140'000'000'000U);
}

TEST_CASE("padding and division round up exactly at the boundary", "[base][count]") {
  CHECK(ceil_div(0, 256) == Count(0));
  CHECK(ceil_div(1, 256) == Count(1));
  CHECK(ceil_div(256, 256) == Count(1));
  CHECK(ceil_div(257, 256) == Count(2));
  CHECK(pad(0, 256) == Count(0));
  CHECK(pad(255, 256) == Count(256));
  CHECK(pad(257, 256) == Count(512));
  CHECK(next_power_of_two(0) == Count(1));
  CHECK(next_power_of_two(256) == Count(256));
  CHECK(next_power_of_two(257) == Count(512));
}

TEST_CASE("scaling keeps the high bits and never goes negative", "[base][count]") {
  CHECK(mul_div(Count::max(), 3, 3) == Count::max());
  CHECK(mul_div(10, 3, 0) == Count(0));
  CHECK(scaled(1000, 0.5) == Count(500));
  CHECK(scaled(1000, -1) == Count(0));
  CHECK(scaled(Count::max(), 2) == Count::max());
}

TEST_CASE("bands add and take maxima end by end", "[base][count]") {
  const Band a{1, 5, 9};
  const Band b{2, 3, 20};
  CHECK(a + b == Band{3, 8, 29});
  CHECK(max(a, b) == Band{2, 5, 20});
}
