#include "core/model/imports/json_members.h"

namespace vram::imports {

JsonMembers::JsonMembers(std::string_view text) : text_(text) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != '{') {
    ok_ = false;
    return;
  }
  ++at_;
}

bool JsonMembers::fail() {
  ok_ = false;
  return false;
}

void JsonMembers::skip_space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

bool JsonMembers::skip_text(std::string_view& inner) {
  if (at_ >= text_.size() || text_[at_] != '"') return false;
  const std::size_t from = ++at_;
  while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
  if (at_ >= text_.size()) return false;
  inner = text_.substr(from, at_ - from);
  ++at_;
  return true;
}

/// Past a value: brackets are counted, texts skipped; whether the value is good JSON its reader will see.
bool JsonMembers::skip_value() {
  std::size_t depth = 0;
  std::string_view ignored;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      if (!skip_text(ignored)) return false;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return true;
      --depth;
    }
    if (c == ',' && depth == 0) return true;
    ++at_;
  }
  return false;
}

bool JsonMembers::next(std::string_view& name, std::string_view& value) {
  if (!ok_) return false;
  skip_space();
  if (at_ >= text_.size()) return fail();
  if (text_[at_] == '}') return false;
  if (!first_) {
    if (text_[at_] != ',') return fail();
    ++at_;
    skip_space();
  }
  first_ = false;
  if (!skip_text(name)) return fail();
  skip_space();
  if (at_ >= text_.size() || text_[at_] != ':') return fail();
  ++at_;
  const std::size_t from = at_;
  if (!skip_value()) return fail();
  value = text_.substr(from, at_ - from);
  return true;
}

}  // namespace vram::imports
