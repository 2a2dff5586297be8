#include "core/fit/verdict.h"

#include <catch2/catch_test_macros.hpp>

namespace vram {
namespace {

TEST_CASE("A verdict weighs need, display and margin against usable memory", "[fit]") {
  const Band need{90, 100, 120};
  const Band display{1, 5, 10};
  struct Row {
    std::uint64_t usable;
    Verdict verdict;
  };
  // F-16.2 with a margin of 20: high 120 + 10 + 20 = 150, expected 100 + 5 + 20 = 125, bare 100 + 5 = 105.
  for (const Row& row : {Row{1000, Verdict::comfortable}, Row{150, Verdict::comfortable}, Row{149, Verdict::fits},
                         Row{125, Verdict::fits}, Row{124, Verdict::tight}, Row{105, Verdict::tight},
                         Row{104, Verdict::no}, Row{0, Verdict::no}}) {
    INFO(row.usable);
    CHECK(verdict_of(need, display, 20, row.usable) == row.verdict);
  }
  CHECK(verdict_of({Bytes::max(), Bytes::max(), Bytes::max()}, {}, 1, 1000) == Verdict::no);
}

TEST_CASE("The worse of two verdicts is the one that fits less", "[fit]") {
  CHECK(worse(Verdict::comfortable, Verdict::tight) == Verdict::tight);
  CHECK(worse(Verdict::no, Verdict::fits) == Verdict::no);
  CHECK(worse(Verdict::fits, Verdict::fits) == Verdict::fits);
}

}  // namespace
}  // namespace vram
