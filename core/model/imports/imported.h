// What a reader hands on: a model with its file's weights, and what was taken for granted.
#pragma once

#include <string>
#include <vector>

#include "core/model/imports/config_view.h"
#include "core/model/model.h"

namespace vram::imports {

struct Imported {
  Model model;          ///< with Model::file_weights where a file's tensors were read
  std::string weights;  ///< the request's word for the storage format; empty when the files do not say
  bool gguf = false;    ///< llama.cpp's kind of file
  std::vector<Assumption> assumed;
};

}  // namespace vram::imports
