// The storage format that a config.json stands for.
#include <array>

#include "core/format/storage_format.h"
#include "core/model/imports/hf_config.h"

namespace vram::imports {
namespace {

std::string bits_word(std::string_view scheme, Count bits) {
  std::string name = std::string(scheme) + std::to_string(bits.value());
  return parse_weight_format(name) ? name : std::string();
}

/// vLLM's compressed-tensors: "format" of the file, numbers of the first group.
std::string compressed(const ConfigView& quantisation) {
  const std::string_view format = quantisation.text("format");
  if (format.starts_with("nvfp4")) return "nvfp4";
  if (format.starts_with("float")) return "fp8";
  const json::Value* groups = quantisation.object("config_groups");
  if (groups == nullptr || groups->members().empty()) return {};
  const json::Value* weights = ConfigView(groups->members().front().value).object("weights");
  if (weights == nullptr) return {};
  const ConfigView numbers(*weights);
  const Count bits = numbers.count("num_bits");
  if (numbers.text("type") == "float") return bits == Count(4) ? "nvfp4" : "fp8";
  return bits == Count(8) ? "int8" : bits == Count(4) ? "w4a16" : "";
}

std::string modelopt(const ConfigView& quantisation) {
  std::string_view algorithm = quantisation.text("quant_algo");
  if (const json::Value* inner = quantisation.object("quantization"); inner != nullptr && algorithm.empty()) {
    algorithm = ConfigView(*inner).text("quant_algo");
  }
  if (algorithm.find("NVFP4") != std::string_view::npos) return "nvfp4";
  return algorithm.find("FP8") != std::string_view::npos ? "fp8" : "";
}

std::string exl(std::string_view method, const ConfigView& quantisation) {
  const json::Value* bits = quantisation.find("bits");
  if (bits == nullptr) return {};
  WeightFormat format;
  format.scheme = WeightScheme::exl;
  format.exl_version = method == "exl2" ? 2 : 3;
  format.bits_x100 = static_cast<std::uint16_t>(min(scaled(100, bits->number()), 6400).value());
  const std::string name = name_of(format);
  return parse_weight_format(name) ? name : std::string();
}

std::string quantised(const ConfigView& quantisation) {
  const std::string_view method = quantisation.text("quant_method");
  if (method == "bitsandbytes" || quantisation.flag("load_in_4bit") || quantisation.flag("load_in_8bit")) {
    if (quantisation.flag("load_in_8bit _load_in_8bit")) return "int8";
    if (quantisation.text("bnb_4bit_quant_type") == "fp4") return "fp4";
    return quantisation.flag("bnb_4bit_use_double_quant") ? "nf4_dq" : "nf4";
  }
  if (method == "gptq") return bits_word("gptq", quantisation.count("bits"));
  if (method == "awq") return bits_word("awq", quantisation.count("bits w_bit"));
  if (method == "fp8" || method == "fbgemm_fp8") return "fp8";
  if (method == "mxfp4") return "mxfp4";
  if (method == "compressed-tensors") return compressed(quantisation);
  if (method.starts_with("modelopt")) return modelopt(quantisation);
  if (method == "exl2" || method == "exl3") return exl(method, quantisation);
  return {};
}

}  // namespace

std::string weights_of_config(const ConfigView& config, std::vector<Assumption>& assumed) {
  if (const json::Value* object = config.object("quantization_config quantization compression_config")) {
    const ConfigView quantisation(*object);
    std::string word = quantised(quantisation);
    if (!word.empty()) return word;
    assumed.push_back({"quantisation", std::string(quantisation.text("quant_method").substr(0, 40))});
  }
  std::string_view dtype = config.text("torch_dtype dtype");
  if (dtype.starts_with("torch.")) dtype.remove_prefix(6);
  return dtype == "bfloat16" ? "bf16" : dtype == "float16" ? "fp16" : dtype == "float32" ? "fp32" : "";
}

}  // namespace vram::imports
