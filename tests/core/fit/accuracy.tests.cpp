// What an answer says about its own error.
#include "core/fit/accuracy.h"

#include <catch2/catch_test_macros.hpp>

#include "core/fit/evaluate.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("a file of errors by kind of run is read entry by entry", "[accuracy]") {
  std::vector<Error> faults;
  const auto file = json::parse(R"({"note": "n", "jobs": [
    {"id": "vllm", "rows": 61, "sources": 4, "median": 0.025, "p90": 0.046},
    {"id": "x", "rows": 0, "sources": 1, "median": 0.1, "p90": 0.2}]})");
  REQUIRE(file);
  const std::vector<JobAccuracy> jobs = read_accuracy(*file, faults);
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].rows == 61);
  CHECK(jobs[0].median == 0.025);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].where == "jobs[1].rows");
}

TEST_CASE("each kind of run finds its own measurements", "[accuracy]") {
  struct Row {
    const char* words;
    const char* job;
  };
  for (const Row& row :
       {Row{"model=llama-3.1-8b framework=ollama", "llama.cpp"}, Row{"model=llama-3.1-8b framework=vllm", "vllm"},
        Row{"model=llama-3.1-8b framework=transformers", "transformers"},
        Row{"model=llama-3.1-8b framework=exllama", "other-inference"},
        Row{"model=llama-3.1-8b task=lora", "training-allocated"}}) {
    INFO(row.words);
    const auto evaluation = evaluate(request_of(row.words), shipped_catalog());
    REQUIRE(evaluation);
    CHECK(accuracy_job(evaluation->scenario) == row.job);
    REQUIRE(evaluation->accuracy != nullptr);
    CHECK(evaluation->accuracy->id == row.job);
    CHECK(evaluation->accuracy->rows >= 5);
  }
  // Too few to speak of.
  const auto evaluation =
      evaluate(request_of("model=llama-3.1-8b framework=tensorrt-llm task=serving"), shipped_catalog());
  REQUIRE(evaluation);
  std::vector<JobAccuracy> jobs(1);
  jobs[0].id = "tensorrt-llm";
  jobs[0].rows = 4;
  CHECK(find_accuracy(jobs, evaluation->scenario) == nullptr);
  jobs[0].rows = 5;
  CHECK(find_accuracy(jobs, evaluation->scenario) == &jobs[0]);
}

}  // namespace vram
