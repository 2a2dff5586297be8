// The lists behind the select controls.
#pragma once

#include <string>
#include <vector>

#include "core/fit/evaluate.h"
#include "core/scenario/request.h"
#include "wasm/ui/widgets/select.h"

namespace vram::ui {

/// Long lists, made once per language.
struct OptionCache {
  std::string language;
  std::vector<Option> models, gpus, formats, gguf_formats;
};
void refresh(OptionCache& cache, const Catalog& catalog, const Texts& texts);

/// Formats in the order that suits a runtime: those of GGUF files first where it reads them.
const std::vector<Option>& formats_for(const OptionCache& cache, RuntimeId runtime);

/// The words of a choice field that make sense here: runtimes that can do the job, and the one that is taken.
std::vector<Option> choice_options(const FieldRow& row, const Texts& texts, const Scenario& scenario,
                                   std::string_view taken);

std::size_t index_of(std::span<const Option> options, std::string_view value);

}  // namespace vram::ui
