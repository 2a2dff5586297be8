// One calculator in a browser: the app, and what the host was told about its surroundings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"
#include "wasm/ui/app.h"

namespace vram::bridge {

/// The catalogue compiled in. Faults are for `vram check`: the page lives with what is good.
Catalog embedded_catalog();
/// The same with a site's own over it; what is wrong in that goes to `faults`.
Catalog site_catalog(std::string_view site, std::vector<Error>& faults);
/// The formulas compiled in.
Formulas embedded_formulas();
/// The texts compiled in, one per language; English first, which is what an unknown language gets.
std::vector<Texts> embedded_texts();

struct Session {
  Catalog catalog = embedded_catalog();
  Formulas formulas = embedded_formulas();
  std::vector<Texts> texts = embedded_texts();
  ui::App app{catalog, formulas, texts};
  ui::Environment environment;

  /// The texts of the visitor's language.
  [[nodiscard]] const Texts& words() const;
};

/// The session of this module: a page with several calculators instantiates the module several times.
Session& session();

/// Keeps a text alive until the next call, for a host that copies it at once.
const char* lend(std::string text);

}  // namespace vram::bridge
