#include "core/scenario/link.h"

#include <array>

#include "core/base/number.h"

namespace vram {
namespace {

/// Keys of the page itself; they carry no part of the request.
constexpr std::array<std::string_view, 8> kPageKeys = {"lang",    "theme",    "view",   "text",
                                                       "catalog", "settings", "locked", "embed"};

constexpr std::size_t kMaxLink = 65536;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

void append_encoded(std::string& out, std::string_view text) {
  static constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~,:/";
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
}

bool is_page_key(std::string_view key) {
  for (const std::string_view known : kPageKeys) {
    if (known == key) return true;
  }
  return false;
}

}  // namespace

LinkReading request_from_link(std::string_view link) {
  LinkReading reading;
  if (link.starts_with('#') || link.starts_with('?')) link.remove_prefix(1);
  if (link.size() > kMaxLink) {
    reading.ignored.push_back(
        {ErrorCode::too_large, "link", std::to_string(link.size()), "at most 65536 characters", 0});
    return reading;
  }
  while (!link.empty()) {
    const std::size_t end = link.find('&');
    const std::string_view pair = link.substr(0, end);
    link.remove_prefix(end == std::string_view::npos ? link.size() : end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string key = decoded(pair.substr(0, equals));
    const std::string value = equals == std::string_view::npos ? "" : decoded(pair.substr(equals + 1));
    if (is_page_key(key)) continue;
    if (key == "v" || key == "version") {
      if (!parse_integer(value, reading.version) || reading.version == 0 || reading.version > kVocabularyVersion) {
        reading.ignored.push_back(
            {ErrorCode::out_of_range, "version", value.substr(0, 60), std::to_string(kVocabularyVersion), 0});
        reading.version = kVocabularyVersion;
      }
      continue;
    }
    const auto field = field_by_name(key);
    if (field && reading.request.has(*field)) {
      reading.ignored.push_back({ErrorCode::duplicate_field, key, value.substr(0, 60), "each key once", 0});
      continue;
    }
    if (auto error = set_from_text(reading.request, key, value)) reading.ignored.push_back(std::move(*error));
  }
  return reading;
}

std::string request_to_link(const Request& request) {
  std::string link = "v=" + std::to_string(kVocabularyVersion);
  for (const FieldRow& row : fields()) {
    if (!request.has(row.field)) continue;
    link += '&';
    link += row.name;
    link += '=';
    append_encoded(link, text_of(request, row.field));
  }
  return link;
}

}  // namespace vram
