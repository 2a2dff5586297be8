// A site's own catalogue and words, read while the page runs.
#include <string_view>

#include "core/base/json.h"
#include "core/report/answer.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

namespace {

using vram::json::Value;

Value listed(const std::vector<vram::Error>& faults, const vram::Texts& words) {
  auto list = Value::array();
  for (const vram::Error& fault : faults) {
    auto row = Value::object();
    row.set("line", fault.line).set("where", fault.where).set("message", vram::error_sentence(fault, words));
    list.push(std::move(row));
  }
  return list;
}

}  // namespace

const char* vram_set_catalogue(const char* text) {
  auto& session = vram::bridge::session();
  const std::string_view site(text);
  std::vector<vram::Error> faults;
  vram::Catalog catalog = site.empty() ? vram::bridge::embedded_catalog() : vram::bridge::site_catalog(site, faults);
  if (const auto parsed = vram::json::parse(site)) {
    if (const Value* const words = parsed->find("texts")) vram::put_site_texts(*words, session.texts, faults);
  }
  // The answer points into the catalogue.
  session.app.change_catalog([&] { session.catalog = std::move(catalog); });
  return vram::bridge::lend(vram::json::write(listed(faults, session.words())));
}
