#include "core/cli/commands.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <vector>

#include "core/base/json.h"

using namespace vram;

namespace {

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome run(const std::vector<std::string_view>& words, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out, err;
  Outcome outcome;
  outcome.status = cli::run(words, in, out, err);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

std::vector<json::Value> lines_of(const std::string& text) {
  std::vector<json::Value> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    auto value = json::parse(line);
    REQUIRE(value);
    lines.push_back(std::move(*value));
  }
  return lines;
}

}  // namespace

TEST_CASE("an estimate prints a table, and with --json the answer", "[cli]") {
  const Outcome table = run({"estimate", "model=llama-3.1-8b"});
  CHECK(table.status == 0);
  CHECK(table.out.find("Llama 3.1 8B") != std::string::npos);
  const Outcome answer = run({"estimate", "model=llama-3.1-8b", "--json"});
  REQUIRE(answer.status == 0);
  const auto parsed = json::parse(answer.out);
  REQUIRE(parsed);
  for (const char* key : {"version", "catalogue_date", "memory", "peak_phase", "phases", "gpus", "host", "tiers",
                          "configurations", "advice", "suggestions", "warnings"}) {
    INFO(key);
    CHECK(parsed->find(key) != nullptr);
  }
}

TEST_CASE("a measured full fine-tune is met within three gibibytes", "[cli]") {
  // torchtune README, Llama 3.2 3B, packed, A100: 60.0 GiB peak active.
  const Outcome answer = run({"estimate", "model=llama-3.2-3b", "task=full", "framework=torchtune", "weights=bf16",
                              "precision=bf16", "batch=2", "context=4096", "checkpointing=none", "attention=sdpa",
                              "loss=full_fp32", "optimizer=adamw", "--json"});
  const auto parsed = json::parse(answer.out);
  REQUIRE(parsed);
  const double gib = parsed->find("memory")->find("allocated")->find("expected")->number() / kGiB.as_double();
  CHECK(gib > 57);
  CHECK(gib < 63);
}

TEST_CASE("--explain shows formula, numbers and source of every line", "[cli]") {
  const Outcome table = run({"estimate", "model=llama-3.1-8b", "--explain"});
  CHECK(table.out.find("F-4.1") != std::string::npos);
  CHECK(table.out.find("kv_heads 8") != std::string::npos);
  CHECK(table.out.find("Source: ") != std::string::npos);
}

TEST_CASE("--lines answers every line in order and never stops early", "[cli]") {
  const std::string input =
      "{\"model\":\"llama-3.1-8b\"}\n"
      "not json\n"
      "\n"
      "{\"model\":\"no-such-model\"}\n"
      "{\"model\":\"llama-3.1-8b\",\"context\":-1}\n"
      "[1,2]\n"
      "{\"model\":\"qwen3-0.6b\",\"task\":\"qlora\"}";
  const Outcome outcome = run({"estimate", "--lines"}, input);
  CHECK(outcome.status == 0);
  const auto lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].find("memory") != nullptr);
  CHECK(lines[5].find("memory") != nullptr);
  const struct {
    std::size_t line;
    const char* field;
  } faults[] = {{2, "model"}, {3, "context"}, {4, "request"}};
  for (const auto& fault : faults) {
    const json::Value* error = lines[fault.line].find("error");
    REQUIRE(error != nullptr);
    CHECK(error->find("field")->text() == fault.field);
    CHECK_FALSE(error->find("message")->text().empty());
  }
  CHECK(lines[1].find("error") != nullptr);
}

TEST_CASE("bad command lines say how to do it right", "[cli]") {
  CHECK(run({}).status == 2);
  CHECK(run({"nonsense"}).status == 2);
  CHECK(run({"estimate", "context"}).status == 2);
  const Outcome wrong = run({"estimate", "model=llama-3.1-8b", "context=many"});
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("context") != std::string::npos);
  const Outcome unknown = run({"estimate", "model=lama-3.1-8b"});
  CHECK(unknown.status == 1);
  CHECK(unknown.err.find("llama-3.1-8b") != std::string::npos);
}

TEST_CASE("lists show what the catalogue holds", "[cli]") {
  CHECK(run({"models", "llama-3.1"}).out.find("llama-3.1-8b\t") != std::string::npos);
  CHECK(run({"gpus", "5090"}).out.find("geforce-rtx-5090\t") != std::string::npos);
  CHECK(run({"formats"}).out.find("q4_k_m\n") != std::string::npos);
  CHECK(run({"fields"}).out.find("lora_targets") != std::string::npos);
}
