// llama.cpp's load log: src/llama-model.cpp, llama-kv-cache*.cpp, llama-memory-recurrent.cpp, llama-context.cpp.
#include <algorithm>
#include <array>

#include "core/report/measured/log_parts.h"
#include "core/report/measured/log_text.h"

namespace vram::measured {
namespace {

struct Buffer {
  std::string_view mark;
  Quantity quantity;
};
constexpr std::array kBuffers = {
    Buffer{" model buffer size", Quantity::weights},  Buffer{" KV buffer size", Quantity::kv_cache},
    Buffer{" RS buffer size", Quantity::state},       Buffer{" compute buffer size", Quantity::buffers},
    Buffer{" output buffer size", Quantity::buffers},
};

/// The device's name before a mark: the last word.
std::string_view device_before(std::string_view line, std::size_t at) {
  std::string_view head = line.substr(0, at);
  while (head.ends_with(' ')) head.remove_suffix(1);
  const std::size_t blank = head.find_last_of(" \t");
  return blank == std::string_view::npos ? head : head.substr(blank + 1);
}

bool on_host(std::string_view device) { return device.starts_with("CPU") || holds(device, "Host"); }

/// "Q4_K - Medium" -> "q4_k_m"; "all F32", "BF16", "Q8_0" -> their words.
std::string weights_word(std::string_view type) {
  struct Row {
    std::string_view text, word;
  };
  constexpr std::array kRows = {Row{"all F32", "gguf_f32"},
                                Row{"BF16", "gguf_bf16"},
                                Row{"F16", "gguf_f16"},
                                Row{"Q4_0", "q4_0"},
                                Row{"Q4_1", "q4_1"},
                                Row{"Q5_0", "q5_0"},
                                Row{"Q5_1", "q5_1"},
                                Row{"Q8_0", "q8_0"},
                                Row{"MXFP4 MoE", "mxfp4_moe"},
                                Row{"Q2_K - Medium", "q2_k"},
                                Row{"Q2_K - Small", "q2_k_s"},
                                Row{"Q3_K - Small", "q3_k_s"},
                                Row{"Q3_K - Medium", "q3_k_m"},
                                Row{"Q3_K - Large", "q3_k_l"},
                                Row{"Q4_K - Small", "q4_k_s"},
                                Row{"Q4_K - Medium", "q4_k_m"},
                                Row{"Q5_K - Small", "q5_k_s"},
                                Row{"Q5_K - Medium", "q5_k_m"},
                                Row{"Q6_K", "q6_k"},
                                Row{"TQ1_0", "tq1_0"},
                                Row{"TQ2_0", "tq2_0"},
                                Row{"IQ2_XXS", "iq2_xxs"},
                                Row{"IQ2_XS", "iq2_xs"},
                                Row{"IQ2_S", "iq2_s"},
                                Row{"IQ2_M", "iq2_m"},
                                Row{"IQ3_XXS", "iq3_xxs"},
                                Row{"IQ3_XS", "iq3_xs"},
                                Row{"IQ3_S mix", "iq3_m"},
                                Row{"IQ3_S", "iq3_s"},
                                Row{"IQ1_S", "iq1_s"},
                                Row{"IQ1_M", "iq1_m"},
                                Row{"IQ4_NL", "iq4_nl"},
                                Row{"IQ4_XS", "iq4_xs"},
                                Row{"Q2_K", "q2_k"}};
  for (const Row& row : kRows) {
    if (type.starts_with(row.text)) return std::string(row.word);
  }
  return {};
}

class Reader {
 public:
  explicit Reader(LogReading& reading) : reading_(&reading) {}

  void line(std::string_view line) {
    for (const Buffer& buffer : kBuffers) {
      const std::size_t at = line.find(buffer.mark);
      if (at != std::string_view::npos) add(buffer, line, at);
    }
    if (const auto value = after(line, "general.name"); value && holds(line, "print")) name(*value);
    for (const std::string_view mark : {"model ftype", "file type"}) {
      const auto value = after(line, mark);
      if (value && value->starts_with('=')) reading_->weights_name = weights_word(trimmed(value->substr(1)));
    }
    number(line, "n_ctx ", Field::context);
    number(line, "n_seq_max", Field::batch);
    number(line, "n_ubatch", Field::ubatch);
    if (const auto value = after(line, "offloaded "); value && holds(line, "layers to GPU")) layers(*value);
    if (const auto value = after(line, "flash_attn")) flash(*value);
    cache_types(line);
  }

  void finish() {
    if (totals_.empty()) return;
    reading_->sources.push_back(Source::llama_cpp);
    Bytes all;
    for (const Total& total : totals_) {
      reading_->measure(total.quantity, total.bytes,
                        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(devices_.size())));
      all += total.bytes;
    }
    // Weights alone are half a log; the sum of the buffers needs all of them.
    if (totals_.size() > 1) {
      reading_->measure(Quantity::reserved, all,
                        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(devices_.size())));
    }
    reading_->set(Field::framework, "llama.cpp");
  }

 private:
  struct Total {
    Quantity quantity;
    Bytes bytes;
  };

  void add(const Buffer& buffer, std::string_view line, std::size_t at) {
    const std::string_view device = device_before(line, at);
    const auto value = after(line.substr(at), "=");
    const auto bytes = value ? leading_bytes(*value) : std::nullopt;
    if (!bytes || device.empty() || on_host(device)) return;
    if (std::find(devices_.begin(), devices_.end(), device) == devices_.end() && devices_.size() < 1024) {
      devices_.emplace_back(device);
    }
    const auto known = std::find_if(totals_.begin(), totals_.end(),
                                    [&](const Total& total) { return total.quantity == buffer.quantity; });
    if (known == totals_.end()) {
      totals_.push_back({buffer.quantity, *bytes});
    } else {
      known->bytes += *bytes;
    }
  }

  void name(std::string_view value) {
    if (value.starts_with('=')) reading_->model_name = std::string(trimmed(value.substr(1)).substr(0, 200));
  }
  void number(std::string_view line, std::string_view mark, Field field) {
    if (!holds(line, "llama_") || holds(line, "per_seq") || holds(line, "train")) return;
    const auto value = after(line, mark);
    if (!value || !value->starts_with('=')) return;
    if (const auto whole = leading_integer(trimmed(value->substr(1))); whole && *whole != 0) {
      reading_->set(field, std::to_string(*whole));
    }
  }
  void layers(std::string_view value) {
    const auto on_gpu = leading_integer(value);
    const std::size_t slash = value.find('/');
    const auto all = slash == std::string_view::npos ? std::nullopt : leading_integer(value.substr(slash + 1));
    if (on_gpu && all) reading_->set(Field::gpu_layers, *on_gpu == *all ? "all" : std::to_string(*on_gpu));
  }
  void flash(std::string_view value) {
    if (!value.starts_with('=')) return;
    const std::string word = leading_word(trimmed(value.substr(1)));
    if (word == "1" || word == "enabled") reading_->set(Field::attention, "flash");
    if (word == "0" || word == "disabled") reading_->set(Field::attention, "eager");
  }
  /// "K (q8_0):  272.00 MiB, V (q8_0):  272.00 MiB"
  void cache_types(std::string_view line) {
    if (const auto k = after(line, " K (")) reading_->set(Field::kv_cache, leading_word(*k));
    if (const auto v = after(line, " V (")) reading_->set(Field::kv_cache_v, leading_word(*v));
  }

  LogReading* reading_;
  std::vector<Total> totals_;
  std::vector<std::string> devices_;
};

}  // namespace

void read_llama_cpp(std::string_view text, LogReading& reading) {
  if (!holds(text, "buffer size")) return;
  Reader reader(reading);
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) reader.line(line);
  reader.finish();
}

}  // namespace vram::measured
