// The files a visitor brings, together: one model's GGUF parts and projector, or config.json with its weight files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/imports/gguf.h"
#include "core/model/imports/imported.h"
#include "core/model/imports/safetensors.h"

namespace vram::imports {

class ImportSet {
 public:
  /// What was made of a file.
  enum class Kind : std::uint8_t { gguf, safetensors, index, config, diffusers };

  /// Takes a file's beginning; `file_size` is the whole file's. NeedMore: call again with more of the same file.
  /// The kind is told by the content; names only serve messages.
  Reading<Kind> add(std::string_view name, std::span<const std::uint8_t> head, std::uint64_t file_size);

  /// The model that the files taken so far make. Errors: missing_field names the file that is still needed.
  [[nodiscard]] Result<Imported> finish() const;

  [[nodiscard]] bool empty() const { return ggufs_.empty() && safetensors_.empty() && !config_ && !index_; }
  /// All tensors read, for listing.
  [[nodiscard]] std::vector<const FileTensor*> tensors() const;

 private:
  Reading<Kind> add_json(std::string_view name, std::string_view text);
  [[nodiscard]] Result<Imported> finish_checkpoint() const;
  void store(Imported& result) const;

  std::vector<Gguf> ggufs_;
  std::vector<Safetensors> safetensors_;
  std::optional<SafetensorsIndex> index_;
  std::optional<json::Value> config_;
};

}  // namespace vram::imports
