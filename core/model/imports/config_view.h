// Members of a config.json by any of the names that different classes give the same number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"

namespace vram::imports {

/// Something a file does not say and the reader took for granted; catalog/i18n holds its sentence ("assumed.<id>").
struct Assumption {
  const char* id = "";
  std::string value;
};

class ConfigView {
 public:
  /// Names of one number, the likeliest first, separated by blanks: "hidden_size n_embd".
  using Names = std::string_view;

  /// `object` must outlive the view; `defaults` holds members to use where it has none.
  explicit ConfigView(const json::Value& object, json::Value defaults = json::Value::object())
      : object_(&object), defaults_(std::move(defaults)) {}

  /// The member under the first of the names that is there and not null, or nullptr.
  [[nodiscard]] const json::Value* find(Names names) const {
    if (const json::Value* value = first_of(*object_, names)) return value;
    const json::Value* value = first_of(defaults_, names);
    used_default_ = used_default_ || value != nullptr;
    return value;
  }
  [[nodiscard]] bool has(Names names) const { return find(names) != nullptr; }
  /// A whole number from 0 on; other kinds of values read as `fallback`.
  [[nodiscard]] Count count(Names names, Count fallback = {}) const {
    const json::Value* value = find(names);
    if (value == nullptr || !value->is_numeric()) return fallback;
    return value->is(json::Kind::integer) ? Count(value->integer()) : scaled(1, value->number());
  }
  [[nodiscard]] bool flag(Names names, bool fallback = false) const {
    const json::Value* value = find(names);
    return value == nullptr || !value->is(json::Kind::boolean) ? fallback : value->boolean();
  }
  [[nodiscard]] std::string_view text(Names names) const {
    const json::Value* value = find(names);
    return value == nullptr ? std::string_view() : std::string_view(value->text());
  }
  /// An object, or nullptr.
  [[nodiscard]] const json::Value* object(Names names) const {
    const json::Value* value = find(names);
    return value == nullptr || !value->is(json::Kind::object) ? nullptr : value;
  }
  [[nodiscard]] const std::vector<json::Value>& list(Names names) const {
    static const std::vector<json::Value> kNone;
    const json::Value* value = find(names);
    return value == nullptr ? kNone : value->items();
  }
  /// True once a default had to stand in.
  [[nodiscard]] bool used_default() const { return used_default_; }

 private:
  static const json::Value* first_of(const json::Value& object, Names names) {
    while (!names.empty()) {
      const std::size_t blank = names.find(' ');
      const json::Value* value = object.find(names.substr(0, blank));
      if (value != nullptr && !value->is(json::Kind::null)) return value;
      names.remove_prefix(blank == Names::npos ? names.size() : blank + 1);
    }
    return nullptr;
  }

  const json::Value* object_;
  json::Value defaults_;
  mutable bool used_default_ = false;
};

}  // namespace vram::imports
