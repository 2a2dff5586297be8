// The catalogue and texts that ship, read once for all tests.
#pragma once

#include <string_view>

#include "core/base/embedded_files.h"
#include "core/fit/evaluate.h"
#include "core/report/texts.h"

namespace vram::testing {

inline const Catalog& shipped_catalog() {
  static const Catalog catalog = [] {
    std::vector<CatalogFile> files;
    for (const embedded::File& file : embedded::catalog_files()) files.push_back({file.name, file.text});
    std::vector<CatalogFault> faults;
    return read_catalog(files, faults);
  }();
  return catalog;
}

/// A request from "task=qlora model=llama-3.1-8b": words separated by blanks. Unreadable words end the test program.
inline Request request_of(std::string_view words) {
  Request request;
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    const std::string_view word = words.substr(0, blank);
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
    const std::size_t equals = word.find('=');
    if (word.empty()) continue;
    if (equals == std::string_view::npos || set_from_text(request, word.substr(0, equals), word.substr(equals + 1))) {
      std::abort();
    }
  }
  return request;
}

}  // namespace vram::testing
