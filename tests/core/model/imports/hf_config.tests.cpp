#include "core/model/imports/hf_config.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/fit/evaluate.h"
#include "core/model/imports/import_set.h"
#include "core/model/read_model.h"
#include "tests/core/data_file.h"
#include "tests/core/model/shipped_models.h"
#include "tests/core/shipped.h"

using namespace vram;
using namespace vram::imports;
using namespace vram::testing;

namespace {

Result<ConfigReading> read_text_config(std::string_view text) {
  const auto parsed = json::parse(text);
  REQUIRE(parsed);
  return read_hf_config(*parsed);
}

/// Every item of the answer, or why there is none.
std::string outcome(Request request) {
  const auto scenario = resolve(request, shipped_catalog().facts);
  if (!scenario) return std::string(id_of(scenario.error().code)) + scenario.error().where;
  const Evaluation answer = assess(request, *scenario);
  std::string text;
  for (const Item& item : answer.ledger.devices.front().items) {
    text += std::string(item.id) + "=" + std::to_string(item.bytes.low.value()) + "/" +
            std::to_string(item.bytes.expected.value()) + "/" + std::to_string(item.bytes.high.value()) + "\n";
  }
  return text;
}

std::string weights_of(std::string_view text) {
  std::vector<Assumption> assumed;
  const auto parsed = json::parse(text);
  REQUIRE(parsed);
  return weights_of_config(ConfigView(*parsed), assumed);
}

}  // namespace

TEST_CASE("a config.json comes to the parameters, caches and weights of the catalogue's entry", "[imports][hf]") {
  const json::Value rows = read_data_file("hf_configs.json");
  REQUIRE(rows.items().size() >= 60);
  std::set<std::string> classes;
  for (const json::Value& row : rows.items()) {
    const json::Value& config = *row.find("config");
    classes.insert(config.find("model_type")->text());
    INFO(json::write(row));
    const auto reading = read_hf_config(config);
    if (!reading) FAIL(reading.error().where << " " << reading.error().expected);
    INFO(json::write(reading->entry));
    const auto model = read_model(reading->entry, "entry", true);
    if (!model) FAIL(model.error().where << " " << model.error().got << " " << model.error().expected);
    if (const json::Value* total = row.find("total")) {
      CHECK(model->parameters.value() == total->integer());
      continue;
    }
    const Model& expected = shipped_model(row.find("catalogue")->text());
    REQUIRE_FALSE(expected.id.empty());
    CHECK(model->parameters.value() == expected.parameters.value());
    CHECK(model->active_parameters.value() == expected.active_parameters.value());

    // Files and model cards differ in the longest context, which sizes the rotary tables.
    json::Value entry = reading->entry;
    if (expected.context_max) entry.replace("context_max", expected.context_max);
    Request ours, theirs;
    ours.set(Field::architecture, FieldValue(entry));
    theirs.set(Field::model, FieldValue(row.find("catalogue")->text()));
    for (Request* request : {&ours, &theirs}) {
      request->set(Field::weights, FieldValue(std::string("bf16")));
      request->set(Field::context, FieldValue(std::uint64_t{512}));
    }
    CHECK(outcome(ours) == outcome(theirs));
  }
  CHECK(classes.size() >= 25);
}

TEST_CASE("a quantization_config names the storage format", "[imports][hf]") {
  CHECK(weights_of(R"({"torch_dtype":"bfloat16"})") == "bf16");
  CHECK(weights_of(R"({"dtype":"float16"})") == "fp16");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true,
                        "bnb_4bit_quant_type":"nf4","bnb_4bit_use_double_quant":true}})") == "nf4_dq");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}})") == "int8");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"gptq","bits":4,"group_size":128}})") == "gptq4");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"awq","bits":4}})") == "awq4");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"fp8"}})") == "fp8");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"mxfp4"}})") == "mxfp4");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"modelopt","quant_algo":"NVFP4"}})") == "nvfp4");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"exl3","bits":4.25}})") == "exl3-4.25");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized",
                        "config_groups":{"group_0":{"weights":{"num_bits":4,"type":"int"}}}}})") == "w4a16");
  CHECK(weights_of(R"({"quantization_config":{"quant_method":"compressed-tensors","format":"float-quantized"}})") ==
        "fp8");
}

TEST_CASE("what a config.json leaves open is said", "[imports][hf]") {
  const auto ids = [](std::string_view text) {
    const auto reading = read_text_config(text);
    REQUIRE(reading);
    std::string list;
    for (const Assumption& assumption : reading->assumed) list += std::string(assumption.id) + " ";
    return list;
  };
  SECTION("an unknown class is read as a plain decoder") {
    CHECK(ids(R"({"model_type":"never_seen","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
                  "intermediate_size":128,"vocab_size":100,"max_position_embeddings":512})") == "architecture ");
  }
  SECTION("an unknown quantisation") {
    CHECK(ids(R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
                  "intermediate_size":128,"vocab_size":100,"max_position_embeddings":512,
                  "quantization_config":{"quant_method":"novel"}})") == "quantisation ");
  }
  SECTION("the class's defaults") {
    CHECK(ids(R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
                  "intermediate_size":128,"vocab_size":100})") == "class_defaults ");
  }
}

TEST_CASE("a file that is no model's configuration is refused by name", "[imports][hf]") {
  CHECK(read_text_config("{}").error().where == "hidden_size");
  CHECK(read_text_config(R"({"hidden_size":64})").error().where == "num_hidden_layers");
  CHECK(read_text_config(R"({"hidden_size":64,"num_hidden_layers":1000000000000})").error().code ==
        ErrorCode::out_of_range);
  CHECK(read_text_config("[]").error().code == ErrorCode::wrong_type);
}
