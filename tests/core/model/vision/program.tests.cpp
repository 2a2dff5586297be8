#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/model/vision/program.h"

namespace vram::vision {
namespace {

std::int64_t value_of(std::string_view word, const Environment& environment = {}) {
  const auto compiled = compile_expression(word);
  REQUIRE(compiled);
  const auto value = evaluate(*compiled, environment);
  REQUIRE(value);
  return *value;
}

Result<Graph> graph_of(std::string_view text, std::string_view set = "{}", std::string_view blocks = "{}") {
  const auto library_text = json::parse(blocks);
  const auto library = read_library(*library_text, "blocks");
  if (!library) return library.error();
  const auto variables = json::parse(set);
  const auto program = read_program(json::Value(text), &*variables, *library, "m");
  if (!program) return program.error();
  return flatten(**program, 10);
}

}  // namespace

TEST_CASE("Expressions follow the usual precedence", "[model][vision]") {
  CHECK(value_of("1+2*3") == 7);
  CHECK(value_of("(1+2)*3") == 9);
  CHECK(value_of("7/2") == 3);
  CHECK(value_of("7%4") == 3);
  CHECK(value_of("7/0") == 0);
  CHECK(value_of("2>1?5:6") == 5);
  CHECK(value_of("(1==2)+(1<2)") == 1);
  CHECK(value_of("i?1:s", {{name_id("i"), 0}, {name_id("s"), 2}}) == 2);
  CHECK(value_of("c", {{name_id("c"), 1}, {name_id("c"), 2}}) == 2);
  // make_divisible of MobileNet: the nearest multiple of 8, but never more than a tenth below.
  CHECK(value_of("r8(16/4)") == 8);
  CHECK(value_of("r8(240/4)") == 64);
  CHECK(value_of("r8(72/4)") == 24);
  CHECK(value_of("99999999999999999999*99999999999") > 0);
  for (const std::string_view bad : {"", "1+", "(1", "1)", "a b", "?1:2", "1?2"}) CHECK_FALSE(compile_expression(bad));
  CHECK_FALSE(evaluate(*compile_expression("nobody"), {}));
}

TEST_CASE("Blocks, repeats, tables, residuals and branches become a flat list", "[model][vision]") {
  const auto graph = graph_of(
      "stages rows n w { rep n { unit w s=i?1:2 } }; cat { conv 4 } { conv c*2 } {}; linear classes; output",
      R"({"rows": [[2, 8], [1, 16]]})", R"({"unit2": "w s: res { conv w 3 s } { if (s>1)+(c<w) { conv w 1 s } }"})");
  CHECK_FALSE(graph);  // `unit` is a word of its own
  const auto good = graph_of(
      "stages rows n w { rep n { down w s=i?1:2 } }; cat { conv 4 } { conv c*2 } {}; linear classes; output",
      R"({"rows": [[2, 8], [1, 16]]})", R"({"down": "w s: res { conv w 3 s } { if (s>1)+(c<w) { conv w 1 s } }"})");
  REQUIRE(good);
  // Three blocks: two with a projection (3 operations), one without (2); two convolutions, a concatenation, a linear layer.
  CHECK(good->operations.size() == 3 + 2 + 3 + 3 + 1 + 1);
  const Operation& joined = good->operations[10];
  REQUIRE(joined.op == Op::concatenate);
  CHECK(joined.inputs == 3);
  CHECK(good->operations[9].a[0] == 32);
  CHECK(good->operations[11].a[0] == 10);
}

TEST_CASE("Names are local to a block unless exported; heads share parameters over levels", "[model][vision]") {
  const auto graph =
      graph_of("body; from @kept; as @a; from @kept; conv 5; as @b; each @a @b { conv 7 }; concat @a @b; output", "{}",
               R"({"body": "conv 3; out @kept; as @hidden; conv 4"})");
  REQUIRE(graph);
  std::size_t shared = 0;
  for (const Operation& operation : graph->operations) shared += operation.shared ? 1 : 0;
  CHECK(shared == 1);
  CHECK_FALSE(graph_of("body; from @hidden; output", "{}", R"({"body": "conv 3; as @hidden"})"));
}

TEST_CASE("A bad description is an error, whatever it is", "[model][vision]") {
  for (const std::string_view text :
       {"convv 3", "conv", "conv 3 q=1", "conv 3 .blue", "res { conv 3", "res", "rep { conv 3 }", "}", "{", "conv 3 1+",
        "from @nobody", "stages nothing n { conv n }", "conv missing", "as", "if 1",
        "rep 4096 { rep 4096 { conv 3 } }"}) {
    INFO(text);
    CHECK_FALSE(graph_of(text));
  }
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "res {";
  CHECK_FALSE(graph_of(deep));
  CHECK_FALSE(read_library(*json::parse(R"({"a": 1})"), "blocks"));
}

}  // namespace vram::vision
