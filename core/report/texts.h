// The words of one language: catalog/i18n/<language>.json, flat keys to texts.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/result.h"

namespace vram {

class Texts {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// The text of a key; the key itself when the language lacks it, so that nothing is ever blank.
  [[nodiscard]] std::string_view operator()(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const;
  /// The text with {name} replaced by values; unknown names stay as they are.
  [[nodiscard]] std::string fill(std::string_view key, Values values) const;

  [[nodiscard]] const NumberStyle& numbers() const { return numbers_; }
  [[nodiscard]] const std::string& language() const { return language_; }

  /// Replaces a text, or adds one: a site's own words.
  void put(std::string_view key, std::string_view text);

  /// Reads a language file. Error wrong_type when it is no flat object of strings.
  static Result<Texts> read(std::string_view language, const json::Value& file);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> texts_;
  NumberStyle numbers_;
  std::string language_;
};

/// A site's own words: {"pt": {"ui.title": "..."}} over the texts of those languages. Languages and keys that the page does
/// not have are faults.
void put_site_texts(const json::Value& words, std::span<Texts> texts, std::vector<Error>& faults);

/// `pattern` with {name} replaced by values.
std::string fill_pattern(std::string_view pattern, Texts::Values values);

}  // namespace vram
