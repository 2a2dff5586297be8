#include "core/cli/data.h"

#include "core/base/embedded_files.h"

namespace vram::cli {

Data read_data() {
  Data data;
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) {
    files.push_back({file.name, file.text});
    if (file.name != "formulas.json") continue;
    if (const auto parsed = json::parse(file.text)) {
      if (auto formulas = Formulas::read(*parsed)) data.formulas = std::move(*formulas);
    }
  }
  std::vector<CatalogFault> faults;
  data.catalog = read_catalog(files, faults);
  for (const embedded::File& file : embedded::text_files()) {
    if (file.name != "en") continue;
    if (const auto parsed = json::parse(file.text)) {
      if (auto texts = Texts::read("en", *parsed)) data.texts = std::move(*texts);
    }
  }
  return data;
}

}  // namespace vram::cli
