// What the user said: typed values of the field table, nothing resolved, nothing defaulted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/fields.h"

namespace vram {

/// Value of `gpu_layers` "all".
inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// A field's value by kind: choice -> index into the row's choices; choice_list -> bit mask over them; integer(_or_all),
/// boolean -> std::uint64_t; number -> double; text, model_id, gpu_id, weight_format -> string; gpu_list -> strings;
/// object -> JSON.
using FieldValue = std::variant<std::uint64_t, double, std::string, std::vector<std::string>, json::Value>;

class Request {
 public:
  [[nodiscard]] bool has(Field field) const { return values_[index(field)].has_value(); }
  void clear(Field field) { values_[index(field)].reset(); }
  /// Stores a value of the row's kind; parse functions below validate, this does not.
  void set(Field field, FieldValue value) { values_[index(field)] = std::move(value); }
  [[nodiscard]] const FieldValue* find(Field field) const {
    const auto& value = values_[index(field)];
    return value ? &*value : nullptr;
  }

  // Typed reads; the fallback where the field is not set.
  [[nodiscard]] std::uint64_t integer(Field field, std::uint64_t fallback = 0) const;
  [[nodiscard]] double number(Field field, double fallback = 0) const;
  [[nodiscard]] bool flag(Field field, bool fallback = false) const { return integer(field, fallback ? 1 : 0) != 0; }
  [[nodiscard]] std::string_view text(Field field, std::string_view fallback = {}) const;
  template <class E>
  [[nodiscard]] E choice(Field field, E fallback) const {
    return static_cast<E>(integer(field, static_cast<std::uint64_t>(fallback)));
  }

  friend bool operator==(const Request&, const Request&) = default;

 private:
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }
  std::array<std::optional<FieldValue>, kFieldCount> values_;
};

/// Version of the request vocabulary, accepted as `version` in JSON and links and returned in the answer.
inline constexpr std::uint64_t kVocabularyVersion = 1;

/// Checks and stores one field given as text ("8192", "true", "q,v", "bf16"): links and the command line.
std::optional<Error> set_from_text(Request& request, std::string_view name, std::string_view text);
/// Checks and stores one field given as JSON.
std::optional<Error> set_from_json(Request& request, std::string_view name, const json::Value& value);

/// A flat JSON object; the first bad field is the error.
Result<Request> request_from_json(const json::Value& object);
/// Fields in table order, only those that are set.
json::Value request_to_json(const Request& request);

/// The text of a set field as links and tables write it.
std::string text_of(const Request& request, Field field);

}  // namespace vram
