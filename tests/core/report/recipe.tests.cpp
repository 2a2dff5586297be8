#include "core/report/recipe.h"

#include <catch2/catch_test_macros.hpp>

#include "core/scenario/request.h"
#include "tests/core/shipped.h"

using namespace vram;
using namespace vram::testing;

namespace {

Recipe recipe(std::string_view words) {
  const Request request = request_of(words);
  const auto scenario = resolve(request, shipped_catalog().facts);
  REQUIRE(scenario);
  return recipe_for(assess(request, *scenario), shipped_catalog().facts);
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a recipe runs exactly the configuration", "[recipe]") {
  const Recipe llama = recipe(
      "model=llama-3.1-8b framework=llama.cpp weights=q4_k_m context=4096 batch=2 kv_cache=q8_0 ubatch=256 "
      "attention=flash");
  CHECK(holds(llama.commands, "-c 8192 -np 2 -ub 256 -ngl all -fa on -ctk q8_0 -ctv q8_0"));
  CHECK(std::string_view(llama.read) == "buffers");
  const Recipe vllm = recipe(
      "task=serving model=llama-3.1-8b framework=vllm gpu=l40s gpu_count=2 context=4096 kv_cache=fp8 "
      "memory_fraction=0.85");
  CHECK(holds(vllm.commands, "vllm serve meta-llama/Llama-3.1-8B"));
  CHECK(holds(vllm.commands, "--max-model-len 4096 --gpu-memory-utilization 0.85 --tensor-parallel-size 2"));
  CHECK(holds(vllm.commands, "--kv-cache-dtype fp8"));
  const Recipe torch = recipe("model=llama-3.1-8b framework=transformers weights=nf4_dq context=2048");
  CHECK(holds(torch.commands, "bnb_4bit_use_double_quant=True"));
  CHECK(holds(torch.commands, "max_memory_allocated"));
  CHECK(std::string_view(recipe("task=qlora model=llama-3.1-8b").moment) == "third_step");
}

TEST_CASE("a recipe says what the next experiment adds", "[recipe]") {
  const std::string_view words = "model=llama-3.1-8b framework=llama.cpp weights=q4_k_m context=4096";
  const Recipe found = recipe(words);
  const auto need = [](std::string_view text) {
    const auto evaluation = evaluate(request_of(text), shipped_catalog());
    REQUIRE(evaluation);
    return evaluation->memory.need.expected;
  };
  REQUIRE_FALSE(found.next.empty());
  CHECK(found.next.front().field == Field::context);
  CHECK(found.next.front().value == 8192);
  CHECK(found.next.front().adds ==
        need("model=llama-3.1-8b framework=llama.cpp weights=q4_k_m context=8192") - need(words));
}

TEST_CASE("a reported measurement has the form of the reference data", "[recipe]") {
  const Request request = request_of("task=qlora model=llama-3.1-8b context=2048");
  const json::Value row = reference_measurement(request, "allocated", Count(10) * kGiB, "geforce-rtx-4090");
  CHECK(*row.find("request") == request_to_json(request));
  CHECK(row.find("measured")->find("quantity")->text() == "allocated");
  CHECK(row.find("measured")->find("gib")->number() == 10.0);
  for (const char* key : {"id", "source_group", "source", "grade", "assumed", "gpu", "notes"})
    CHECK(row.find(key) != nullptr);
}
