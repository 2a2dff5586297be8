// What a file's architecture word implies and its numbers do not say: biases, norms, kinds of MLP, windows.
#pragma once

#include <cstdint>
#include <string_view>

namespace vram::imports {

/// One architecture as Transformers and llama.cpp implement it.
struct Family {
  std::string_view model_type;      ///< config.json's `model_type`
  std::string_view gguf;            ///< GGUF's general.architecture; several separated by spaces
  std::string_view facts;           ///< members of the flat form of a model (catalog/schema/models.schema.json)
  bool tied_by_default = false;     ///< the class ties its embeddings when the file does not say
  std::uint32_t windows_every = 0;  ///< every n-th layer sees everything, the others the window
  int position_offset = -1;         ///< learned positions: rows beside the longest sequence; -1: none are learned
};

/// config.json's members that this class assumes when the file leaves them out, as JSON; empty when none are known.
std::string_view class_defaults(std::string_view model_type);

/// nullptr when the word is unknown.
const Family* family_of_config(std::string_view model_type);
const Family* family_of_gguf(std::string_view architecture);

}  // namespace vram::imports
