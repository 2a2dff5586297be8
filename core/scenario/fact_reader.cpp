#include "core/scenario/fact_reader.h"

#include <algorithm>

#include "core/base/number.h"

namespace vram {
namespace {

std::string range_text(double least, double most) {
  const NumberStyle plain{".", ""};
  return format_short(least, 3, plain) + " to " + format_short(most, 3, plain);
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

}  // namespace

FactReader::FactReader(const json::Value& entry, std::string path, std::vector<Error>& faults)
    : entry_(&entry), path_(std::move(path)), faults_(&faults), faults_before_(faults.size()) {
  if (entry.is(json::Kind::object)) return;
  fault(ErrorCode::wrong_type, "", json::brief(entry), std::string(json::name_of(json::Kind::object)));
  entry_ = nullptr;
}

FactReader::FactReader(const json::Value* entry, std::string path, std::vector<Error>& faults)
    : entry_(entry), path_(std::move(path)), faults_(&faults), faults_before_(faults.size()) {}

const json::Value* FactReader::any(std::string_view key) {
  known_.push_back(key);
  return entry_ == nullptr ? nullptr : entry_->find(key);
}

const json::Value* FactReader::find(std::string_view key, json::Kind kind, Presence presence) {
  const json::Value* const value = any(key);
  if (value == nullptr) {
    if (presence == Presence::required && entry_ != nullptr) {
      fault(ErrorCode::missing_field, key, "", std::string(json::name_of(kind)));
    }
    return nullptr;
  }
  const bool fits = kind == json::Kind::number ? value->is_numeric() : value->is(kind);
  if (fits) return value;
  fault(ErrorCode::wrong_type, key, json::brief(*value), std::string(json::name_of(kind)));
  return nullptr;
}

std::string FactReader::text(std::string_view key, Presence presence) {
  const json::Value* const value = find(key, json::Kind::string, presence);
  if (value == nullptr) return {};
  if (value->text().empty()) fault(ErrorCode::out_of_range, key, "\"\"", "a text that is not empty");
  return value->text();
}

std::string FactReader::id(std::string_view key) {
  std::string word = text(key);
  if (!word.empty() && !is_id(word)) {
    fault(ErrorCode::out_of_range, key, word, "at most 64 of a-z, 0-9, - and .");
    return {};
  }
  return word;
}

std::uint32_t FactReader::integer(std::string_view key, std::uint32_t least, std::uint32_t most, Presence presence) {
  const json::Value* const value = find(key, json::Kind::integer, presence);
  if (value == nullptr) return 0;
  if (value->integer() < least || value->integer() > most) {
    fault(ErrorCode::out_of_range, key, json::brief(*value), range_text(least, most));
    return 0;
  }
  return static_cast<std::uint32_t>(value->integer());
}

double FactReader::number(std::string_view key, double least, double most, Presence presence) {
  const json::Value* const value = find(key, json::Kind::number, presence);
  if (value == nullptr) return 0;
  if (!(value->number() >= least && value->number() <= most)) {
    fault(ErrorCode::out_of_range, key, json::brief(*value), range_text(least, most));
    return 0;
  }
  return value->number();
}

bool FactReader::flag(std::string_view key, bool fallback) {
  const json::Value* const value = find(key, json::Kind::boolean, Presence::optional);
  return value == nullptr ? fallback : value->boolean();
}

int FactReader::maybe(std::string_view key) {
  const json::Value* const value = find(key, json::Kind::boolean, Presence::optional);
  if (value == nullptr) return -1;
  return value->boolean() ? 1 : 0;
}

std::size_t FactReader::choice(std::string_view key, std::span<const std::string_view> choices, std::size_t fallback,
                               Presence presence) {
  const json::Value* const value = find(key, json::Kind::string, presence);
  if (value == nullptr) return fallback;
  const auto at = std::find(choices.begin(), choices.end(), value->text());
  if (at != choices.end()) return static_cast<std::size_t>(at - choices.begin());
  std::string words;
  for (const std::string_view word : choices) {
    if (!words.empty()) words += ", ";
    words += word;
  }
  fault(ErrorCode::unknown_choice, key, value->text(), std::move(words));
  return fallback;
}

std::vector<std::string> FactReader::texts(std::string_view key) {
  std::vector<std::string> words;
  const json::Value* const value = find(key, json::Kind::array, Presence::optional);
  if (value == nullptr) return words;
  for (const json::Value& item : value->items()) {
    if (item.is(json::Kind::string)) {
      words.push_back(item.text());
    } else {
      fault(ErrorCode::wrong_type, key, json::brief(item), "a list of strings");
    }
  }
  return words;
}

const json::Value* FactReader::list(std::string_view key, std::size_t least, Presence presence) {
  const json::Value* const value = find(key, json::Kind::array, presence);
  if (value == nullptr) return nullptr;
  if (value->items().size() >= least) return value;
  fault(ErrorCode::out_of_range, key, json::brief(*value), "at least " + std::to_string(least));
  return nullptr;
}

FactReader FactReader::child(std::string_view key, Presence presence) {
  const json::Value* const value = find(key, json::Kind::object, presence);
  return {value, path_ + '.' + std::string(key), *faults_};
}

void FactReader::fault(ErrorCode code, std::string_view key, std::string got, std::string expected) {
  const json::Value* const member = entry_ == nullptr || key.empty() ? nullptr : entry_->find(key);
  std::string where = path_;
  if (!key.empty()) {
    where += '.';
    where += key;
  }
  const std::uint32_t line = member != nullptr ? member->line() : entry_ != nullptr ? entry_->line() : 0;
  faults_->push_back({code, std::move(where), std::move(got), std::move(expected), line});
}

void FactReader::finish() {
  if (entry_ == nullptr) return;
  for (const json::Member& member : entry_->members()) {
    if (std::find(known_.begin(), known_.end(), member.key) == known_.end()) {
      fault(ErrorCode::unknown_field, member.key, json::brief(member.value), "");
    }
  }
}

const json::Value* entries_of(const json::Value& file, std::string_view key, std::vector<Error>& faults) {
  if (!file.is(json::Kind::object)) {
    faults.push_back({ErrorCode::wrong_type, "", json::brief(file), "object", file.line()});
    return nullptr;
  }
  const json::Value* const date = file.find("date");
  if (date != nullptr && !is_iso_date(date->text())) {
    faults.push_back({ErrorCode::out_of_range, "date", json::brief(*date), "a date such as 2026-11-30", date->line()});
  }
  const json::Value* const entries = file.find(key);
  if (entries == nullptr) {
    faults.push_back({ErrorCode::missing_field, std::string(key), "", "a list", file.line()});
  } else if (!entries->is(json::Kind::array)) {
    faults.push_back({ErrorCode::wrong_type, std::string(key), json::brief(*entries), "a list", entries->line()});
  }
  for (const json::Member& member : file.members()) {
    if (member.key != key && member.key != "date" && member.key != "$schema" && member.key != "note" &&
        member.key != "source_legend") {
      faults.push_back({ErrorCode::unknown_field, member.key, json::brief(member.value), "", member.value.line()});
    }
  }
  return entries != nullptr && entries->is(json::Kind::array) ? entries : nullptr;
}

bool is_iso_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t at : {0U, 1U, 2U, 3U, 5U, 6U, 8U, 9U}) {
    if (text[at] < '0' || text[at] > '9') return false;
  }
  const int month = (text[5] - '0') * 10 + (text[6] - '0');
  const int day = (text[8] - '0') * 10 + (text[9] - '0');
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

}  // namespace vram
