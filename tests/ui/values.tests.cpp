#include "wasm/ui/values.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/ui/harness.h"
#include "wasm/ui/text.h"
#include "wasm/ui/theme.h"

namespace vram::ui::test {
namespace {

const Texts& in(std::string_view language) {
  for (const Texts& one : texts()) {
    if (one.language() == language) return one;
  }
  FAIL("no texts in " << language);
  return texts().front();
}

}  // namespace

TEST_CASE("Search ignores case and accents and takes words in any order", "[ui][text]") {
  CHECK(matches("Memória necessária", "memoria"));
  CHECK(matches("GeForce RTX 5090", "5090 geforce"));
  CHECK(matches("Çã ÉÍ ÿß", "ca ei ys"));
  CHECK(matches("anything", ""));
  CHECK_FALSE(matches("GeForce RTX 5090", "5080"));
  CHECK_FALSE(matches("", "a"));
}

TEST_CASE("Typed numbers are read in the language's way", "[ui][text]") {
  struct Row {
    std::string_view language, typed;
    bool whole;
    std::string_view expected;
  };
  for (const Row& row :
       {Row{"en", "8,192", true, "8192"}, Row{"pt", "8.192", true, "8192"}, Row{"it", "8 192", true, "8192"},
        Row{"en", "32K", true, "32k"}, Row{"pt", "1,5", false, "1.5"}, Row{"pt", "1.5", false, "1.5"},
        Row{"it", "1.234,5", false, "1234.5"}, Row{"en", "1,234.5", false, "1234.5"}, Row{"en", "10 %", false, "10"},
        Row{"en", "-3", true, "-3"}, Row{"en", "abc", true, ""}}) {
    INFO(row.language << " " << row.typed);
    CHECK(canonical_number(in(row.language), row.typed, row.whole) == row.expected);
  }
}

TEST_CASE("Values are written with unit and in the language's way", "[ui][text]") {
  CHECK(shown_value(in("en"), row_of(Field::context), "131072") == "131,072 tokens");
  CHECK(shown_value(in("pt"), row_of(Field::context), "131072") == "131.072 tokens");
  CHECK(shown_value(in("it"), row_of(Field::context), "1") == "1 token");
  CHECK(shown_value(in("en"), row_of(Field::weights), "q4_k_m") == "Q4_K_M");
  CHECK(shown_value(in("pt"), row_of(Field::margin_percent), "7.5") == "7,5 %");
  CHECK(gigabytes(in("it"), Bytes(15569256448)) == "14,5 GB");
}

TEST_CASE("A logarithmic slider stops at round numbers and both ways lead back", "[ui][slider]") {
  const SliderRange tokens{256, 131072, true, true, 1};
  CHECK(value_at(tokens, 0) == 256);
  CHECK(value_at(tokens, 1) == 131072);
  CHECK(value_at(tokens, -1) == 256);
  CHECK(value_at(tokens, 5.0 / 9) == 8192);
  for (double value = 256; value <= 131072; value *= 2) {
    CHECK(value_at(tokens, share_of(tokens, value)) == value);
    CHECK(value_at(tokens, share_of(tokens, value * 1.125)) == (value < 131072 ? value * 1.125 : 131072));
  }
  const SliderRange percent{0, 50, false, false, 1};
  CHECK(value_at(percent, 0.5) == 25);
  CHECK(share_of(percent, 80) == 1);
  const SliderRange billions{0.1, 1000, true, false, 1};
  CHECK(value_at(billions, share_of(billions, 70)) == 70);
}

TEST_CASE("CSS pixels become ImGui's sizes by Inter's own metrics", "[ui][theme]") {
  const Page page(700);
  // 16 px of Inter are 16 * 1.2102 from ascent to descent.
  CHECK(imgui_size(16, 1) > 19.36F);
  CHECK(imgui_size(16, 1) < 19.37F);
  CHECK(imgui_size(16, 1.5F) > 29.04F);
}

TEST_CASE("Text keeps its contrast in both themes", "[ui][theme]") {
  const auto luminance = [](ImU32 colour) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    const auto linear = [](float v) { return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F); };
    return 0.2126F * linear(c.x) + 0.7152F * linear(c.y) + 0.0722F * linear(c.z);
  };
  const auto contrast = [&](ImU32 a, ImU32 b) {
    const float x = luminance(a);
    const float y = luminance(b);
    return (std::max(x, y) + 0.05F) / (std::min(x, y) + 0.05F);
  };
  for (const bool dark : {false, true}) {
    const Palette& p = palette(dark);
    for (const ImU32 ink : {p.text, p.muted, p.accent}) CHECK(contrast(ink, p.card) >= 4.5F);
    CHECK(contrast(p.muted, p.page) >= 4.5F);
    CHECK(contrast(p.on_accent, p.accent) >= 4.5F);
    CHECK(contrast(p.good, p.good_soft) >= 4.5F);
    CHECK(contrast(p.warn, p.warn_soft) >= 4.5F);
    CHECK(contrast(p.bad, p.bad_soft) >= 4.5F);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
      CHECK(contrast(p.fill(static_cast<Group>(group)).colour, p.card) >= 3.0F);
    }
  }
}

}  // namespace vram::ui::test
