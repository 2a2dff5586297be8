#include "core/report/texts.h"

#include <algorithm>

namespace vram {

std::string_view Texts::operator()(std::string_view key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? key : std::string_view(found->second);
}

bool Texts::has(std::string_view key) const { return texts_.find(key) != texts_.end(); }

std::string Texts::fill(std::string_view key, Values values) const { return fill_pattern((*this)(key), values); }

void Texts::put(std::string_view key, std::string_view text) { texts_.insert_or_assign(std::string(key), text); }

Result<Texts> Texts::read(std::string_view language, const json::Value& file) {
  if (!file.is(json::Kind::object)) {
    return Error{ErrorCode::wrong_type, std::string(language), std::string(name_of(file.kind())), "object",
                 file.line()};
  }
  Texts texts;
  texts.language_ = language;
  for (const json::Member& member : file.members()) {
    if (!member.value.is(json::Kind::string)) {
      return Error{ErrorCode::wrong_type, member.key, json::brief(member.value), "string", member.value.line()};
    }
    texts.texts_.emplace(member.key, member.value.text());
  }
  texts.numbers_ = {std::string(texts("number.decimal")), std::string(texts("number.group"))};
  return texts;
}

void put_site_texts(const json::Value& words, std::span<Texts> texts, std::vector<Error>& faults) {
  std::string known;
  for (const Texts& one : texts) known += (known.empty() ? "" : ", ") + one.language();
  if (!words.is(json::Kind::object)) {
    faults.push_back({ErrorCode::wrong_type, "texts", json::brief(words), "object", words.line()});
    return;
  }
  for (const json::Member& language : words.members()) {
    const auto found =
        std::find_if(texts.begin(), texts.end(), [&](const Texts& one) { return one.language() == language.key; });
    if (found == texts.end()) {
      faults.push_back({ErrorCode::unknown_choice, "texts", language.key, known, language.value.line()});
      continue;
    }
    for (const json::Member& word : language.value.members()) {
      const std::string where = "texts." + language.key + '.' + word.key;
      if (!word.value.is(json::Kind::string)) {
        faults.push_back({ErrorCode::wrong_type, where, json::brief(word.value), "string", word.value.line()});
      } else if (!found->has(word.key)) {
        faults.push_back({ErrorCode::unknown_field, where, "", "a key of catalog/i18n/en.json", word.value.line()});
      } else {
        found->put(word.key, word.value.text());
      }
    }
  }
}

std::string fill_pattern(std::string_view pattern, Texts::Values values) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) break;
    out += pattern.substr(0, open);
    const std::string_view name = pattern.substr(open + 1, close - open - 1);
    bool replaced = false;
    for (const auto& value : values) {
      if (value.first != name) continue;
      out += value.second;
      replaced = true;
      break;
    }
    if (!replaced) out += pattern.substr(open, close - open + 1);
    pattern.remove_prefix(close + 1);
  }
  out += pattern;
  return out;
}

}  // namespace vram
