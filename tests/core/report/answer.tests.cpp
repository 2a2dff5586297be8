#include "core/report/answer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/report/table.h"
#include "tests/core/shipped.h"

using namespace vram;
using vram::testing::request_of;
using vram::testing::shipped_catalog;

namespace {

const Formulas& shipped_formulas() {
  static const Formulas formulas = [] {
    for (const embedded::File& file : embedded::catalog_files()) {
      if (file.name != "formulas.json") continue;
      auto read = Formulas::read(*json::parse(file.text));
      if (read) return std::move(*read);
    }
    return Formulas();
  }();
  return formulas;
}

Texts texts_of(std::string_view language) {
  for (const embedded::File& file : embedded::text_files()) {
    if (file.name == language) return std::move(*Texts::read(language, *json::parse(file.text)));
  }
  return {};
}

constexpr const char* kJobs[] = {
    "model=llama-3.1-8b",
    "model=qwen3.5-27b framework=llama.cpp gpu_count=2",
    "model=deepseek-v3 task=serving weights=fp8 gpu=h200-sxm-141gb gpu_count=8",
    "model=mixtral-8x7b task=qlora",
    "model=llama-3.1-70b task=full sharding=fsdp gpu_count=8 gpu=h100-80gb-sxm5",
    "model=gpt2 task=pretrain gpu_count=4",
    "model=llama-3.2-1b task=development display=desktop",
    "model=bge-m3 batch=32",
};

std::uint64_t expected(const json::Value& band) { return band.find("expected")->integer(); }

}  // namespace

TEST_CASE("items of a level sum to that level's total at the peak of every phase", "[report]") {
  for (const char* job : kJobs) {
    INFO(job);
    const auto evaluation = evaluate(request_of(job), shipped_catalog());
    REQUIRE(evaluation);
    const json::Value answer = answer_to_json(*evaluation, shipped_catalog(), shipped_formulas());
    for (const json::Value& gpu : answer.find("gpus")->items()) {
      const std::pair<std::string_view, int> levels[] = {{"allocated", 0}, {"reserved", 1}, {"device", 2}};
      for (const auto& level : levels) {
        std::uint64_t largest = 0;
        for (const std::string_view phase : kPhaseNames) {
          std::uint64_t sum = 0;
          for (const json::Value& item : gpu.find("items")->items()) {
            bool alive = false;
            for (const json::Value& name : item.find("phases")->items()) alive = alive || name.text() == phase;
            int rank = 0;
            while (kLevelNames[static_cast<std::size_t>(rank)] != item.find("level")->text()) ++rank;
            if (alive && rank <= level.second) sum += expected(*item.find("bytes"));
          }
          largest = std::max(largest, sum);
        }
        INFO(level.first);
        CHECK(largest == expected(*gpu.find("memory")->find(level.first)));
      }
    }
  }
}

TEST_CASE("every item names a formula that exists, with a source, and has a label in every language", "[report]") {
  for (const char* language : {"en", "pt", "it", "es", "fr", "de"}) {
    const Texts texts = texts_of(language);
    for (const char* job : kJobs) {
      const auto evaluation = evaluate(request_of(job), shipped_catalog());
      REQUIRE(evaluation);
      for (const DeviceLedger& device : evaluation->ledger.devices) {
        for (const Item& item : device.items) {
          INFO(language << ' ' << job << ' ' << item.id << ' ' << item.formula);
          CHECK(shipped_formulas().find(item.formula) != nullptr);
          CHECK(texts.has("item." + std::string(item.id)));
        }
      }
      for (const Advice& advice : evaluation->advice) CHECK(texts.has("advice." + std::string(advice.id)));
      for (const Suggestion& suggestion : evaluation->suggestions)
        CHECK(texts.has("cost." + std::string(suggestion.cost)));
      for (const Warning& warning : evaluation->scenario.warnings) {
        const std::string sentence = warning_sentence(warning, texts);
        INFO(sentence);
        CHECK(texts.has("warning." + std::string(warning.id)));
        CHECK(sentence.find('{') == std::string::npos);
      }
    }
  }
}

TEST_CASE("every language has every key, with the same placeholders, and none is empty", "[report][texts]") {
  const auto placeholders = [](std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
      names.emplace_back(text.substr(at, text.find('}', at) - at));
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto file_of = [](std::string_view language) {
    for (const embedded::File& file : embedded::text_files()) {
      if (file.name == language) return *json::parse(file.text);
    }
    return json::Value();
  };
  const json::Value english = file_of("en");
  REQUIRE(english.members().size() > 300);
  for (const char* language : {"pt", "it", "es", "fr", "de"}) {
    const json::Value other = file_of(language);
    CHECK(other.members().size() == english.members().size());
    for (const json::Member& member : english.members()) {
      INFO(language << ' ' << member.key);
      const json::Value* text = other.find(member.key);
      REQUIRE(text != nullptr);
      CHECK_FALSE(text->text().empty());
      CHECK(placeholders(text->text()) == placeholders(member.value.text()));
    }
  }
}

TEST_CASE("every field and every choice has its words in every language", "[report][texts]") {
  for (const char* language : {"en", "pt", "it", "es", "fr", "de"}) {
    const Texts texts = texts_of(language);
    for (const FieldRow& row : fields()) {
      INFO(language << ' ' << row.name);
      CHECK(texts.has("field." + std::string(row.name)));
      CHECK(texts.has("help." + std::string(row.name)));
    }
    for (int code = 0; code <= static_cast<int>(ErrorCode::damaged_file); ++code) {
      CHECK(texts.has("error." + std::string(id_of(static_cast<ErrorCode>(code)))));
    }
  }
}

TEST_CASE("an error is one sentence with field and remedy", "[report]") {
  const auto evaluation = evaluate(request_of("model=llama-3.1-8b task=full weights=nf4"), shipped_catalog());
  REQUIRE_FALSE(evaluation);
  const std::string sentence = error_sentence(evaluation.error(), texts_of("en"));
  CHECK(sentence.find("weights") != std::string::npos);
  CHECK(sentence.find('{') == std::string::npos);
}
