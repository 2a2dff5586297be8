#include "core/report/measured/read_log.h"

#include <algorithm>

#include "core/report/measured/log_parts.h"

namespace vram::measured {

void LogReading::measure(Quantity quantity, Bytes bytes, std::uint32_t gpus) {
  for (Measurement& known : measurements) {
    if (known.quantity != quantity) continue;
    known = {quantity, bytes, gpus};  // a later line of the same kind is the later state
    return;
  }
  measurements.push_back({quantity, bytes, gpus});
}

void LogReading::set(Field field, std::string value) {
  if (value.empty()) return;
  for (Setting& known : settings) {
    if (known.field != field) continue;
    known.value = std::move(value);
    return;
  }
  settings.push_back({field, std::move(value)});
}

const Measurement* LogReading::find(Quantity quantity) const {
  for (const Measurement& known : measurements) {
    if (known.quantity == quantity) return &known;
  }
  return nullptr;
}

LogReading read_log(std::string_view text) {
  constexpr std::size_t kMostText = std::size_t{4} << 20U;
  text = text.substr(0, kMostText);
  LogReading reading;
  read_llama_cpp(text, reading);
  read_vllm(text, reading);
  read_sglang(text, reading);
  read_torch(text, reading);
  read_nvidia_smi(text, reading);
  read_ollama(text, reading);
  return reading;
}

}  // namespace vram::measured
