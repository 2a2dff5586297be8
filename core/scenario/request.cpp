#include "core/scenario/request.h"

#include <algorithm>

#include "core/base/number.h"
#include "core/format/storage_format.h"

namespace vram {
namespace {

constexpr std::size_t kMaxIdLength = 200;
constexpr std::size_t kMaxGpus = 1024;

std::string shortened(std::string_view text) {
  return text.size() <= 60 ? std::string(text) : std::string(text.substr(0, 57)) + "...";
}

std::string joined(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

std::string range_of(const FieldRow& row) {
  const NumberStyle plain{".", ""};
  return format_short(row.minimum, 2, plain) + " to " + format_short(row.maximum, 2, plain);
}

Error fault(ErrorCode code, const FieldRow& row, std::string_view got, std::string expected) {
  return {code, std::string(row.name), shortened(got), std::move(expected), 0};
}

std::optional<std::uint64_t> choice_index(const FieldRow& row, std::string_view word) {
  for (std::size_t i = 0; i < row.choices.size(); ++i) {
    if (row.choices[i] == word) return i;
  }
  return std::nullopt;
}

/// Either the value or the error, before it is stored.
using Checked = Result<FieldValue>;

Checked check_choice(const FieldRow& row, std::string_view word) {
  const auto index = choice_index(row, word);
  if (!index) return fault(ErrorCode::unknown_choice, row, word, joined(row.choices));
  return FieldValue(*index);
}

Checked check_words(const FieldRow& row, const std::vector<std::string>& words) {
  std::uint64_t mask = 0;
  for (const std::string& word : words) {
    const auto index = choice_index(row, word);
    if (!index) return fault(ErrorCode::unknown_choice, row, word, joined(row.choices));
    mask |= std::uint64_t{1} << *index;
  }
  if (mask == 0) return fault(ErrorCode::missing_field, row, "", joined(row.choices));
  return FieldValue(mask);
}

Checked check_number(const FieldRow& row, double value, std::string_view got) {
  if (!(value >= row.minimum && value <= row.maximum)) return fault(ErrorCode::out_of_range, row, got, range_of(row));
  return FieldValue(value);
}

Checked check_integer(const FieldRow& row, std::uint64_t value, std::string_view got) {
  if (const auto checked = check_number(row, static_cast<double>(value), got); !checked) return checked.error();
  return FieldValue(value);
}

Checked check_text(const FieldRow& row, std::string_view text) {
  const std::size_t limit = row.kind == FieldKind::text ? static_cast<std::size_t>(row.maximum) : kMaxIdLength;
  if (text.empty() || text.size() > limit) {
    return fault(ErrorCode::out_of_range, row, text, "1 to " + std::to_string(limit) + " characters");
  }
  if (row.kind == FieldKind::weight_format && !parse_weight_format(text)) {
    return fault(ErrorCode::unknown_choice, row, text, "bf16, fp8, nf4, q4_k_m, exl3-4.00, iq4_xs, gptq4 ...");
  }
  return FieldValue(std::string(text));
}

Checked check_list(const FieldRow& row, std::vector<std::string> ids) {
  if (ids.empty()) return fault(ErrorCode::missing_field, row, "", "at least one id");
  if (ids.size() > kMaxGpus) return fault(ErrorCode::out_of_range, row, std::to_string(ids.size()), "at most 1024 ids");
  for (const std::string& id : ids) {
    if (const auto checked = check_text(row, id); !checked) return checked.error();
  }
  return FieldValue(std::move(ids));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (!part.empty()) parts.emplace_back(part);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

Checked check_object(const FieldRow& row, const json::Value& value) {
  if (!value.is(json::Kind::object)) return fault(ErrorCode::wrong_type, row, json::brief(value), "object");
  return FieldValue(value);
}

Checked from_text(const FieldRow& row, std::string_view text) {
  switch (row.kind) {
    case FieldKind::choice: return check_choice(row, text);
    case FieldKind::choice_list: return check_words(row, split(text));
    case FieldKind::integer_or_all:
      if (text == "all") return FieldValue(kAll);
      [[fallthrough]];
    case FieldKind::integer: {
      std::uint64_t value = 0;
      if (!parse_integer(text, value, row.unit == FieldUnit::tokens)) {
        return fault(ErrorCode::wrong_type, row, text, "integer, " + range_of(row));
      }
      return check_integer(row, value, text);
    }
    case FieldKind::number: {
      double value = 0;
      if (!parse_decimal(text, value)) return fault(ErrorCode::wrong_type, row, text, "number, " + range_of(row));
      return check_number(row, value, text);
    }
    case FieldKind::boolean:
      if (text == "true" || text == "1") return FieldValue(std::uint64_t{1});
      if (text == "false" || text == "0") return FieldValue(std::uint64_t{0});
      return fault(ErrorCode::wrong_type, row, text, "true or false");
    case FieldKind::text:
    case FieldKind::weight_format:
    case FieldKind::model_id:
    case FieldKind::gpu_id: return check_text(row, text);
    case FieldKind::gpu_list: return check_list(row, split(text));
    case FieldKind::object: {
      const auto parsed = json::parse(text);
      if (!parsed) return fault(ErrorCode::syntax, row, text, "a JSON object");
      return check_object(row, *parsed);
    }
  }
  return fault(ErrorCode::unsupported, row, text, "");
}

Checked from_json(const FieldRow& row, const json::Value& value) {
  const std::string got = json::brief(value);
  const auto wrong = [&](std::string_view expected) {
    return fault(ErrorCode::wrong_type, row, got, std::string(expected));
  };
  switch (row.kind) {
    case FieldKind::choice:
    case FieldKind::text:
    case FieldKind::weight_format:
    case FieldKind::model_id:
    case FieldKind::gpu_id:
      if (!value.is(json::Kind::string)) return wrong("string");
      return row.kind == FieldKind::choice ? check_choice(row, value.text()) : check_text(row, value.text());
    case FieldKind::choice_list:
    case FieldKind::gpu_list: {
      std::vector<std::string> words;
      if (value.is(json::Kind::string)) {
        words.push_back(value.text());
      } else if (value.is(json::Kind::array)) {
        for (const json::Value& item : value.items()) {
          if (!item.is(json::Kind::string)) return wrong("list of strings");
          words.push_back(item.text());
        }
      } else {
        return wrong("list of strings");
      }
      return row.kind == FieldKind::choice_list ? check_words(row, words) : check_list(row, std::move(words));
    }
    case FieldKind::integer_or_all:
      if (value.is(json::Kind::string) && value.text() == "all") return FieldValue(kAll);
      [[fallthrough]];
    case FieldKind::integer: {
      if (value.is(json::Kind::integer)) return check_integer(row, value.integer(), got);
      if (!value.is(json::Kind::number)) return wrong("integer, " + range_of(row));
      // 8192.0 is an integer that some writers spell as a float; anything else is not.
      if (const auto checked = check_number(row, value.number(), got); !checked) return checked.error();
      const auto whole = static_cast<std::uint64_t>(value.number());
      if (static_cast<double>(whole) != value.number()) return wrong("integer, " + range_of(row));
      return FieldValue(whole);
    }
    case FieldKind::number:
      if (!value.is_numeric()) return wrong("number, " + range_of(row));
      return check_number(row, value.number(), got);
    case FieldKind::boolean:
      if (!value.is(json::Kind::boolean)) return wrong("true or false");
      return FieldValue(std::uint64_t{value.boolean() ? 1U : 0U});
    case FieldKind::object: return check_object(row, value);
  }
  return wrong("");
}

template <class Check>
std::optional<Error> store(Request& request, std::string_view name, const Check& check) {
  const auto field = field_by_name(name);
  if (!field) return Error{ErrorCode::unknown_field, shortened(name), "", "a field of the request", 0};
  auto checked = check(row_of(*field));
  if (!checked) return checked.error();
  request.set(*field, std::move(*checked));
  return std::nullopt;
}

std::vector<std::string> words_of(const FieldRow& row, std::uint64_t mask) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < row.choices.size(); ++i) {
    if ((mask >> i & 1U) != 0) words.emplace_back(row.choices[i]);
  }
  return words;
}

}  // namespace

std::uint64_t Request::integer(Field field, std::uint64_t fallback) const {
  const FieldValue* value = find(field);
  const auto* number = value == nullptr ? nullptr : std::get_if<std::uint64_t>(value);
  return number == nullptr ? fallback : *number;
}

double Request::number(Field field, double fallback) const {
  const FieldValue* value = find(field);
  const auto* number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? fallback : *number;
}

std::string_view Request::text(Field field, std::string_view fallback) const {
  const FieldValue* value = find(field);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? fallback : std::string_view(*text);
}

std::optional<Error> set_from_text(Request& request, std::string_view name, std::string_view text) {
  return store(request, name, [&](const FieldRow& row) { return from_text(row, text); });
}

std::optional<Error> set_from_json(Request& request, std::string_view name, const json::Value& value) {
  return store(request, name, [&](const FieldRow& row) { return from_json(row, value); });
}

Result<Request> request_from_json(const json::Value& object) {
  if (!object.is(json::Kind::object)) {
    return Error{ErrorCode::wrong_type, "request", json::brief(object), "object", object.line()};
  }
  Request request;
  for (const json::Member& member : object.members()) {
    if (member.key == "version") {
      if (member.value.integer() != kVocabularyVersion) {
        return Error{ErrorCode::out_of_range, "version", json::brief(member.value), std::to_string(kVocabularyVersion),
                     member.value.line()};
      }
      continue;
    }
    if (auto error = set_from_json(request, member.key, member.value)) {
      error->line = member.value.line();
      return *error;
    }
  }
  return request;
}

json::Value request_to_json(const Request& request) {
  json::Value object = json::Value::object();
  for (const FieldRow& row : fields()) {
    const FieldValue* value = request.find(row.field);
    if (value == nullptr) continue;
    if (const auto* number = std::get_if<std::uint64_t>(value)) {
      switch (row.kind) {
        case FieldKind::choice: object.set(row.name, row.choices[static_cast<std::size_t>(*number)]); break;
        case FieldKind::boolean: object.set(row.name, *number != 0); break;
        case FieldKind::choice_list: {
          json::Value list = json::Value::array();
          for (std::string& word : words_of(row, *number)) list.push(std::move(word));
          object.set(row.name, std::move(list));
          break;
        }
        default:
          if (row.kind == FieldKind::integer_or_all && *number == kAll) {
            object.set(row.name, "all");
          } else {
            object.set(row.name, *number);
          }
      }
    } else if (const auto* real = std::get_if<double>(value)) {
      object.set(row.name, *real);
    } else if (const auto* text = std::get_if<std::string>(value)) {
      object.set(row.name, *text);
    } else if (const auto* list = std::get_if<std::vector<std::string>>(value)) {
      json::Value array = json::Value::array();
      for (const std::string& id : *list) array.push(id);
      object.set(row.name, std::move(array));
    } else {
      object.set(row.name, std::get<json::Value>(*value));
    }
  }
  return object;
}

std::string text_of(const Request& request, Field field) {
  const FieldValue* value = request.find(field);
  if (value == nullptr) return {};
  const FieldRow& row = row_of(field);
  const auto comma_list = [](const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
      if (!out.empty()) out += ',';
      out += word;
    }
    return out;
  };
  if (const auto* number = std::get_if<std::uint64_t>(value)) {
    switch (row.kind) {
      case FieldKind::choice: return std::string(row.choices[static_cast<std::size_t>(*number)]);
      case FieldKind::boolean: return *number != 0 ? "true" : "false";
      case FieldKind::choice_list: return comma_list(words_of(row, *number));
      default: return row.kind == FieldKind::integer_or_all && *number == kAll ? "all" : std::to_string(*number);
    }
  }
  if (const auto* real = std::get_if<double>(value)) return json::write(json::Value(*real));
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(value)) return comma_list(*list);
  return json::write(std::get<json::Value>(*value));
}

}  // namespace vram
