// GGUF: the header of llama.cpp's model files (ggml/docs/gguf.md, versions 2 and 3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/imports/byte_reader.h"
#include "core/model/imports/file_tensor.h"

namespace vram::imports {

/// A metadata value: numbers and flags as numbers, texts as texts, lists of numbers as far as they are short. Long lists
/// and lists of texts (vocabularies) keep their length alone.
struct GgufValue {
  std::string key;
  bool is_text = false;
  bool is_list = false;
  std::uint64_t number =
      0;  ///< of a negative or fractional number the nearest whole one from 0 on; of a list its length
  std::string text;
  std::vector<std::uint64_t> list;
};

struct Gguf {
  std::uint32_t version = 0;
  std::vector<GgufValue> values;
  std::vector<FileTensor> tensors;  ///< dimensions innermost first, as ggml has them
  std::uint64_t data_offset = 0;    ///< where the tensors' data start
  std::uint64_t unknown_types =
      0;  ///< tensors of a type that ggml does not list: their sizes are those of their places

  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// The number of a key, else `fallback`.
  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t fallback = 0) const;
  [[nodiscard]] std::string_view text(std::string_view key) const;
};

/// True when the bytes begin as a GGUF file does.
bool looks_like_gguf(std::span<const std::uint8_t> bytes);

/// Reads the header from the file's beginning. `file_size` is the whole file's.
Reading<Gguf> read_gguf(std::span<const std::uint8_t> bytes, std::uint64_t file_size);

}  // namespace vram::imports
