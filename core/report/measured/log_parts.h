// The readers behind read_log(), one a source. Each takes the whole text and adds what it finds.
#pragma once

#include "core/report/measured/read_log.h"

namespace vram::measured {

void read_llama_cpp(std::string_view text, LogReading& reading);
void read_vllm(std::string_view text, LogReading& reading);
void read_sglang(std::string_view text, LogReading& reading);
void read_torch(std::string_view text, LogReading& reading);
void read_nvidia_smi(std::string_view text, LogReading& reading);
void read_ollama(std::string_view text, LogReading& reading);

}  // namespace vram::measured
