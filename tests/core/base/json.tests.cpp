#include "core/base/json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace vram;

TEST_CASE("JSON text survives reading and writing", "[base][json]") {
  const std::string text =
      R"({"a":[1,2.5,true,null,"x\"\\\n"],"big":18446744073709551615,"neg":-3,"nested":{"empty":{},"list":[]}})";
  const auto value = json::parse(text);
  REQUIRE(value);
  CHECK(json::write(*value) == text);
  CHECK(*json::parse(json::write(*value, 2)) == *value);
}

TEST_CASE("values know the line they stood on", "[base][json]") {
  const auto value = json::parse("{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}");
  REQUIRE(value);
  CHECK(value->find("a")->line() == 2);
  CHECK(value->find("b")->line() == 3);
  CHECK(value->find("b")->items()[0].line() == 4);
}

TEST_CASE("hostile JSON gets an error, never a crash", "[base][json]") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  const std::string invalid_utf8 = "\"\xFF\xFE\"";
  const struct {
    std::string text;
    ErrorCode code;
  } rows[] = {
      {"", ErrorCode::syntax},
      {"{", ErrorCode::syntax},
      {"{\"a\":}", ErrorCode::syntax},
      {"[1,]", ErrorCode::syntax},
      {"NaN", ErrorCode::syntax},
      {"1e999", ErrorCode::syntax},
      {"{} {}", ErrorCode::syntax},
      {"// comment\n{}", ErrorCode::syntax},
      {invalid_utf8, ErrorCode::syntax},
      {deep, ErrorCode::too_large},
      {"{\"a\":1,\"a\":2}", ErrorCode::duplicate_field},
  };
  for (const auto& row : rows) {
    INFO(row.text.substr(0, 40));
    const auto value = json::parse(row.text);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == row.code);
    CHECK(value.error().line >= 1);
  }
}

TEST_CASE("every prefix of a JSON text is an error or a value", "[base][json]") {
  const std::string text = R"({"a":[1,{"b":"c"},-2.5e3],"d":true})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    CHECK_FALSE(json::parse(std::string_view(text).substr(0, length)));
  }
}

TEST_CASE("brief values fit an error message", "[base][json]") {
  CHECK(json::brief(json::Value("short")) == "\"short\"");
  CHECK(json::brief(json::Value(std::string(200, 'x'))).size() <= 60);
}
