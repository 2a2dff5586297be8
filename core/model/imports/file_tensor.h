// A tensor as a file's header lists it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/base/count.h"

namespace vram::imports {

struct FileTensor {
  static constexpr std::size_t kMostDimensions = 8;

  std::string name;
  std::string type;  ///< "q4_k", "bf16", "f8_e4m3", "type 137": lower case, as the file calls it
  std::array<std::uint64_t, kMostDimensions> shape{};  ///< in the file's own order
  std::uint8_t dimensions = 0;
  bool quantised = false;  ///< elements share scales, or are packed several to a number
  Count elements;          ///< product of the shape; of packed formats the packed numbers
  Bytes bytes;
};

}  // namespace vram::imports
