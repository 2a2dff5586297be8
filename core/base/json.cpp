#include "core/base/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace vram::json {
namespace {

constexpr std::size_t kMaxDepth = 64;

/// Feeds the parser and counts lines, so that a value knows where it stood. A line counts from its first character on: the
/// parser looks one character ahead, and the line's end still belongs to the value before it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char* begin, std::uint32_t* line) : at_(at), begin_(begin), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (at_ != begin_ && at_[-1] == '\n') ++*line_;
    ++at_;
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return !(a == b); }

 private:
  const char* at_;
  const char* begin_;
  std::uint32_t* line_;
};

/// Builds our values from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(const std::uint32_t* line) : line_(line) {}

  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(Value(value)); }
  bool number_integer(number_integer_t value) override { return add(Value(static_cast<double>(value))); }
  bool number_unsigned(number_unsigned_t value) override { return add(Value(std::uint64_t{value})); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return fail(ErrorCode::syntax, text, "a finite number");
    return add(Value(value));
  }
  bool string(string_t& value) override { return add(Value(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value::object()); }
  bool start_array(std::size_t) override { return open(Value::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (stack_.back().value.find(value) != nullptr) {
      error_.where = value;
      return fail(ErrorCode::duplicate_field, value, "each key once");
    }
    stack_.back().key = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string& last_token, const nlohmann::detail::exception&) override {
    return fail(ErrorCode::syntax, last_token, "JSON");
  }

  [[nodiscard]] Value take() { return std::move(root_); }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  struct Open {
    Value value;
    std::string key;
  };

  bool add(Value value) {
    value.set_line(*line_);
    if (stack_.empty()) {
      root_ = std::move(value);
    } else if (stack_.back().value.is(Kind::array)) {
      stack_.back().value.push(std::move(value));
    } else {
      stack_.back().value.set(stack_.back().key, std::move(value));
    }
    return true;
  }
  bool open(Value container) {
    if (stack_.size() >= kMaxDepth) return fail(ErrorCode::too_large, "", "at most 64 levels");
    container.set_line(*line_);
    stack_.push_back({std::move(container), {}});
    return true;
  }
  bool close() {
    Value done = std::move(stack_.back().value);
    const std::uint32_t line = done.line();
    stack_.pop_back();
    add(std::move(done));
    Value& placed = stack_.empty()                        ? root_
                    : stack_.back().value.is(Kind::array) ? last_item(stack_.back().value)
                                                          : last_member(stack_.back().value);
    placed.set_line(line);
    return true;
  }
  static Value& last_item(Value& array) { return const_cast<Value&>(array.items().back()); }
  static Value& last_member(Value& object) { return const_cast<Value&>(object.members().back().value); }

  bool fail(ErrorCode code, std::string_view got, std::string expected) {
    error_.code = code;
    error_.got = std::string(got.substr(0, 60));
    error_.expected = std::move(expected);
    error_.line = *line_;
    return false;
  }

  const std::uint32_t* line_;
  std::vector<Open> stack_;
  Value root_;
  Error error_;
};

void append_string(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += kHex[byte >> 4U];
          out += kHex[byte & 15U];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_double(std::string& out, double value) {
  char buffer[64];
  char* const end = nlohmann::detail::to_chars(buffer, buffer + sizeof buffer, value);
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  if (text.size() > 2 && text.ends_with(".0")) text.remove_suffix(2);
  out += text;
}

void append(std::string& out, const Value& value, int indent, int depth) {
  const auto new_line = [&](int level) {
    if (indent == 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
  };
  switch (value.kind()) {
    case Kind::null: out += "null"; break;
    case Kind::boolean: out += value.boolean() ? "true" : "false"; break;
    case Kind::integer: out += std::to_string(value.integer()); break;
    case Kind::number: append_double(out, value.number()); break;
    case Kind::string: append_string(out, value.text()); break;
    case Kind::array: {
      out += '[';
      bool first = true;
      for (const Value& item : value.items()) {
        if (!first) out += ',';
        first = false;
        new_line(depth + 1);
        append(out, item, indent, depth + 1);
      }
      if (!first) new_line(depth);
      out += ']';
      break;
    }
    case Kind::object: {
      out += '{';
      bool first = true;
      for (const Member& member : value.members()) {
        if (!first) out += ',';
        first = false;
        new_line(depth + 1);
        append_string(out, member.key);
        out += indent == 0 ? ":" : ": ";
        append(out, member.value, indent, depth + 1);
      }
      if (!first) new_line(depth);
      out += '}';
      break;
    }
  }
}

}  // namespace

Value::Value(int number) : kind_(number < 0 ? Kind::number : Kind::integer) {
  if (number < 0) {
    number_ = number;
  } else {
    integer_ = static_cast<std::uint64_t>(number);
  }
}

double Value::number() const {
  if (kind_ == Kind::integer) return static_cast<double>(integer_);
  return kind_ == Kind::number ? number_ : 0;
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Value& Value::push(Value value) {
  items_.push_back(std::move(value));
  return *this;
}

Value& Value::set(std::string_view key, Value value) {
  members_.push_back({std::string(key), std::move(value)});
  return *this;
}

Value& Value::replace(std::string_view key, Value value) {
  for (Member& member : members_) {
    if (member.key == key) {
      member.value = std::move(value);
      return *this;
    }
  }
  return set(key, std::move(value));
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case Kind::null: return true;
    case Kind::boolean:
    case Kind::integer: return a.integer_ == b.integer_;
    case Kind::number: return a.number_ == b.number_;
    case Kind::string: return a.text_ == b.text_;
    case Kind::array: return a.items_ == b.items_;
    case Kind::object:
      if (a.members_.size() != b.members_.size()) return false;
      for (std::size_t i = 0; i < a.members_.size(); ++i) {
        if (a.members_[i].key != b.members_[i].key || !(a.members_[i].value == b.members_[i].value)) return false;
      }
      return true;
  }
  return false;
}

Result<Value> parse(std::string_view text) {
  std::uint32_t line = 1;
  Builder builder(&line);
  const CountingIterator begin(text.data(), text.data(), &line);
  const CountingIterator end(text.data() + text.size(), text.data(), &line);
  if (!nlohmann::json::sax_parse(begin, end, &builder)) return builder.error();
  return builder.take();
}

std::string write(const Value& value, int indent) {
  std::string out;
  append(out, value, indent, 0);
  return out;
}

std::string brief(const Value& value) {
  std::string text = write(value);
  if (text.size() > 60) {
    std::size_t cut = 57;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
    text = text.substr(0, cut) + "...";
  }
  return text;
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "true or false";
    case Kind::integer: return "integer";
    case Kind::number: return "number";
    case Kind::string: return "string";
    case Kind::array: return "list";
    case Kind::object: return "object";
  }
  return "";
}

}  // namespace vram::json
