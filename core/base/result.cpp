#include "core/base/result.h"

#include <array>

namespace vram {

std::string_view id_of(ErrorCode code) {
  static constexpr std::array<std::string_view, 13> kIds = {
      "syntax",          "too_large",    "unknown_field",  "duplicate_field", "missing_field",
      "wrong_type",      "out_of_range", "unknown_choice", "unknown_id",      "conflict",
      "does_not_add_up", "unsupported",  "damaged_file",
  };
  static_assert(static_cast<std::size_t>(ErrorCode::damaged_file) + 1 == kIds.size());
  return kIds[static_cast<std::size_t>(code)];
}

}  // namespace vram
