#include <catch2/catch_test_macros.hpp>

#include "tests/core/data_file.h"
#include "tests/core/model/shipped_models.h"

using namespace vram;
using namespace vram::testing;

TEST_CASE("writing a model and reading it gives the same model", "[model][json]") {
  for (const auto& model : shipped_models().catalogue.models) {
    INFO(model->id);
    const Result<Model> again =
        read_model(write_model(*model), "m", true, vision::library_of(model->program.get(), model->pipeline.get()));
    if (!again) UNSCOPED_INFO(again.error().where);
    REQUIRE(again);
    CHECK(same_model(*again, *model));
  }
}

TEST_CASE("both spellings give one structure", "[model][json]") {
  // Gemma 3 27B: five local layers to one global, 62 in all.
  const Result<Model> layered = read_text(R"({
    "hidden": 5376, "vocab": 262208, "tied": true,
    "layers": [
      {"repeat": 10, "of": [
        {"count": 5, "attention": {"heads": 32, "kv_heads": 16, "head_dim": 128, "window": 1024, "qk_norm": "head"}, "mlp": {"size": 21504}, "norms": 4},
        {"attention": {"heads": 32, "kv_heads": 16, "head_dim": 128, "qk_norm": "head"}, "mlp": {"size": 21504}, "norms": 4}]},
      {"count": 2, "attention": {"heads": 32, "kv_heads": 16, "head_dim": 128, "window": 1024, "qk_norm": "head"}, "mlp": {"size": 21504}, "norms": 4}]})");
  const Result<Model> flat = read_text(R"({
    "hidden": 5376, "layers": 62, "heads": 32, "kv_heads": 16, "head_dim": 128, "ffn": 21504, "vocab": 262208, "tied": true,
    "norms_per_layer": 4, "qk_norm": "head", "sliding_window": {"window": 1024, "per_layer": "LLLLLG"}})");
  REQUIRE(layered);
  REQUIRE(flat);
  CHECK(same_model(*layered, *flat));
  CHECK(layered->layer_count() == 62);
  CHECK(layered->kinds.size() == 2);
  CHECK(layered->parameters == Count(27'009'346'304));  // T-2.25, language part
}

TEST_CASE("every architecture of the training measurements reads", "[model][json]") {
  const json::Value file = read_data_file("architectures.json");
  REQUIRE(file.find("architectures") != nullptr);
  CHECK(file.find("architectures")->items().size() == 43);
  for (const json::Value& architecture : file.find("architectures")->items()) {
    INFO(architecture.find("name")->text());
    const Result<Model> model = read_model(architecture, "architecture", false);
    REQUIRE(model);
    CHECK(model->layer_count() == architecture.find("layers")->integer());
    const json::Value* total = architecture.find("params_total");
    if (total == nullptr) continue;
    // Descriptions that leave out biases or positions come within half a percent.
    const double error = model->parameters.as_double() / total->number() - 1;
    CHECK(error < 0.005);
    CHECK(error > -0.005);
    CHECK(model->published_parameters == Count(total->integer()));
  }
}

TEST_CASE("the flat form's experts are as wide as its MLP unless they say so", "[model][json]") {
  const Result<Model> model = read_text(
      R"({"hidden": 64, "layers": 1, "heads": 4, "ffn": 96, "vocab": 10, "experts": 4, "experts_per_token": 2})");
  REQUIRE(model);
  const Experts& experts = std::get<Experts>(model->kinds[0].feed_forward);
  CHECK(experts.size == Count(96));
  CHECK(experts.count == Count(4));
  CHECK(experts.active == Count(2));
}

TEST_CASE("what a flat form leaves out follows its family", "[model][json]") {
  const Result<Model> old = read_text(
      R"({"hidden": 64, "layers": 1, "heads": 4, "ffn": 96, "vocab": 10, "mlp": "plain", "norm": "layernorm"})");
  REQUIRE(old);
  CHECK(old->linear_bias);
  CHECK(std::get<Attention>(old->kinds[0].mixer).k_bias);
  CHECK(std::get<Mlp>(old->kinds[0].feed_forward).activation == Activation::gelu);
  const Result<Model> bert = read_text(
      R"({"kind": "encoder", "hidden": 64, "layers": 1, "heads": 4, "ffn": 96, "vocab": 10, "norm": "layernorm"})");
  REQUIRE(bert);
  CHECK(bert->embedding_norm);
  CHECK_FALSE(bert->final_norm);
  CHECK_FALSE(bert->has_output);
  CHECK_FALSE(std::get<Attention>(bert->kinds[0].mixer).causal);
}

TEST_CASE("bad descriptions are errors that name the place", "[model][json]") {
  const std::string base = R"("hidden": 64, "heads": 4, "ffn": 96, "vocab": 10)";
  const struct {
    std::string text;
    ErrorCode code;
    std::string where;
  } rows[] = {
      {"[]", ErrorCode::wrong_type, "m"},
      {"{}", ErrorCode::missing_field, "m.hidden"},
      {"{" + base + "}", ErrorCode::missing_field, "m.layers"},
      {"{" + base + R"(, "layers": 0})", ErrorCode::out_of_range, "m.layers"},
      {"{" + base + R"(, "layers": 4097})", ErrorCode::out_of_range, "m.layers"},
      {"{" + base + R"(, "layers": -1})", ErrorCode::out_of_range, "m.layers"},
      {"{" + base + R"(, "layers": 1.5})", ErrorCode::wrong_type, "m.layers"},
      {"{" + base + R"(, "layers": "32"})", ErrorCode::wrong_type, "m.layers"},
      {"{" + base + R"(, "layers": 1e300})", ErrorCode::out_of_range, "m.layers"},
      {"{" + base + R"(, "layers": []})", ErrorCode::wrong_type, "m.layers"},
      {"{" + base + R"(, "layers": 2, "kv_heads": 3})", ErrorCode::conflict, "m.kv_heads"},
      {"{" + base + R"(, "layers": 2, "kv_heads": 0})", ErrorCode::conflict, "m.kv_heads"},
      {"{" + base + R"(, "layers": 2, "tied": 1})", ErrorCode::wrong_type, "m.tied"},
      {"{" + base + R"(, "layers": 2, "norm": "batch"})", ErrorCode::unknown_choice, "m.norm"},
      {"{" + base + R"(, "layers": 2, "mlp": 7})", ErrorCode::wrong_type, "m.mlp"},
      {"{" + base + R"(, "layers": 2, "layer_pattern": "DX"})", ErrorCode::unknown_choice, "m.layer_pattern"},
      {"{" + base + R"(, "layers": 2, "layer_pattern": "D"})", ErrorCode::missing_field, "m.gdn"},
      {"{" + base + R"(, "layers": 2, "layer_pattern": "FFF"})", ErrorCode::out_of_range, "m.layer_pattern"},
      {"{" + base + R"(, "layers": 2, "sliding_window": {"per_layer": "L"}})", ErrorCode::missing_field,
       "m.sliding_window.window"},
      {"{" + base + R"(, "layers": 2, "mla": {"kv_lora_rank": 8}})", ErrorCode::missing_field, "m.mla.qk_nope"},
      {"{" + base + R"(, "layers": 2, "experts": 4, "experts_per_token": 5})", ErrorCode::out_of_range,
       "m.experts_per_token"},
      {"{" + base + R"(, "layers": 2, "mystery": 1})", ErrorCode::unknown_field, "m.mystery"},
      {"{" + base + R"(, "layers": 2, "vision": 7})", ErrorCode::wrong_type, "m.vision"},
      {"{" + base + R"(, "layers": 2, "vision": {"hidden": 1048577}})", ErrorCode::out_of_range, "m.vision.hidden"},
      {"{" + base + R"(, "layers": 2, "vision": {"projector": [{"in": 4}]}})", ErrorCode::missing_field,
       "m.vision.projector[0].out"},
      {"{" + base + R"(, "layers": 2, "aliases": [1]})", ErrorCode::wrong_type, "m.aliases"},
      {R"({"hidden": 64, "heads": 5, "ffn": 96, "vocab": 10, "layers": 2})", ErrorCode::missing_field, "m.head_dim"},
      {R"({"hidden": 64, "heads": 4, "ffn": 96, "layers": 2})", ErrorCode::missing_field, "m.vocab"},
      {R"({"hidden": 64, "vocab": 10, "layers": [7]})", ErrorCode::wrong_type, "m.layers[0]"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"count": 0, "mlp": {"size": 8}}]})", ErrorCode::out_of_range,
       "m.layers[0].count"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"kind": "a"}]})", ErrorCode::unknown_choice, "m.layers[0].kind"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"attention": {"heads": 4}, "gdn": {"key_heads": 1, "value_heads": 1, "key_head_dim": 1, "value_head_dim": 1}}]})",
       ErrorCode::conflict, "m.layers[0].gdn"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"attention": {"heads": 4, "bias": "qx"}}]})",
       ErrorCode::unknown_choice, "m.layers[0].attention.bias"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"repeat": 4096, "of": [{"count": 2, "mlp": {"size": 8}}]}]})",
       ErrorCode::too_large, "m.layers[0]"},
      {R"({"hidden": 64, "vocab": 10, "layers": [{"of": [{"mlp": {"size": 8, "width": 9}}]}]})",
       ErrorCode::unknown_field, "m.layers[0].of[0].mlp.width"},
      {R"({"hidden": 1048576, "vocab": 10, "layers": [{"count": 4096, "experts": {"count": 65536, "active": 1, "size": 1048576}}]})",
       ErrorCode::too_large, "m"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    const Result<Model> model = read_text(row.text);
    REQUIRE_FALSE(model);
    CHECK(model.error().code == row.code);
    CHECK(model.error().where == row.where);
  }
}

TEST_CASE("imported descriptions may hold members nobody knows", "[model][json]") {
  const Result<Model> model = read_text(
      R"({"hidden": 64, "layers": 1, "heads": 4, "ffn": 96, "vocab": 10, "torch_dtype": "bfloat16", "mtp_layers": null})",
      false);
  REQUIRE(model);
  CHECK(model->layer_count() == 1);
}

TEST_CASE("a stated tower total fills what its numbers leave out", "[model][json]") {
  const Result<Model> model = read_text(
      R"({"hidden": 64, "layers": 1, "heads": 4, "ffn": 96, "vocab": 10, "kind": "vlm",
          "vision": {"hidden": 32, "layers": 2, "heads": 4, "ffn": 64, "patch": 14, "params": 100000, "projector_params": 2048}})",
      false);
  REQUIRE(model);
  REQUIRE(model->towers.size() == 1);
  CHECK(model->towers[0].parameters == Count(100000));
  CHECK(model->towers[0].projector_parameters == Count(2048));
}

TEST_CASE("changes merge over a model", "[model][json]") {
  const Model& llama = shipped_model("llama-3.1-70b");
  const auto fewer = json::parse(R"({"layers": 12})");
  REQUIRE(fewer);
  const Result<Model> merged = merge_model(llama, *fewer, "architecture");
  REQUIRE(merged);
  CHECK(merged->layer_count() == 12);
  CHECK(merged->kinds == llama.kinds);
  CHECK(merged->published_parameters == Count(0));
  // 68 layers fewer: 855,654,400 parameters each.
  CHECK(llama.parameters - merged->parameters == Count(68) * 855'654'400);
  const Result<Model> wrong = merge_model(llama, *json::parse(R"({"kv_heads": 7})"), "architecture");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().where == "architecture.kv_heads");
  const Result<Model> generic = merge_model(generic_model(1'000'000'000), *json::parse(R"({"vocab": 1000})"), "a");
  REQUIRE(generic);
  CHECK(generic->vocab == Count(1000));
}

TEST_CASE("any value in any place gives a model or an error", "[model][json]") {
  const json::Value hostile[] = {
      json::Value(),      json::Value(0),       json::Value(-1),       json::Value(std::uint64_t{1} << 63U),
      json::Value(1e300), json::Value(0.5),     json::Value(""),       json::Value("DM*"),
      json::Value(true),  json::Value::array(), json::Value::object(), json::Value(1)};
  std::size_t models = 0;
  std::size_t errors = 0;
  for (const std::string_view id :
       {"gemma-4-e2b", "nemotron-3-super-120b-a12b", "qwen3.5-35b-a3b", "deepseek-v3.2", "llama-3.2-11b-vision",
        "whisper-tiny", "jamba-v0.1", "modernbert-base", "bert-base-uncased"}) {
    const Result<json::Value> definition = json::parse(shipped_model(id).definition);
    REQUIRE(definition);
    for (const json::Value& form : {*definition, write_model(shipped_model(id))}) {
      for (const json::Member& member : form.members()) {
        for (const json::Value& value : hostile) {
          json::Value changed = form;
          changed.replace(member.key, value);
          const Result<Model> read = read_model(changed, "m", false);
          INFO(id << " " << member.key << " " << json::brief(value));
          if (read) {
            ++models;
            REQUIRE(read->order.size() <= 4096);
            REQUIRE_FALSE(read->parameters.is_saturated());
            REQUIRE(read_model(write_model(*read), "m", true));
          } else {
            ++errors;
            REQUIRE_FALSE(read.error().where.empty());
          }
        }
      }
    }
  }
  CHECK(models > 500);
  CHECK(errors > 500);
}
