// Facts that tests read from tests/data.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "core/base/json.h"

namespace vram {

/// The JSON file tests/data/<name>; null (which no test takes for data) when it cannot be read.
inline json::Value read_data_file(const std::string& name) {
  std::ifstream file(std::string(VRAM_TEST_DATA_DIR "/") + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  Result<json::Value> value = json::parse(text.str());
  return value ? *value : json::Value();
}

}  // namespace vram
