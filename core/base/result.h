// Errors are values: every function that can fail says so in its type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace vram {

enum class ErrorCode : std::uint8_t {
  syntax,           ///< the text is not JSON, or not a link
  too_large,        ///< deeper or longer than we read
  unknown_field,    ///< `where` names a field that does not exist
  duplicate_field,  ///< `where` is given twice
  missing_field,    ///< `where` is required
  wrong_type,       ///< `where` holds another kind of value than `expected`
  out_of_range,     ///< `where` is outside `expected`
  unknown_choice,   ///< `where` is none of `expected`
  unknown_id,       ///< `where` names a model, GPU, platform that the catalogue does not hold
  conflict,         ///< `where` does not go with `expected` (both are field names)
  does_not_add_up,  ///< `where` states a total that the parts do not give
  unsupported,      ///< valid, but this model or runtime cannot do it
  damaged_file,     ///< `where` is the place in a file that ends early or holds what it cannot hold
};

/// Stable text id of a code, e.g. "out_of_range": the key of its sentence in catalog/i18n.
std::string_view id_of(ErrorCode code);

/// What went wrong, where, and what would be right; catalog/i18n turns it into a sentence.
struct Error {
  ErrorCode code = ErrorCode::syntax;
  std::string where;       ///< field name or JSON path such as "models[3].heads"
  std::string got;         ///< the offending value as text, shortened
  std::string expected;    ///< the remedy: a range, a list of choices, a type, another field
  std::uint32_t line = 0;  ///< 1-based line in the text that was read; 0 when there is none

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  [[nodiscard]] const T& value() const& { return *std::get_if<0>(&state_); }
  [[nodiscard]] T& value() & { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  [[nodiscard]] const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace vram
