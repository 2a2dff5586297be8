// One layer from its tensors in a GGUF file. Private to gguf_model.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/imports/file_places.h"
#include "core/model/imports/gguf.h"
#include "core/model/model.h"

namespace vram::imports {

/// A GGUF file's numbers under its architecture's prefix, and the tensors of one layer.
class GgufLayer {
 public:
  GgufLayer(const Gguf& file, std::string_view architecture, std::uint32_t index)
      : file_(&file), architecture_(architecture), index_(index) {}
  void add(const FileTensor& tensor, std::string_view suffix) { tensors_.push_back({&tensor, suffix}); }

  [[nodiscard]] const FileTensor* find(std::string_view suffix) const;
  [[nodiscard]] bool has(std::string_view suffix) const { return find(suffix) != nullptr; }
  /// Length of a dimension, innermost first; 0 where there is no such tensor.
  [[nodiscard]] Count dimension(std::string_view suffix, std::size_t axis) const;
  /// "<architecture>.<key>"; this layer's entry where the value is a list.
  [[nodiscard]] Count number(std::string_view key, Count fallback = {}) const;

  [[nodiscard]] std::uint32_t index() const { return index_; }
  /// All elements of the layer.
  [[nodiscard]] Count elements() const;
  /// Normalisations of the stream's width.
  [[nodiscard]] Count norms(Count hidden) const;

 private:
  struct Entry {
    const FileTensor* tensor;
    std::string_view suffix;
  };
  const Gguf* file_;
  std::string_view architecture_;
  std::uint32_t index_;
  std::vector<Entry> tensors_;
};

/// The layer that these tensors make; what they leave unexplained is in Layer::extra_parameters.
Layer layer_of_gguf(const GgufLayer& tensors, const Model& model);

}  // namespace vram::imports
