// Writes the seed corpus: one good example of everything that the fuzz targets read, into <folder>/<target>/.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "tests/core/model/imports/tiny_files.h"
#include "tests/core/report/measured/logs.h"

namespace {

void write(const std::filesystem::path& folder, std::string_view name, std::string_view content) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << content;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vram::testing;
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  const std::vector<std::uint8_t> gguf = tiny_gguf().header();
  write(folder / "gguf", "tiny", text_of(gguf).substr(4));  // the target puts the magic in front
  write(folder / "import", "tiny.gguf", text_of(gguf));
  write(folder / "import", "tiny.safetensors", text_of(tiny_checkpoint().header()));
  write(folder / "import", "config.json", kTinyConfig);
  write(folder / "import", "index.json", R"({"metadata":{"total_size":9},"weight_map":{"a":"1","b":"2"}})");
  const std::string_view logs[] = {kLlamaLog, kVllmLog, kSglangLog, kOutOfMemory, kMemorySummary, kNvidiaSmi, kOllama};
  for (std::size_t i = 0; i < std::size(logs); ++i) write(folder / "log", std::to_string(i), logs[i]);
  write(folder / "link", "plain", "v=1&task=qlora&model=llama-3.1-8b&context=8192&lora_targets=q,v");
  write(folder / "link", "architecture", "architecture=%7B%22hidden%22:64,%22layers%22:2%7D&weights=q4_k_m");
}
