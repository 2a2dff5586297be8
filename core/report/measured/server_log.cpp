// What vLLM and SGLang print while they start (vllm/worker, vllm/v1/worker/gpu_worker.py, sglang/srt/model_executor).
#include "core/report/measured/log_parts.h"
#include "core/report/measured/log_text.h"

namespace vram::measured {
namespace {

void set_integer(LogReading& reading, std::string_view line, std::string_view mark, Field field) {
  const auto value = after(line, mark);
  const auto whole = value ? leading_integer(*value) : std::nullopt;
  if (whole && *whole != 0) reading.set(field, std::to_string(*whole));
}

void set_share(LogReading& reading, std::string_view line, std::string_view mark) {
  const auto value = after(line, mark);
  std::size_t length = 0;
  const auto share = value ? leading_number(*value, length) : std::nullopt;
  if (share && *share > 0 && *share <= 1) reading.set(Field::memory_fraction, std::string(value->substr(0, length)));
}

void measure(LogReading& reading, std::string_view line, std::string_view mark, Quantity quantity) {
  const auto value = after(line, mark);
  // Both servers divide by 2^30 and print "GB" or "GiB".
  const auto bytes = value ? leading_bytes(*value) : std::nullopt;
  if (bytes) reading.measure(quantity, *bytes);
}

/// A server's word for a cache's type, as the request knows it.
void set_cache(LogReading& reading, std::string_view word) {
  if (word.starts_with("fp8") || word.starts_with("torch.float8")) reading.set(Field::kv_cache, "fp8");
  if (word == "bfloat16" || word == "torch.bfloat16") reading.set(Field::kv_cache, "bf16");
  if (word == "float16" || word == "torch.float16") reading.set(Field::kv_cache, "f16");
}

std::string weights_word(std::string_view quantisation) {
  if (quantisation.starts_with("awq")) return "awq4";
  if (quantisation.starts_with("gptq")) return "gptq4";
  if (quantisation.starts_with("fp8")) return "fp8";
  if (quantisation.starts_with("mxfp4")) return "mxfp4";
  if (quantisation.starts_with("modelopt_fp4")) return "nvfp4";
  if (quantisation.starts_with("bitsandbytes")) return "nf4";
  return {};
}

void vllm_line(std::string_view line, LogReading& reading) {
  if (const auto config = after(line, "LLM engine (v")) {
    std::string version = leading_word(*config);
    if (version.ends_with(')')) version.pop_back();
    reading.set(Field::framework_version, version.substr(0, 40));
  }
  if (const auto model = after(line, "config: model=")) reading.model_name = leading_word(*model);
  if (const auto dtype = after(line, " dtype=torch."); dtype && reading.weights_name.empty()) {
    reading.weights_name = dtype->starts_with("bfloat16") ? "bf16" : dtype->starts_with("float16") ? "fp16" : "";
  }
  if (const auto quantisation = after(line, " quantization=")) {
    const std::string word = weights_word(leading_word(*quantisation));
    if (!word.empty()) reading.weights_name = word;
  }
  set_integer(reading, line, "max_seq_len=", Field::context);
  set_integer(reading, line, "max_model_len=", Field::context);
  set_integer(reading, line, "tensor_parallel_size=", Field::tensor_parallel);
  set_integer(reading, line, "pipeline_parallel_size=", Field::pipeline_parallel);
  set_share(reading, line, "gpu_memory_utilization (");
  set_share(reading, line, "gpu_memory_utilization=");
  if (const auto cache = after(line, "kv_cache_dtype=")) set_cache(reading, leading_word(*cache));
  measure(reading, line, "Model loading took ", Quantity::weights);
  measure(reading, line, "Loading model weights took ", Quantity::weights);
  measure(reading, line, "model weights take ", Quantity::weights);
  measure(reading, line, "activation peak memory takes ", Quantity::buffers);
  measure(reading, line, "reserved for KV Cache is ", Quantity::kv_cache);
  measure(reading, line, "Available KV cache memory: ", Quantity::kv_cache);
  if (const auto graph = after(line, "Graph capturing finished"))
    measure(reading, *graph, "took ", Quantity::cuda_graphs);
  if (const auto total = after(line, "total_gpu_memory (")) reading.card = leading_bytes(*total).value_or(Bytes());
  if (const auto tokens = after(line, "GPU KV cache size: "))
    reading.cache_tokens = leading_integer(*tokens).value_or(0);
}

void sglang_line(std::string_view line, LogReading& reading) {
  if (const auto model = after(line, "model_path=")) reading.model_name = leading_word(*model);
  set_share(reading, line, "mem_fraction_static=");
  set_integer(reading, line, "tp_size=", Field::tensor_parallel);
  set_integer(reading, line, "context_len=", Field::context);
  set_integer(reading, line, "chunked_prefill_size=", Field::prefill_tokens);
  set_integer(reading, line, "max_running_requests=", Field::max_sequences);
  if (holds(line, "Load weight end")) {
    measure(reading, line, "mem usage=", Quantity::weights);
    if (const auto dtype = after(line, "dtype=torch.")) {
      reading.weights_name = dtype->starts_with("bfloat16") ? "bf16" : dtype->starts_with("float16") ? "fp16" : "";
    }
    if (const auto quantisation = after(line, "quant=")) {
      const std::string word = weights_word(leading_word(*quantisation));
      if (!word.empty()) reading.weights_name = word;
    }
  }
  if (holds(line, "KV Cache is allocated")) {
    const auto k = after(line, "K size: "), v = after(line, "V size: ");
    const auto tokens = after(line, "#tokens: ");
    const auto k_bytes = k ? leading_bytes(*k) : std::nullopt, v_bytes = v ? leading_bytes(*v) : std::nullopt;
    if (k_bytes) reading.measure(Quantity::kv_cache, *k_bytes + v_bytes.value_or(Bytes()));
    if (const auto size = after(line, "KV size: "); size && !k) {
      if (const auto bytes = leading_bytes(*size)) reading.measure(Quantity::kv_cache, *bytes);
    }
    if (tokens) reading.cache_tokens = leading_integer(*tokens).value_or(0);
    if (const auto dtype = after(line, "dtype: ")) set_cache(reading, leading_word(*dtype));
  }
  if (holds(line, "apture cuda graph end")) measure(reading, line, "mem usage=", Quantity::cuda_graphs);
}

template <class Read>
void read_lines(std::string_view text, LogReading& reading, const Read& read) {
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) read(line, reading);
}

}  // namespace

void read_vllm(std::string_view text, LogReading& reading) {
  const bool known = holds(text, "Model loading took ") || holds(text, "Loading model weights took ") ||
                     holds(text, "GPU KV cache size: ") || holds(text, "Available KV cache memory: ") ||
                     holds(text, "reserved for KV Cache is ");
  if (!known) return;
  reading.sources.push_back(Source::vllm);
  reading.set(Field::framework, "vllm");
  read_lines(text, reading, vllm_line);
}

void read_sglang(std::string_view text, LogReading& reading) {
  if (!holds(text, "Load weight end") && !holds(text, "KV Cache is allocated")) return;
  reading.sources.push_back(Source::sglang);
  reading.set(Field::framework, "sglang");
  read_lines(text, reading, sglang_line);
}

}  // namespace vram::measured
