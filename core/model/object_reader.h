// Reads members of a JSON object into typed values, with limits and errors that name the path.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace vram {

/// State of reading one document part: the first error wins, everything after it is ignored.
struct ReadState {
  bool strict = false;  ///< unknown members are errors
  std::optional<Error> error;
};

/// A word of a closed list. Several words may mean the same value; the first one is written.
template <class Enum>
struct Word {
  std::string_view word;
  Enum value;
};

class ObjectReader {
 public:
  /// `value` must outlive the reader. A value that is no object is an error.
  ObjectReader(const json::Value& value, std::string path, ReadState& state);

  [[nodiscard]] bool ok() const { return !state_->error; }
  /// True when the member exists and is not null.
  [[nodiscard]] bool has(std::string_view key) const;
  /// The member, marked as known; nullptr when absent or null.
  const json::Value* take(std::string_view key);
  [[nodiscard]] std::string path_of(std::string_view key) const;
  ReadState& state() { return *state_; }

  // Each leaves `out` at `fallback` when the member is absent.
  void count(std::string_view key, Count& out, Count fallback, Count most, Count least = 0);
  void flag(std::string_view key, bool& out, bool fallback);
  void text(std::string_view key, std::string& out);

  template <class Enum, std::size_t size>
  void word(std::string_view key, Enum& out, Enum fallback, const Word<Enum> (&words)[size]) {
    out = fallback;
    const json::Value* value = take(key);
    if (value == nullptr || !expect(key, *value, json::Kind::string)) return;
    std::string choices;
    for (const Word<Enum>& candidate : words) {
      if (candidate.word == value->text()) {
        out = candidate.value;
        return;
      }
      choices += choices.empty() ? "" : ", ";
      choices += candidate.word;
    }
    fail(ErrorCode::unknown_choice, key, value, std::move(choices));
  }

  /// A whole number below; `value` may be any member value. Errors name `path`.
  static bool read_count(const json::Value& value, const std::string& path, Count& out, Count most, Count least,
                         ReadState& state);

  bool expect(std::string_view key, const json::Value& value, json::Kind kind);
  void require(std::string_view key);
  void fail(ErrorCode code, std::string_view key, const json::Value* got, std::string expected);
  /// In strict mode: reports the first member that nobody asked for.
  void finish();

 private:
  const json::Value* value_;
  std::string path_;
  ReadState* state_;
  std::vector<std::string_view> known_;
};

}  // namespace vram
