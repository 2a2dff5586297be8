// Any bytes as a model's file: GGUF, safetensors, an index, config.json. What is taken must read back from its own JSON.
#include <cstdint>
#include <cstdlib>

#include "core/model/imports/import_set.h"
#include "core/model/read_model.h"

#ifndef VRAM_FUZZ_MAGIC
#define VRAM_FUZZ_MAGIC ""
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vram::imports;
  constexpr std::string_view kMagic = VRAM_FUZZ_MAGIC;
  std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
  bytes.insert(bytes.end(), data, data + size);
  ImportSet set;
  // The file as it is, and as the beginning of a large one.
  for (const std::uint64_t file_size : {std::uint64_t{bytes.size()}, std::uint64_t{1} << 40U}) {
    const auto reading = set.add("fuzz", bytes, file_size);
    if (const auto* need = std::get_if<NeedMore>(&reading); need != nullptr && need->up_to <= bytes.size())
      std::abort();
  }
  // Weights need a configuration beside them.
  constexpr std::string_view kConfig =
      R"({"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,"num_attention_heads":4,
          "vocab_size":100})";
  if (!set.empty() && set.tensors().size() > 0) {
    (void)set.add("config.json", {reinterpret_cast<const std::uint8_t*>(kConfig.data()), kConfig.size()},
                  kConfig.size());
  }
  const auto imported = set.finish();
  if (imported && !vram::read_model(vram::write_model(imported->model), "again", true)) std::abort();
  return 0;
}
