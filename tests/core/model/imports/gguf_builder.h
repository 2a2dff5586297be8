// GGUF files for tests: written by hand, or as llama.cpp would write a model of the catalogue.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/gguf_mix.h"
#include "core/format/mix_places.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"

namespace vram::testing {

class GgufBuilder {
 public:
  void number(std::string_view key, std::uint32_t value) {
    begin(key, 4);
    append(values_, value);
  }
  void fraction(std::string_view key, float value) {
    begin(key, 6);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append(values_, bits);
  }
  void flag(std::string_view key, bool value) {
    begin(key, 7);
    values_.push_back(value ? 1 : 0);
  }
  void text(std::string_view key, std::string_view value) {
    begin(key, 8);
    append_text(values_, value);
  }
  void flags(std::string_view key, const std::vector<bool>& list) {
    begin(key, 9);
    append(values_, std::uint32_t{7});
    append(values_, std::uint64_t{list.size()});
    for (const bool value : list) values_.push_back(value ? 1 : 0);
  }
  void texts(std::string_view key, std::uint64_t count, std::string_view each) {
    begin(key, 9);
    append(values_, std::uint32_t{8});
    append(values_, count);
    for (std::uint64_t i = 0; i < count; ++i) append_text(values_, each);
  }
  void numbers(std::string_view key, std::uint64_t count) {
    begin(key, 9);
    append(values_, std::uint32_t{5});
    append(values_, count);
    for (std::uint64_t i = 0; i < count; ++i) append(values_, std::uint32_t{1});
  }

  void tensor(std::string_view name, std::initializer_list<std::uint64_t> shape, TensorType type) {
    std::uint64_t elements = 1;
    append_text(tensors_, name);
    append(tensors_, static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t length : shape) {
      append(tensors_, length);
      elements *= length;
    }
    const std::uint64_t row = shape.size() == 0 ? 1 : *shape.begin();
    append(tensors_, static_cast<std::uint32_t>(layout_of(type).ggml_id));
    append(tensors_, data_);
    data_ += pad(bytes_of(type, elements / row, row), 32).value();
    ++tensor_count_;
  }
  /// A tensor of a type that ggml does not list.
  void strange_tensor(std::string_view name, std::uint64_t length, std::uint32_t type, std::uint64_t bytes) {
    append_text(tensors_, name);
    append(tensors_, std::uint32_t{1});
    append(tensors_, length);
    append(tensors_, type);
    append(tensors_, data_);
    data_ += pad(bytes, 32).value();
    ++tensor_count_;
  }

  [[nodiscard]] std::vector<std::uint8_t> header() const {
    std::vector<std::uint8_t> bytes = {'G', 'G', 'U', 'F'};
    append(bytes, std::uint32_t{3});
    append(bytes, tensor_count_);
    append(bytes, value_count_);
    bytes.insert(bytes.end(), values_.begin(), values_.end());
    bytes.insert(bytes.end(), tensors_.begin(), tensors_.end());
    return bytes;
  }
  /// Size of the whole file, data included.
  [[nodiscard]] std::uint64_t file_size() const { return pad(header().size(), 32).value() + data_; }

  template <class Number>
  static void append(std::vector<std::uint8_t>& out, Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8U * i)));
  }

 private:
  static void append_text(std::vector<std::uint8_t>& out, std::string_view text) {
    append(out, std::uint64_t{text.size()});
    out.insert(out.end(), text.begin(), text.end());
  }
  void begin(std::string_view key, std::uint32_t type) {
    append_text(values_, key);
    append(values_, type);
    ++value_count_;
  }

  std::vector<std::uint8_t> values_, tensors_;
  std::uint64_t value_count_ = 0, tensor_count_ = 0, data_ = 0;
};

/// llama.cpp's name for a matrix of a layer (gguf-py/gguf/constants.py, TENSOR_NAMES).
inline std::string_view gguf_name(TensorRole role) {
  switch (role) {
    case TensorRole::attn_q: return "attn_q";
    case TensorRole::attn_k: return "attn_k";
    case TensorRole::attn_v: return "attn_v";
    case TensorRole::attn_qkv: return "attn_qkv";
    case TensorRole::attn_output: return "attn_output";
    case TensorRole::mlp_gate: return "ffn_gate";
    case TensorRole::mlp_up: return "ffn_up";
    case TensorRole::mlp_down: return "ffn_down";
    case TensorRole::router: return "ffn_gate_inp";
    case TensorRole::expert_gate: return "ffn_gate_exps";
    case TensorRole::expert_up: return "ffn_up_exps";
    case TensorRole::expert_down: return "ffn_down_exps";
    default: return "";
  }
}

/// The file of a model whose layers are attention and MLP or experts.
inline GgufBuilder gguf_of(const Model& model, std::string_view architecture, std::string_view format,
                           std::uint32_t file_type) {
  GgufBuilder file;
  const std::string prefix(architecture);
  const auto& attention = std::get<Attention>(model.layer(0).mixer);
  file.text("general.architecture", architecture);
  file.text("general.name", model.name);
  file.number("general.file_type", file_type);
  file.number(prefix + ".block_count", static_cast<std::uint32_t>(model.order.size()));
  file.number(prefix + ".context_length", static_cast<std::uint32_t>(model.context_max.value()));
  file.number(prefix + ".embedding_length", static_cast<std::uint32_t>(model.hidden.value()));
  file.number(prefix + ".attention.head_count", static_cast<std::uint32_t>(attention.heads.value()));
  file.number(prefix + ".attention.head_count_kv", static_cast<std::uint32_t>(attention.kv_heads.value()));
  if (attention.window) {
    file.number(prefix + ".attention.sliding_window", static_cast<std::uint32_t>(attention.window.value()));
  }
  if (const auto* experts = std::get_if<Experts>(&model.layer(0).feed_forward)) {
    file.number(prefix + ".expert_used_count", static_cast<std::uint32_t>(experts->active.value()));
  }
  file.fraction(
      prefix + (model.norm == NormKind::rms ? ".attention.layer_norm_rms_epsilon" : ".attention.layer_norm_epsilon"),
      1e-5F);

  const WeightFormat weights = *parse_weight_format(format);
  const QuantiserContext context = quantiser_context(model);
  const MixPlaces places(weights.mix, context);
  const auto add = [&](const std::string& name, const Tensor& tensor, LayerPlace place) {
    const TensorType type = gguf_type(weights.mix, tensor, place, context);
    const std::uint64_t rows = tensor.rows.value(), cols = tensor.cols.value(), count = tensor.matrices.value();
    if (tensor.is_vector()) {
      file.tensor(name, {cols}, type);
    } else if (count == 1) {
      file.tensor(name, {cols, rows}, type);
    } else {
      file.tensor(name, {cols, rows, count}, type);
    }
  };
  const Tensor* token = nullptr;
  std::size_t norms = 0;
  for (const Tensor& tensor : model.outer_tensors) {
    switch (tensor.role) {
      case TensorRole::token_embedding: add("token_embd.weight", tensor, {}), token = &tensor; break;
      case TensorRole::output: add("output.weight", tensor, {}); break;
      case TensorRole::position_embedding: add("position_embd.weight", tensor, {}); break;
      case TensorRole::norm: add(norms++ == 0 ? "output_norm.weight" : "output_norm.bias", tensor, {}); break;
      default: break;
    }
  }
  (void)token;
  for (std::size_t i = 0; i < model.order.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    const LayerPlace place = places.at(at, at, at);
    const std::string layer = "blk." + std::to_string(i) + ".";
    constexpr std::string_view kNorms[] = {"attn_norm", "ffn_norm", "post_attention_norm", "post_ffw_norm"};
    std::size_t stream_norms = 0, head_norms = 0, halves = 0;
    std::string last;
    for (const Tensor& tensor : model.kind_tensors[model.order[i]]) {
      if (tensor.role == TensorRole::norm && last.empty()) {
        const bool bias = model.norm == NormKind::layer && halves++ % 2 == 1;
        add(layer + std::string(kNorms[bias ? stream_norms - 1 : stream_norms++]) + (bias ? ".bias" : ".weight"),
            tensor, place);
      } else if (tensor.role == TensorRole::norm) {
        add(layer + (head_norms++ == 0 ? "attn_q_norm.weight" : "attn_k_norm.weight"), tensor, place);
      } else if (tensor.role == TensorRole::bias) {
        add(layer + last + ".bias", tensor, place);
      } else {
        last = gguf_name(tensor.role);
        add(layer + last + ".weight", tensor, place);
      }
    }
  }
  return file;
}

}  // namespace vram::testing
