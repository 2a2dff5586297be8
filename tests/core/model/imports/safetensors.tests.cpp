#include "core/model/imports/safetensors.h"

#include <catch2/catch_test_macros.hpp>

#include "core/model/file_weights.h"
#include "core/model/imports/import_set.h"
#include "core/model/read_model.h"
#include "tests/core/model/imports/tiny_files.h"
#include "tests/core/model/shipped_models.h"

using namespace vram;
using namespace vram::imports;
using namespace vram::testing;

namespace {

std::span<const std::uint8_t> bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool took(ImportSet& set, std::string_view name, std::span<const std::uint8_t> head, std::uint64_t size) {
  return std::holds_alternative<ImportSet::Kind>(set.add(name, head, size));
}

}  // namespace

TEST_CASE("config.json and a checkpoint give the description and the bytes", "[imports][safetensors]") {
  const SafetensorsBuilder file = tiny_checkpoint();
  ImportSet set;
  REQUIRE(took(set, "config.json", bytes_of_text(kTinyConfig), kTinyConfig.size()));
  REQUIRE(took(set, "model.safetensors", file.header(), file.file_size()));
  const auto imported = set.finish();
  REQUIRE(imported);
  CHECK(imported->assumed.empty());
  CHECK(imported->weights == "bf16");
  CHECK(imported->model.file_weights->stored.total.bytes.value() == file.data);
  CHECK(imported->model.parameters.value() * 2 == file.data);
  const StoredWeights expected = store(imported->model, WeightFormat{}, quantiser_context(imported->model));
  const StoredWeights& stored = imported->model.file_weights->stored;
  CHECK(stored.layer(0).split.bytes == expected.layer(0).split.bytes);
  CHECK(stored.layer(1).replicated.bytes == expected.layer(1).replicated.bytes);
  CHECK(stored.token_embedding.bytes == expected.token_embedding.bytes);
  CHECK(stored.output.bytes == expected.output.bytes);
}

TEST_CASE("a sharded checkpoint is whole only with all of its shards", "[imports][safetensors]") {
  const SafetensorsBuilder first = tiny_checkpoint([](int layer) { return layer < 1; });
  const SafetensorsBuilder second = tiny_checkpoint([](int layer) { return layer == 1; });
  const std::string index =
      R"({"metadata":{"total_size":)" + std::to_string(first.data + second.data) +
      R"(},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00001-of-00002.safetensors",
                               "c":"model-00002-of-00002.safetensors","d":"model-00001-of-00002.safetensors"}})";
  const auto read = read_safetensors_index(index);
  REQUIRE(read);
  CHECK(read->files.size() == 2);
  CHECK(read->total_size == first.data + second.data);

  ImportSet set;
  REQUIRE(took(set, "config.json", bytes_of_text(kTinyConfig), kTinyConfig.size()));
  REQUIRE(took(set, "model.safetensors.index.json", bytes_of_text(index), index.size()));
  REQUIRE(took(set, "1", first.header(), first.file_size()));
  auto imported = set.finish();
  REQUIRE(imported);
  REQUIRE(imported->assumed.size() == 1);
  CHECK(std::string(imported->assumed[0].id) == "shards");
  CHECK(imported->assumed[0].value == "1");
  CHECK(imported->model.file_weights == nullptr);
  REQUIRE(took(set, "2", second.header(), second.file_size()));
  imported = set.finish();
  REQUIRE(imported);
  CHECK(imported->assumed.empty());
  CHECK(imported->model.file_weights->stored.total.bytes.value() == first.data + second.data);
}

TEST_CASE("packed weights keep the file's bytes and the description's elements", "[imports][safetensors]") {
  constexpr std::string_view kGptq =
      R"({"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,
          "vocab_size":100,"max_position_embeddings":512,"tie_word_embeddings":true,
          "quantization_config":{"quant_method":"gptq","bits":4,"group_size":64}})";
  SafetensorsBuilder file;
  file.tensor("model.embed_tokens.weight", {100, 64}, "F16", 16);
  file.tensor("model.norm.weight", {64}, "F16", 16);
  file.tensor("model.layers.0.mlp.down_proj.qweight", {16, 64}, "I32", 32);
  file.tensor("model.layers.0.mlp.down_proj.scales", {2, 64}, "F16", 16);
  ImportSet set;
  REQUIRE(took(set, "config.json", bytes_of_text(kGptq), kGptq.size()));
  REQUIRE(took(set, "model.safetensors", file.header(), file.file_size()));
  const auto imported = set.finish();
  REQUIRE(imported);
  CHECK(imported->weights == "gptq4");
  const LayerWeights& layer = imported->model.file_weights->stored.layer(0);
  CHECK(layer.split.bytes == Count(16 * 64 * 4 + 2 * 64 * 2));
  CHECK(layer.quantised_bytes == Count(16 * 64 * 4));
  CHECK(layer.split.elements == Count(4 * 64 * 64 + 3 * 64 * 128));
}

TEST_CASE("weights alone ask for their config.json", "[imports][safetensors]") {
  const SafetensorsBuilder file = tiny_checkpoint();
  ImportSet set;
  REQUIRE(took(set, "model.safetensors", file.header(), file.file_size()));
  const auto imported = set.finish();
  REQUIRE_FALSE(imported);
  CHECK(imported.error().where == "config.json");
}

TEST_CASE("a downloaded entry comes back as it went", "[imports]") {
  const std::string text = json::write(write_model(shipped_model("gemma-2-9b")));
  ImportSet set;
  REQUIRE(took(set, "gemma.json", bytes_of_text(text), text.size()));
  const auto imported = set.finish();
  REQUIRE(imported);
  CHECK(same_model(imported->model, shipped_model("gemma-2-9b")));
}

TEST_CASE("a checkpoint cut off anywhere is an error", "[imports][safetensors][hostile]") {
  const SafetensorsBuilder file = tiny_checkpoint();
  const std::vector<std::uint8_t> header = file.header();
  for (std::size_t length = 0; length < header.size(); ++length) {
    ImportSet set;
    REQUIRE(std::holds_alternative<Error>(set.add("cut", std::span(header).first(length), length)));
  }
  for (std::size_t length = 0; length < kTinyConfig.size(); ++length) {
    ImportSet set;
    REQUIRE(std::holds_alternative<Error>(set.add("cut", bytes_of_text(kTinyConfig.substr(0, length)), length)));
  }
}

TEST_CASE("headers that lie are refused with the place", "[imports][safetensors][hostile]") {
  const auto error_of = [](std::string_view json, std::uint64_t data) {
    std::vector<std::uint8_t> bytes;
    GgufBuilder::append(bytes, std::uint64_t{json.size()});
    bytes.insert(bytes.end(), json.begin(), json.end());
    const auto reading = read_safetensors(bytes, bytes.size() + data);
    REQUIRE(std::holds_alternative<Error>(reading));
    CHECK(std::get<Error>(reading).where.starts_with("byte "));
    return std::get<Error>(reading).got;
  };
  CHECK(error_of(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,4]}})", 8) == "a: 4 bytes");
  CHECK(error_of(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})", 4) == "a: data up to 8");
  CHECK(error_of(R"({"a":{"dtype":"BF17","shape":[4],"data_offsets":[0,8]}})", 8) == "a: dtype \"BF17\"");
  CHECK(error_of(R"({"a":{"dtype":"BF16","shape":[18446744073709551615,18446744073709551615],"data_offsets":[0,8]}})",
                 8) == "a: 8 bytes");
  CHECK(error_of(R"({"a":{"dtype":"BF16","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,2]}})", 8) == "a: 9 dimensions");
  CHECK(error_of(R"({"a":3})", 8) == "a: no entry");
  CHECK(error_of(R"({"a" 3})", 8) == "no JSON");
}
