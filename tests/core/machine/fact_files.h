// The shipped fact files as JSON, and edits that break one thing in them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/embedded_files.h"
#include "core/base/json.h"
#include "core/machine/catalogue.h"

namespace vram::tests {

inline std::string shipped_text(std::string_view name) {
  for (const embedded::File& file : embedded::catalog_files()) {
    if (file.name == name) return std::string(file.text);
  }
  return {};
}

inline json::Value shipped(std::string_view name) {
  auto file = json::parse(shipped_text(name));
  return file ? *file : json::Value();
}

/// The text with the first `from` after `after` replaced by `to`; the text itself when there is none, so that a test that
/// counts on the edit fails.
inline std::string edited(std::string text, std::string_view after, std::string_view from, std::string_view to) {
  const std::size_t start = text.find(after);
  const std::size_t at = start == std::string::npos ? start : text.find(from, start);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline GpuCatalogue shipped_gpus() {
  std::vector<Error> faults;
  return read_gpus(shipped("gpus.json"), faults);
}

struct ReadMachines {
  MachineCatalogue catalogue;
  std::vector<Error> faults;
};

/// Platforms and tiers as shipped, the configurations from a text.
inline ReadMachines read_machines(const std::string& configurations) {
  ReadMachines read;
  read_platforms(shipped("platforms.json"), read.catalogue, read.faults);
  const auto file = json::parse(configurations);
  if (file) {
    read_configurations(*file, read.catalogue, read.faults);
  } else {
    read.faults.push_back(file.error());
  }
  read_tiers(shipped("tiers.json"), read.catalogue, read.faults);
  check_references(read.catalogue, shipped_gpus(), read.faults);
  return read;
}

inline ReadMachines shipped_machines() { return read_machines(shipped_text("configurations.json")); }

}  // namespace vram::tests
