// `vram describe`, `vram compare`, `vram fit`, and models from files for `vram estimate --file`.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/data.h"
#include "core/model/imports/import_set.h"

namespace vram::cli {

/// Reads the beginnings of the files into `set`, as much of each as its reader asks for. The first fault, if any.
std::optional<Error> read_model_files(std::span<const std::string> names, imports::ImportSet& set);

int describe(std::span<const std::string_view> words, const Data& data, std::ostream& out, std::ostream& err);
int compare(std::span<const std::string_view> words, const Data& data, std::istream& in, std::ostream& out,
            std::ostream& err);
int fit(std::span<const std::string_view> words, const Data& data, std::ostream& out, std::ostream& err);

}  // namespace vram::cli
