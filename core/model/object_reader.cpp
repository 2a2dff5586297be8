#include "core/model/object_reader.h"

#include <algorithm>

namespace vram {
namespace {

constexpr double kLargestExactDouble = 9007199254740992.0;  // 2^53

}  // namespace

ObjectReader::ObjectReader(const json::Value& value, std::string path, ReadState& state)
    : value_(&value), path_(std::move(path)), state_(&state) {
  if (!value.is(json::Kind::object)) fail(ErrorCode::wrong_type, "", &value, "object");
}

bool ObjectReader::has(std::string_view key) const {
  const json::Value* value = value_->find(key);
  return value != nullptr && !value->is(json::Kind::null);
}

const json::Value* ObjectReader::take(std::string_view key) {
  known_.push_back(key);
  const json::Value* value = value_->find(key);
  return value == nullptr || value->is(json::Kind::null) ? nullptr : value;
}

std::string ObjectReader::path_of(std::string_view key) const {
  std::string path = path_;
  if (!path.empty() && !key.empty()) path += '.';
  path += key;
  return path;
}

bool ObjectReader::read_count(const json::Value& value, const std::string& path, Count& out, Count most, Count least,
                              ReadState& state) {
  const auto fail = [&](ErrorCode code, std::string expected) {
    if (!state.error) state.error = Error{code, path, json::brief(value), std::move(expected), value.line()};
    return false;
  };
  if (!value.is_numeric()) return fail(ErrorCode::wrong_type, "whole number");
  Count number = value.integer();
  if (value.is(json::Kind::number)) {
    const double real = value.number();
    if (real < 0) return fail(ErrorCode::out_of_range, "0 or more");
    if (real >= kLargestExactDouble) return fail(ErrorCode::out_of_range, "at most " + std::to_string(most.value()));
    number = static_cast<std::uint64_t>(real);
    if (number.as_double() != real) return fail(ErrorCode::wrong_type, "whole number");
  }
  if (number < least || number > most) {
    return fail(ErrorCode::out_of_range, std::to_string(least.value()) + " to " + std::to_string(most.value()));
  }
  out = number;
  return true;
}

void ObjectReader::count(std::string_view key, Count& out, Count fallback, Count most, Count least) {
  out = fallback;
  if (const json::Value* value = take(key)) read_count(*value, path_of(key), out, most, least, *state_);
}

void ObjectReader::flag(std::string_view key, bool& out, bool fallback) {
  out = fallback;
  const json::Value* value = take(key);
  if (value != nullptr && expect(key, *value, json::Kind::boolean)) out = value->boolean();
}

void ObjectReader::text(std::string_view key, std::string& out) {
  const json::Value* value = take(key);
  if (value != nullptr && expect(key, *value, json::Kind::string)) out = value->text();
}

bool ObjectReader::expect(std::string_view key, const json::Value& value, json::Kind kind) {
  if (value.is(kind)) return true;
  fail(ErrorCode::wrong_type, key, &value, std::string(json::name_of(kind)));
  return false;
}

void ObjectReader::require(std::string_view key) {
  if (!has(key)) fail(ErrorCode::missing_field, key, nullptr, "");
}

void ObjectReader::fail(ErrorCode code, std::string_view key, const json::Value* got, std::string expected) {
  if (state_->error) return;
  state_->error = Error{code, path_of(key), got == nullptr ? std::string() : json::brief(*got), std::move(expected),
                        got == nullptr ? value_->line() : got->line()};
}

void ObjectReader::finish() {
  if (!state_->strict || state_->error) return;
  for (const json::Member& member : value_->members()) {
    if (std::find(known_.begin(), known_.end(), member.key) == known_.end()) {
      fail(ErrorCode::unknown_field, member.key, &member.value, "");
      return;
    }
  }
}

}  // namespace vram
