// The data files of catalog/ as they were when this program was built. The texts live in a generated source of the
// library vram_catalog_data (see cmake/embed_texts.cmake), so that the page needs no second download.
#pragma once

#include <span>
#include <string_view>

namespace vram::embedded {

struct File {
  std::string_view name;  ///< "models.json" in the catalogue, the language ("en") among the texts
  std::string_view text;  ///< JSON; lines are those of the file, without their indentation
};

std::span<const File> catalog_files();  ///< catalog/*.json, by name
std::span<const File> text_files();     ///< catalog/i18n/*.json, by language

}  // namespace vram::embedded
