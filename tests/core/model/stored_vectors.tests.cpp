#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "core/model/stored_weights.h"
#include "tests/core/data_file.h"
#include "tests/core/model/hand_built.h"

using namespace vram;

namespace {

using Role = TensorRole;

WeightFormat format_of(std::string_view name) { return *parse_weight_format(name); }

StoredWeights stored(const Model& model, std::string_view format) {
  return store(model, format_of(format), quantiser_context(model));
}

std::uint64_t total(const Model& model, std::string_view format) { return stored(model, format).total.bytes.value(); }

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

Stored sum_of_layers(const StoredWeights& weights) {
  Stored sum;
  for (std::size_t i = 0; i < weights.order.size(); ++i) sum += weights.layer(i).total();
  return sum;
}

std::uint64_t one_matrix(std::string_view format, std::uint64_t rows, std::uint64_t cols, bool latent = false) {
  QuantiserContext context;
  context.latent_attention = latent;
  return stored_bytes(format_of(format), {Role::mlp_up, kNoLayer, rows, cols, 1}, {}, context).value();
}

/// fp8 with one scale for the matrix and one for its input (F-3.8), which no checkpoint format of ours uses: the vector's
/// first value is the elements and two fp32 numbers.
std::uint64_t fp8_per_tensor(std::uint64_t rows, std::uint64_t cols) {
  return bytes_of(TensorType::fp8, rows, cols).value() + 8;
}

/// What the vectors without inputs of their own mean, by id; lists in the order of `expected`.
using Answers = std::vector<std::uint64_t>;
const std::map<std::string, std::function<Answers()>, std::less<>>& answers_by_id() {
  static const std::map<std::string, std::function<Answers()>, std::less<>> answers = {
      {"T-3.20 nf4 dq total llama3.1-8b", [] { return Answers{total(hand_built::llama3_8b(), "nf4_dq")}; }},
      {"T-3.20 nf4 no-dq", [] { return Answers{total(hand_built::llama3_8b(), "nf4")}; }},
      {"T-3.20 int8", [] { return Answers{total(hand_built::llama3_8b(), "int8")}; }},
      {"T-3.22 gptq 4096x4096 g128", [] { return Answers{one_matrix("gptq4", 4096, 4096)}; }},
      {"T-3.23 awq", [] { return Answers{one_matrix("awq4", 4096, 4096)}; }},
      {"T-3.24 gptq model", [] { return Answers{total(hand_built::llama3_8b(), "gptq4")}; }},
      {"T-3.24 awq model", [] { return Answers{total(hand_built::llama3_8b(), "awq4")}; }},
      {"T-3.25 ct w4a16", [] { return Answers{one_matrix("w4a16", 4096, 4096)}; }},
      {"T-3.26 fp8 tensor/channel/block",
       [] {
         return Answers{fp8_per_tensor(4096, 4096), one_matrix("fp8", 4096, 4096), one_matrix("fp8", 4096, 4096, true)};
       }},
      {"T-3.27", [] { return Answers{one_matrix("fp8", 7168, 18432, true)}; }},
      {"T-3.28 dsv3 fp8", [] { return Answers{total(hand_built::deepseek_v3(), "fp8")}; }},
      {"T-3.29 nvfp4", [] { return Answers{one_matrix("nvfp4", 4096, 4096)}; }},
      {"T-3.30 mxfp4", [] { return Answers{one_matrix("mxfp4", 4096, 4096)}; }},
      {"T-3.31 gpt-oss-20b", [] { return Answers{total(hand_built::gpt_oss(24, 32), "mxfp4")}; }},
      {"T-3.31 gpt-oss-120b", [] { return Answers{total(hand_built::gpt_oss(36, 128), "mxfp4")}; }},
  };
  return answers;
}

Answers expected_of(const json::Value& value) {
  if (!value.is(json::Kind::array)) return {value.integer()};
  Answers answers;
  for (const json::Value& item : value.items()) answers.push_back(item.integer());
  return answers;
}

void check_layout(const std::string& type, const json::Value& expected) {
  const std::optional<TensorType> found = tensor_type_by_name(lower(type));
  REQUIRE(found);
  CHECK(layout_of(*found).block_elements == expected.find("block_elems")->integer());
  CHECK(layout_of(*found).block_bytes == expected.find("block_bytes")->integer());
}

/// The vectors count the final normalisation with the output.
void check_llama3_8b(const std::string& mix, const json::Value& expected) {
  const StoredWeights weights = stored(hand_built::llama3_8b(), mix == "F16" ? "gguf_f16" : lower(mix));
  CHECK(weights.total.bytes.value() == expected.find("total")->integer());
  CHECK(weights.token_embedding.bytes.value() == expected.find("token_embd")->integer());
  CHECK((weights.output + weights.other).bytes.value() == expected.find("output")->integer());
  CHECK(sum_of_layers(weights).bytes.value() == expected.find("layers")->integer());
}

}  // namespace

TEST_CASE("every vector of section 3 holds to the byte", "[format][vectors]") {
  const json::Value file = read_data_file("vectors_formats.json");
  REQUIRE(file.items().size() == 63);
  for (const json::Value& vector : file.items()) {
    const std::string& id = vector.find("id")->text();
    const json::Value& expected = *vector.find("expected");
    INFO(id);
    if (id.starts_with("T-3/ggml/")) {
      check_layout(id.substr(9), expected);
    } else if (id.starts_with("T-3/gguf/llama3-8b/")) {
      check_llama3_8b(id.substr(19), expected);
    } else {
      const auto answer = answers_by_id().find(id);
      REQUIRE(answer != answers_by_id().end());
      CHECK(answer->second() == expected_of(expected));
    }
  }
}

TEST_CASE("files made by llama.cpp have the size that its log prints", "[format][gguf]") {
  struct File {
    const char* what;
    Model model;
    const char* format;
    bool imatrix;
    int digits;
    double unit;
    const char* printed;
  };
  constexpr double kGiBs = 1073741824.0, kMiBs = 1048576.0;
  // "file size" lines of llama.cpp and its fork (reference measurements lcpp-0029, -0032, ...), made by the standard rules.
  const File files[] = {
      {"Llama-3-8B, lcpp-0256", hand_built::llama3_8b(), "q4_k_m", false, 2, kGiBs, "4.58"},
      {"Llama-2-13B, lcpp-0093", hand_built::llama2_13b(), "q8_0", false, 3, kGiBs, "12.881"},
      {"Qwen3-30B-A3B, lcpp-0029", hand_built::qwen3_30b_a3b(), "q4_k_m", false, 2, kGiBs, "17.28"},
      {"Qwen3-235B, lcpp-0032", hand_built::qwen3_235b(), "q4_k_m", false, 3, kGiBs, "132.386"},
      {"Qwen3-235B, lcpp-0102", hand_built::qwen3_235b(), "q6_k", false, 2, kGiBs, "179.75"},
      {"Qwen3-235B, lcpp-0038", hand_built::qwen3_235b(), "q8_0", false, 3, kGiBs, "232.769"},
      {"GLM-Z1-32B, lcpp-0096", hand_built::glm_32b(2), "iq4_xs", true, 2, kGiBs, "16.38"},
      {"GLM-Z1-Rumination-32B, lcpp-0094", hand_built::glm_32b(8), "gguf_bf16", false, 3, kGiBs, "61.734"},
      {"gpt-oss-20b, lcpp-0055", hand_built::gpt_oss(24, 32), "mxfp4_moe", false, 2, kGiBs, "11.27"},
      {"Phi-3-mini, lcpp-m-0009", hand_built::phi3_mini(), "q4_k_m", false, 2, kGiBs, "2.23"},
      {"Gemma-3-1B, lcpp-m-0024", hand_built::gemma3_1b(), "q8_0", false, 2, kMiBs, "1013.54"},
      {"Gemma-3-1B, lcpp-m-0025", hand_built::gemma3_1b(), "q4_k_m", false, 2, kMiBs, "762.49"},
  };
  for (const File& file : files) {
    INFO(file.what);
    QuantiserContext context = quantiser_context(file.model);
    context.has_imatrix = file.imatrix;
    const StoredWeights weights = store(file.model, format_of(file.format), context);
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", file.digits, weights.total.bytes.as_double() / file.unit);
    CHECK(std::string(text) == file.printed);
  }
}

TEST_CASE("a file that deviates from the rules in one known way differs by just that", "[format][gguf]") {
  // lcpp-0044, Command A 111B in Q4_K_M: the log counts one Q8_0 tensor, the tied embedding, where the rules say Q6_K.
  const Model command_a = hand_built::command_a();
  const Bytes embedding = bytes_of(TensorType::q8_0, 256000, 12288) - bytes_of(TensorType::q6_k, 256000, 12288);
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", (Count(total(command_a, "q4_k_m")) + embedding).as_double() / 1073741824.0);
  CHECK(std::string(text) == "63.224");
  // lcpp-0069, DeepSeek-R1 in Q2_K: the fork's file holds attn_kv_b beside the two parts made of it.
  const Bytes whole = bytes_of(TensorType::q2_k, 128 * 256, 512) * 61;
  std::snprintf(text, sizeof text, "%.3f",
                (Count(total(hand_built::deepseek_v3(), "q2_k")) + whole).as_double() / 1073741824.0);
  CHECK(std::string(text) == "227.689");
  // lcpp-m-0009, Phi-3-mini in Q4_K_M: the GPU holds all but the embedding, 2228.82 MiB.
  const StoredWeights phi = stored(hand_built::phi3_mini(), "q4_k_m");
  std::snprintf(text, sizeof text, "%.2f", (phi.total.bytes - phi.token_embedding.bytes).as_double() / 1048576.0);
  CHECK(std::string(text) == "2228.82");
}
