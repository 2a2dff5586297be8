// The members of one large JSON object, one at a time: headers hold tens of thousands, each small.
#pragma once

#include <cstdint>
#include <string_view>

namespace vram::imports {

/// Walks the outermost object of `text` without building it: next() gives each member's name, as it stands between its
/// quotes, and the text of its value.
class JsonMembers {
 public:
  explicit JsonMembers(std::string_view text);

  /// False at the end or at text that is no object; ok() tells which.
  bool next(std::string_view& name, std::string_view& value);
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }

 private:
  void skip_space();
  bool skip_text(std::string_view& inner);
  bool skip_value();
  bool fail();

  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
  bool first_ = true;
};

}  // namespace vram::imports
