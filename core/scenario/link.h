// The page's address holds the whole request: "v=1&task=qlora&model=llama-3.1-8b&context=8192".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/request.h"

namespace vram {

struct LinkReading {
  Request request;
  std::vector<Error> ignored;  ///< bad or unknown keys; the rest of the link lives
  std::uint64_t version = kVocabularyVersion;
};

/// Reads a link's part behind '#'. Never fails as a whole. Keys that belong to the page (lang, theme, view...) are skipped.
LinkReading request_from_link(std::string_view link);

/// The inverse: percent-encoded, keys in table order, only set fields, `v=1` first.
std::string request_to_link(const Request& request);

}  // namespace vram
