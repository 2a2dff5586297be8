// Complete small model files: one GGUF, one checkpoint with its config.json. Tests read them, fuzz targets start from them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/model/imports/gguf_builder.h"

namespace vram::testing {

/// A whole small model: two layers, every kind of value.
inline GgufBuilder tiny_gguf() {
  GgufBuilder file;
  file.text("general.architecture", "llama");
  file.text("general.name", "Tiny");
  file.number("general.file_type", 15);
  file.number("llama.block_count", 2);
  file.number("llama.context_length", 4096);
  file.number("llama.embedding_length", 256);
  file.number("llama.attention.head_count", 4);
  file.number("llama.attention.head_count_kv", 2);
  file.fraction("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  file.flag("tokenizer.ggml.add_bos_token", true);
  file.texts("tokenizer.ggml.tokens", 20, "word");
  file.numbers("tokenizer.ggml.token_type", 20);
  file.tensor("token_embd.weight", {256, 512}, TensorType::q4_k);
  file.tensor("output.weight", {256, 512}, TensorType::q6_k);
  file.tensor("output_norm.weight", {256}, TensorType::f32);
  file.tensor("rope_freqs.weight", {32}, TensorType::f32);
  for (int i = 0; i < 2; ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    file.tensor(layer + "attn_norm.weight", {256}, TensorType::f32);
    file.tensor(layer + "attn_q.weight", {256, 256}, TensorType::q4_k);
    file.tensor(layer + "attn_k.weight", {256, 128}, TensorType::q4_k);
    file.tensor(layer + "attn_v.weight", {256, 128}, i == 0 ? TensorType::q6_k : TensorType::q4_k);
    file.tensor(layer + "attn_output.weight", {256, 256}, TensorType::q4_k);
    file.tensor(layer + "ffn_norm.weight", {256}, TensorType::f32);
    file.tensor(layer + "ffn_gate.weight", {256, 512}, TensorType::q4_k);
    file.tensor(layer + "ffn_up.weight", {256, 512}, TensorType::q4_k);
    file.tensor(layer + "ffn_down.weight", {512, 256}, TensorType::q6_k);
  }
  return file;
}

/// A safetensors file under construction.
struct SafetensorsBuilder {
  std::string json = "{\"__metadata__\":{\"format\":\"pt\"}";
  std::uint64_t data = 0;

  void tensor(std::string_view name, std::initializer_list<std::uint64_t> shape, std::string_view dtype,
              unsigned bits) {
    std::uint64_t elements = 1;
    std::string text;
    for (const std::uint64_t length : shape) {
      text += (text.empty() ? "" : ",") + std::to_string(length);
      elements *= length;
    }
    const std::uint64_t end = data + elements * bits / 8;
    json += ",\"" + std::string(name) + "\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[" + text +
            "],\"data_offsets\":[" + std::to_string(data) + "," + std::to_string(end) + "]}";
    data = end;
  }
  [[nodiscard]] std::vector<std::uint8_t> header() const {
    std::vector<std::uint8_t> bytes;
    GgufBuilder::append(bytes, std::uint64_t{json.size() + 1});
    bytes.insert(bytes.end(), json.begin(), json.end());
    bytes.push_back('}');
    return bytes;
  }
  [[nodiscard]] std::uint64_t file_size() const { return header().size() + data; }
};

inline constexpr std::string_view kTinyConfig =
    R"({"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,"num_attention_heads":4,
        "num_key_value_heads":2,"vocab_size":100,"max_position_embeddings":512,"tie_word_embeddings":false,
        "torch_dtype":"bfloat16"})";

/// The checkpoint of that configuration.
inline SafetensorsBuilder tiny_checkpoint(const std::function<bool(int layer)>& wanted = [](int) { return true; }) {
  SafetensorsBuilder file;
  if (wanted(-1)) {
    file.tensor("model.embed_tokens.weight", {100, 64}, "BF16", 16);
    file.tensor("lm_head.weight", {100, 64}, "BF16", 16);
    file.tensor("model.norm.weight", {64}, "BF16", 16);
  }
  for (int i = 0; i < 2; ++i) {
    if (!wanted(i)) continue;
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    file.tensor(layer + "input_layernorm.weight", {64}, "BF16", 16);
    file.tensor(layer + "post_attention_layernorm.weight", {64}, "BF16", 16);
    file.tensor(layer + "self_attn.q_proj.weight", {64, 64}, "BF16", 16);
    file.tensor(layer + "self_attn.k_proj.weight", {32, 64}, "BF16", 16);
    file.tensor(layer + "self_attn.v_proj.weight", {32, 64}, "BF16", 16);
    file.tensor(layer + "self_attn.o_proj.weight", {64, 64}, "BF16", 16);
    file.tensor(layer + "mlp.gate_proj.weight", {128, 64}, "BF16", 16);
    file.tensor(layer + "mlp.up_proj.weight", {128, 64}, "BF16", 16);
    file.tensor(layer + "mlp.down_proj.weight", {64, 128}, "BF16", 16);
  }
  return file;
}

}  // namespace vram::testing
