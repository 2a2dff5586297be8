#include "wasm/bridge/session.h"

#include <algorithm>
#include <utility>

#include "core/base/embedded_files.h"
#include "core/base/json.h"

namespace vram::bridge {

namespace {

std::vector<CatalogFile> catalog_files() {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) files.push_back({file.name, file.text});
  return files;
}

}  // namespace

Catalog embedded_catalog() {
  std::vector<CatalogFault> faults;
  return read_catalog(catalog_files(), faults);
}

Catalog site_catalog(std::string_view site, std::vector<Error>& faults) {
  std::vector<CatalogFault> all;
  Catalog catalog = read_catalog(catalog_files(), site, all);
  for (CatalogFault& fault : all) {
    if (fault.file == kSiteFile) faults.push_back(std::move(fault.error));
  }
  return catalog;
}

Formulas embedded_formulas() {
  for (const embedded::File& file : embedded::catalog_files()) {
    if (file.name != "formulas.json") continue;
    const Result<json::Value> parsed = json::parse(file.text);
    if (!parsed) break;
    if (Result<Formulas> read = Formulas::read(*parsed)) return std::move(read).value();
  }
  return {};
}

std::vector<Texts> embedded_texts() {
  std::vector<Texts> texts;
  for (const embedded::File& file : embedded::text_files()) {
    const Result<json::Value> parsed = json::parse(file.text);
    if (!parsed) continue;
    Result<Texts> read = Texts::read(file.name, *parsed);
    if (read) texts.push_back(std::move(read).value());
  }
  if (texts.empty()) texts.emplace_back();
  std::stable_partition(texts.begin(), texts.end(), [](const Texts& one) { return one.language() == "en"; });
  return texts;
}

const Texts& Session::words() const {
  for (const Texts& one : texts) {
    if (one.language() == environment.language) return one;
  }
  return texts.front();
}

Session& session() {
  static Session the_session;
  return the_session;
}

const char* lend(std::string text) {
  static std::string lent;
  lent = std::move(text);
  return lent.c_str();
}

}  // namespace vram::bridge
