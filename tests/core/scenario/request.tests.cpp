#include "core/scenario/request.h"

#include <catch2/catch_test_macros.hpp>

#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/link.h"

using namespace vram;

namespace {

/// Valid texts for a row: limits and every choice.
std::vector<std::string> valid_texts(const FieldRow& row) {
  switch (row.kind) {
    case FieldKind::choice: {
      std::vector<std::string> words(row.choices.begin(), row.choices.end());
      return words;
    }
    case FieldKind::choice_list: {
      std::vector<std::string> words(row.choices.begin(), row.choices.end());
      words.push_back(std::string(row.choices[0]) + "," + std::string(row.choices[1]));
      return words;
    }
    case FieldKind::integer_or_all: return {"all", "0", "7"};
    case FieldKind::integer:
      return {std::to_string(static_cast<std::uint64_t>(row.minimum)),
              std::to_string(static_cast<std::uint64_t>(row.maximum))};
    case FieldKind::number:
      return {json::write(json::Value(row.minimum)), json::write(json::Value(row.maximum)),
              json::write(json::Value((row.minimum + row.maximum) / 3))};
    case FieldKind::boolean: return {"true", "false"};
    case FieldKind::text: return {"0.19.1", "v2.6 (build é, 100%)"};
    case FieldKind::weight_format: return {"bf16", "q4_k_m", "nf4_dq", "exl3-4.25"};
    case FieldKind::model_id: return {"llama-3.1-8b", "meta-llama/Llama-3.1-8B"};
    case FieldKind::gpu_id: return {"geforce-rtx-5090"};
    case FieldKind::gpu_list: return {"geforce-rtx-5090", "geforce-rtx-5090,rtx-a6000"};
    case FieldKind::object: return {R"({"hidden":1024,"name":"a & b = c"})"};
  }
  return {};
}

std::vector<std::string> invalid_texts(const FieldRow& row) {
  switch (row.kind) {
    case FieldKind::choice:
    case FieldKind::choice_list: return {"", "nonsense", "0"};
    case FieldKind::integer_or_all:
    case FieldKind::integer:
      return {
          "", "-1", "1.5", "x", "99999999999999999999", std::to_string(static_cast<std::uint64_t>(row.maximum) + 1)};
    case FieldKind::number: return {"", "x", "nan", "-1e-9", json::write(json::Value(row.maximum * 2 + 1))};
    case FieldKind::boolean: return {"", "yes", "2"};
    case FieldKind::text: return {"", std::string(500, 'x')};
    case FieldKind::weight_format: return {"", "q4", "exl3-", "exl3-99"};
    case FieldKind::model_id:
    case FieldKind::gpu_id: return {"", std::string(500, 'x')};
    case FieldKind::gpu_list: return {"", ","};
    case FieldKind::object: return {"", "[]", "{", "1"};
  }
  return {};
}

}  // namespace

TEST_CASE("every field takes its limits and choices in text, JSON and link", "[scenario][request]") {
  for (const FieldRow& row : fields()) {
    for (const std::string& text : valid_texts(row)) {
      INFO(row.name << "=" << text);
      Request request;
      REQUIRE_FALSE(set_from_text(request, row.name, text));
      REQUIRE(request.has(row.field));

      const auto again = request_from_json(request_to_json(request));
      REQUIRE(again);
      CHECK(*again == request);

      const auto parsed = json::parse(json::write(request_to_json(request)));
      REQUIRE(parsed);
      const auto through_text = request_from_json(*parsed);
      REQUIRE(through_text);
      CHECK(*through_text == request);

      const LinkReading reading = request_from_link(request_to_link(request));
      CHECK(reading.ignored.empty());
      CHECK(reading.request == request);
    }
  }
}

TEST_CASE("every field refuses bad values and names itself and the remedy", "[scenario][request]") {
  for (const FieldRow& row : fields()) {
    for (const std::string& text : invalid_texts(row)) {
      INFO(row.name << "=" << text.substr(0, 40));
      Request request;
      const auto error = set_from_text(request, row.name, text);
      REQUIRE(error);
      CHECK(error->where == row.name);
      CHECK_FALSE(error->expected.empty());
      CHECK_FALSE(request.has(row.field));
    }
    Request request;
    const json::Value wrong = row.kind == FieldKind::object ? json::Value(true) : json::Value::object();
    const auto error = set_from_json(request, row.name, wrong);
    INFO(row.name);
    REQUIRE(error);
    CHECK(error->where == row.name);
  }
}

TEST_CASE("a request names unknown fields instead of ignoring them", "[scenario][request]") {
  const auto parsed = json::parse(R"({"model":"llama-3.1-8b","contxt":8192})");
  REQUIRE(parsed);
  const auto request = request_from_json(*parsed);
  REQUIRE_FALSE(request);
  CHECK(request.error().code == ErrorCode::unknown_field);
  CHECK(request.error().where == "contxt");
}

TEST_CASE("integers may be spelled as whole floats, lists as single words", "[scenario][request]") {
  const auto parsed = json::parse(R"({"context":8192.0,"lora_targets":"all_linear","batch":2})");
  REQUIRE(parsed);
  const auto request = request_from_json(*parsed);
  REQUIRE(request);
  CHECK(request->integer(Field::context) == 8192);
  CHECK(text_of(*request, Field::lora_targets) == "all_linear");
  CHECK_FALSE(request_from_json(*json::parse(R"({"context":8192.5})")));
}

TEST_CASE("a broken link opens and says what it ignored", "[scenario][link]") {
  const LinkReading reading =
      request_from_link("#v=1&task=qlora&model=llama-3.1-8b&context=x&foo=1&lang=pt&context=4096");
  CHECK(reading.request.choice(Field::task, Task::inference) == Task::qlora);
  CHECK(reading.request.integer(Field::context) == 4096);
  REQUIRE(reading.ignored.size() == 2);
  CHECK(reading.ignored[0].where == "context");
  CHECK(reading.ignored[1].where == "foo");
}

TEST_CASE("a link of another version opens and says so", "[scenario][link]") {
  const LinkReading reading = request_from_link("v=7&task=full");
  REQUIRE(reading.ignored.size() == 1);
  CHECK(reading.ignored[0].where == "version");
  CHECK(reading.request.choice(Field::task, Task::inference) == Task::full);
}

TEST_CASE("hostile links do no harm", "[scenario][link]") {
  for (const std::string& link :
       {std::string("%"), std::string("%zz=%"), std::string("&&&==="), std::string(100000, '&'),
        std::string(100000, 'a'), std::string("model=%00%ff&context=%31")}) {
    const LinkReading reading = request_from_link(link);
    INFO(link.substr(0, 20));
    CHECK(reading.version == kVocabularyVersion);
  }
}
