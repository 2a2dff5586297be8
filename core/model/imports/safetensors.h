// safetensors: the header of Hugging Face's weight files, and the index of sharded ones
// (huggingface/safetensors README "Format"; transformers model.safetensors.index.json).
#pragma once

#include <string>
#include <vector>

#include "core/model/imports/byte_reader.h"
#include "core/model/imports/file_tensor.h"

namespace vram::imports {

struct Safetensors {
  std::vector<FileTensor> tensors;  ///< dimensions outermost first
  std::uint64_t data_offset = 0;
};

struct SafetensorsIndex {
  std::uint64_t total_size = 0;    ///< bytes of all tensors; 0 when the index does not say
  std::vector<std::string> files;  ///< shards, each once, in the order of their names
};

/// True when the bytes begin as a safetensors file does: a header's length, then '{'.
bool looks_like_safetensors(std::span<const std::uint8_t> bytes);

Reading<Safetensors> read_safetensors(std::span<const std::uint8_t> bytes, std::uint64_t file_size);

/// Reads model.safetensors.index.json.
Result<SafetensorsIndex> read_safetensors_index(std::string_view text);

}  // namespace vram::imports
