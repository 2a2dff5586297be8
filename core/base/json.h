// JSON as plain values that remember the line they came from. nlohmann/json parses; nothing outside json.cpp knows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/result.h"

namespace vram::json {

enum class Kind : std::uint8_t { null, boolean, integer, number, string, array, object };

struct Member;

/// A JSON value. Integers from 0 to 2^64-1 are `integer`; everything else numeric is `number`.
class Value {
 public:
  // Defined below Member: until then its list cannot be destroyed, which clang minds.
  Value();
  Value(bool flag);
  Value(std::uint64_t number);
  Value(std::uint32_t number);
  Value(int number);
  Value(Count count);
  Value(double number);
  Value(std::string text);
  Value(std::string_view text);
  Value(const char* text);

  static Value array();
  static Value object();

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
  [[nodiscard]] bool is_numeric() const { return kind_ == Kind::integer || kind_ == Kind::number; }

  // Each returns a neutral value when the kind is another one; check kind() first where that matters.
  [[nodiscard]] bool boolean() const { return kind_ == Kind::boolean && integer_ != 0; }
  [[nodiscard]] std::uint64_t integer() const { return kind_ == Kind::integer ? integer_ : 0; }
  [[nodiscard]] double number() const;  ///< of an integer as well
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Value>& items() const { return items_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

  /// The member's value, or nullptr.
  [[nodiscard]] const Value* find(std::string_view key) const;

  /// Appends to an array.
  Value& push(Value value);
  /// Appends a member to an object; does not look for an equal key.
  Value& set(std::string_view key, Value value);
  /// Replaces the member of that key or appends it.
  Value& replace(std::string_view key, Value value);

  [[nodiscard]] std::uint32_t line() const { return line_; }
  void set_line(std::uint32_t line) { line_ = line; }

  /// Same content; lines do not count.
  friend bool operator==(const Value& a, const Value& b);

 private:
  explicit Value(Kind kind);

  Kind kind_ = Kind::null;
  std::uint32_t line_ = 0;
  std::uint64_t integer_ = 0;
  double number_ = 0;
  std::string text_;
  std::vector<Value> items_;
  std::vector<Member> members_;
};

struct Member {
  std::string key;
  Value value;
};

inline Value::Value() = default;
inline Value::Value(Kind kind) : kind_(kind) {}
inline Value::Value(bool flag) : kind_(Kind::boolean), integer_(flag ? 1 : 0) {}
inline Value::Value(std::uint64_t number) : kind_(Kind::integer), integer_(number) {}
inline Value::Value(std::uint32_t number) : Value(std::uint64_t{number}) {}
inline Value::Value(Count count) : Value(count.value()) {}
inline Value::Value(double number) : kind_(Kind::number), number_(number) {}
inline Value::Value(std::string text) : kind_(Kind::string), text_(std::move(text)) {}
inline Value::Value(std::string_view text) : Value(std::string(text)) {}
inline Value::Value(const char* text) : Value(std::string(text)) {}
inline Value Value::array() { return Value(Kind::array); }
inline Value Value::object() { return Value(Kind::object); }

/// Parses one JSON text (RFC 8259; no comments). Errors: syntax (with line), too_large (deeper than 64 levels),
/// duplicate_field (an object holds a key twice). Numbers that are no finite double are a syntax error.
Result<Value> parse(std::string_view text);

/// Compact text; with `indent` > 0 pretty-printed. The same value gives the same bytes on every platform.
std::string write(const Value& value, int indent = 0);

/// A short text of the value for error messages, at most 60 characters.
std::string brief(const Value& value);

/// "string", "integer", "number", "true or false", "list", "object", "null".
std::string_view name_of(Kind kind);

}  // namespace vram::json
