// Members of a config.json by any of the names that different classes give the same number.
#pragma once

#include <array>
#include <initializer_list>
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
  /// Names of one number, the likeliest first.
  class Names {
   public:
    constexpr Names(std::initializer_list<std::string_view> names) : size_(names.size()) { first_ = names.begin(); }
    template <std::size_t N>
    constexpr Names(const std::array<std::string_view, N>& names) : first_(names.data()), size_(N) {}
    [[nodiscard]] constexpr const std::string_view* begin() const { return first_; }
    [[nodiscard]] constexpr const std::string_view* end() const { return first_ + size_; }

   private:
    const std::string_view* first_ = nullptr;
    std::size_t size_ = 0;
  };

  /// `object` must outlive the view; `defaults` holds members to use where it has none.
  explicit ConfigView(const json::Value& object, json::Value defaults = json::Value::object())
      : object_(&object), defaults_(std::move(defaults)) {}

  /// The member under the first of the names that is there and not null, or nullptr.
  [[nodiscard]] const json::Value* find(Names names) const {
    for (const std::string_view name : names) {
      const json::Value* value = object_->find(name);
      if (value != nullptr && !value->is(json::Kind::null)) return value;
    }
    for (const std::string_view name : names) {
      const json::Value* value = defaults_.find(name);
      if (value != nullptr) {
        used_default_ = true;
        return value;
      }
    }
    return nullptr;
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
  const json::Value* object_;
  json::Value defaults_;
  mutable bool used_default_ = false;
};

}  // namespace vram::imports
