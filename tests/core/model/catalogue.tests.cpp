#include <catch2/catch_test_macros.hpp>

#include "tests/core/data_file.h"
#include "tests/core/model/shipped_models.h"

using namespace vram;
using namespace vram::testing;

TEST_CASE("the shipped models are without fault and at least 200", "[model][catalogue]") {
  for (const Error& fault : shipped_models().faults)
    UNSCOPED_INFO(fault.where << " " << fault.got << " line " << fault.line);
  CHECK(shipped_models().faults.empty());
  CHECK(shipped_models().catalogue.models.size() >= 200);
}

TEST_CASE("every model has a name, a family and a source, and shows no licence that was not verified",
          "[model][catalogue]") {
  for (const auto& model : shipped_models().catalogue.models) {
    INFO(model->id);
    CHECK_FALSE(model->name.empty());
    CHECK_FALSE(model->family.empty());
    CHECK_FALSE(model->source.empty());
    CHECK(model->license.empty() != model->license_verified);
    CHECK((model->layer_count() + model->encoder.size() > 0 || model->program || model->pipeline));
    CHECK(model->active_parameters <= model->parameters);
  }
}

// T-2/*: parameter counts by the rules of formulas.md section 2.
TEST_CASE("parameter counts are the vectors', to the last one", "[model][parameters]") {
  const json::Value file = read_data_file("vectors_models.json");
  REQUIRE(file.find("vectors") != nullptr);
  std::size_t rows = 0;
  for (const json::Value& row : file.find("vectors")->items()) {
    const std::string& name = row.find("model")->text();
    INFO(name);
    CHECK(shipped_model(name).parameters == Count(row.find("parameters")->integer()));
    ++rows;
  }
  CHECK(rows == 127);
}

TEST_CASE("totals, language parts, towers and active parameters add up as published", "[model][parameters]") {
  const json::Value file = read_data_file("vectors_models.json");
  REQUIRE(file.find("parts") != nullptr);
  std::size_t checks = 0;
  for (const json::Value& row : file.find("parts")->items()) {
    const Model& model = shipped_model(row.find("model")->text());
    INFO(row.find("model")->text());
    Count towers;
    for (const Tower& tower : model.towers) towers += tower.parameters + tower.projector_parameters;
    const auto check = [&](std::string_view key, Count counted) {
      const json::Value* value = row.find(key);
      if (value == nullptr) return;
      CHECK(counted == Count(value->integer()));
      ++checks;
    };
    check("total", model.parameters);
    check("language", model.parameters - towers);
    check("towers", towers);
    check("active", model.active_parameters);
  }
  CHECK(checks > 400);
}

TEST_CASE("names resolve without case, organisation or ending", "[model][catalogue]") {
  const struct {
    std::string_view name, id;
  } rows[] = {
      {"llama-3.2-3b", "llama-3.2-3b"},
      {"meta-llama/Llama-3.2-3B", "llama-3.2-3b"},
      {"Meta-Llama/LLAMA-3.2-3B-Instruct", "llama-3.2-3b"},
      {"unsloth/Llama-3.2-3B-Instruct", "llama-3.2-3b"},
      {"llama-3.2-1b", "llama-3.2-1b"},
      {"llama-3.1-8b", "llama-3.1-8b"},
      {"meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"},
      {"llama-3.1-70b", "llama-3.1-70b"},
      {"llama-3.3-70b", "llama-3.1-70b"},
      {"llama-2-7b", "llama-2-7b"},
      {"meta-llama/Llama-2-7b-chat-hf", "llama-2-7b"},
      {"qwen3-0.6b", "qwen3-0.6b"},
      {"qwen3-8b", "qwen3-8b"},
      {"qwen3-32b", "qwen3-32b"},
      {"qwen3-30b-a3b", "qwen3-30b-a3b"},
      {"qwen2.5-7b", "qwen2.5-7b"},
      {"Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"},
      {"Qwen/Qwen2.5-7B-Instruct-1M", "qwen2.5-7b-instruct-1m"},
      {"mistral-small-3.2-24b", "mistral-small-3.2-24b"},
      {"mistral-7b-v0.1", "mistral-7b-v0.1"},
      {"mistral-7b-v0.3", "mistral-7b-v0.3"},
      {"mixtral-8x7b", "mixtral-8x7b"},
      {"gemma-2-2b", "gemma-2-2b"},
      {"gemma-3-27b", "gemma-3-27b"},
      {"google/gemma-3-4b-it", "gemma-3-4b"},
      {"deepseek-v3", "deepseek-v3"},
      {"deepseek-v2-lite", "deepseek-v2-lite"},
      {"gpt-oss-20b", "gpt-oss-20b"},
      {"gpt-oss-120b", "gpt-oss-120b"},
      {"qwen3.5-27b", "qwen3.5-27b"},
      {"qwen3.5-35b-a3b", "qwen3.5-35b-a3b"},
      {"nemotron-3-nano-30b-a3b", "nemotron-3-nano-30b-a3b"},
      {"phi-4", "phi-4"},
      {"bge-m3", "bge-m3"},
      {"nomic-embed-text-v1.5", "nomic-embed-text-v1.5"},
      {"gpt2", "gpt2"},
      {"bert-base-uncased", "bert-base-uncased"},
      {"olmo-2", "olmo-2-1124-7b"},
      {"granite-3.1-8b", "granite-3.1-8b"},
      {"yi-34b", "yi-34b"},
      {"yi-1.5-34b", "yi-34b"},
      {"codellama-7b", "codellama-7b"},
      {"falcon-7b", "falcon-7b"},
      {"glm-4.5-air", "glm-4.5-air"},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    CHECK(shipped_model(row.name).id == row.id);
  }
  for (const std::string_view unknown : {"", "/", "llama", "gpt-5", "-it", "meta-llama/"}) {
    INFO(unknown);
    CHECK(shipped_models().catalogue.find(unknown) == nullptr);
  }
}

TEST_CASE("every id and alias finds its own model", "[model][catalogue]") {
  for (const auto& model : shipped_models().catalogue.models) {
    CHECK(shipped_models().catalogue.find(model->id) == model);
    for (const std::string& alias : model->aliases) {
      INFO(alias);
      CHECK(shipped_models().catalogue.find(alias) == model);
    }
  }
}

TEST_CASE("a misspelled name leads to the ones meant", "[model][catalogue]") {
  const auto first = [](std::string_view name) {
    const std::vector<std::string_view> ids = shipped_models().catalogue.similar(name, 3);
    CHECK(ids.size() <= 3);
    return ids.empty() ? std::string() : std::string(ids.front());
  };
  CHECK(first("lama-3.1-8b") == "llama-3.1-8b");
  CHECK(first("Qwen/Qwen-3-8B") == "qwen3-8b");
  CHECK(first("gpt-os-120b") == "gpt-oss-120b");
  CHECK(shipped_models().catalogue.similar("zzzzzz", 5).empty());
  CHECK(shipped_models().catalogue.similar("llama", 0).empty());
}

TEST_CASE("a bad entry is reported and the others live", "[model][catalogue]") {
  const auto file = json::parse(R"({"models": [
    {"id": "good", "hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100},
    {"id": "no-heads", "hidden": 64, "layers": 2, "ffn": 128, "vocab": 100},
    {"id": "GOOD", "hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100},
    {"hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100},
    {"id": "sum", "hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100, "params_total": 7},
    {"id": "typo", "hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100, "head_dims": 7},
    7,
    {"id": "good-too", "hidden": 64, "layers": 2, "heads": 4, "ffn": 128, "vocab": 100, "aliases": ["x/Also"]}]})");
  REQUIRE(file);
  std::vector<Error> faults;
  const ModelCatalogue catalogue = read_models(*file, faults);
  REQUIRE(catalogue.models.size() == 2);
  CHECK(catalogue.find("also") == catalogue.models[1]);
  const struct {
    ErrorCode code;
    std::string_view where;
    std::uint32_t line;
  } expected[] = {
      {ErrorCode::missing_field, "models[1].heads", 3},     {ErrorCode::duplicate_field, "models[2].id", 4},
      {ErrorCode::missing_field, "models[3].id", 5},        {ErrorCode::does_not_add_up, "models[4].params_total", 6},
      {ErrorCode::unknown_field, "models[5].head_dims", 7}, {ErrorCode::wrong_type, "models[6]", 8},
  };
  REQUIRE(faults.size() == std::size(expected));
  for (std::size_t i = 0; i < faults.size(); ++i) {
    INFO(faults[i].where);
    CHECK(faults[i].code == expected[i].code);
    CHECK(faults[i].where == expected[i].where);
    CHECK(faults[i].line == expected[i].line);
  }
  CHECK(faults[3].expected == "95040");
  std::vector<Error> none;
  CHECK(read_models(json::Value::object(), none).models.empty());
  CHECK(none.size() == 1);
}
