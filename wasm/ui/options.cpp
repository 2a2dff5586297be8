#include "wasm/ui/options.h"

#include <algorithm>

#include "core/base/number.h"
#include "core/format/storage_format.h"
#include "core/scenario/runtime_table.h"
#include "wasm/ui/values.h"

namespace vram::ui {
namespace {

std::string size_of(const Model& model, const Texts& texts) {
  const double billions = model.parameters.as_double() / 1e9;
  if (billions < 1) return texts.fill("ui.millions", {{"n", format_short(billions * 1000, 0, texts.numbers())}});
  return texts.fill("ui.billions", {{"n", format_short(billions, billions < 10 ? 1 : 0, texts.numbers())}});
}

std::vector<Option> model_options(const ModelCatalogue& catalogue, const Texts& texts) {
  std::vector<Option> options;
  options.reserve(catalogue.models.size());
  for (const auto& model : catalogue.models) {
    std::string keywords = model->id + ' ' + model->family;
    for (const std::string& alias : model->aliases) keywords.append(1, ' ').append(alias);
    options.push_back({model->id, model->name.empty() ? model->id : model->name, size_of(*model, texts), keywords});
  }
  std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) { return a.label < b.label; });
  return options;
}

/// "24 GB", as on the label.
std::string label_size(Bytes bytes, const Texts& texts) {
  return texts.fill("ui.gb", {{"n", format_short(bytes.as_double() / kGiB.as_double(), 1, texts.numbers())}});
}

std::vector<Option> gpu_options(const GpuCatalogue& catalogue, const Texts& texts) {
  std::vector<Option> options;
  options.reserve(catalogue.gpus.size());
  for (const auto& gpu : catalogue.gpus) {
    options.push_back(
        {gpu->id, gpu->name, label_size(gpu->nominal, texts), gpu->id + ' ' + gpu->vendor + ' ' + gpu->klass});
  }
  return options;
}

std::vector<Option> format_options(const Texts& texts, bool gguf_first) {
  const FieldRow& row = row_of(Field::weights);
  std::vector<Option> options;
  for (const NamedFormat& named : named_formats()) {
    const std::string bits = format_short(named.nominal_bits_x100 / 100.0, 1, texts.numbers());
    options.push_back({std::string(named.name), shown_value(texts, row, named.name),
                       texts.fill("ui.bits", {{"n", bits}}),
                       named.format.scheme == WeightScheme::gguf ? "gguf llama.cpp" : ""});
  }
  std::stable_partition(options.begin(), options.end(),
                        [gguf_first](const Option& option) { return !option.keywords.empty() == gguf_first; });
  return options;
}

bool can_do(const RuntimeRow& runtime, const Scenario& scenario) {
  const ModelKind kind = scenario.model ? scenario.model->kind : ModelKind::language;
  const bool image = kind == ModelKind::vision || kind == ModelKind::diffusion;
  if (image != runtime.vision) return false;
  if (is_training(scenario.task)) return runtime.trains;
  return scenario.task == Task::serving ? runtime.serves : runtime.runs;
}

}  // namespace

void refresh(OptionCache& cache, const Catalog& catalog, const Texts& texts) {
  if (cache.language == texts.language() && !cache.formats.empty()) return;
  cache.language = texts.language();
  cache.models = model_options(catalog.facts.models, texts);
  cache.gpus = gpu_options(catalog.facts.gpus, texts);
  cache.formats = format_options(texts, false);
  cache.gguf_formats = format_options(texts, true);
}

const std::vector<Option>& formats_for(const OptionCache& cache, RuntimeId runtime) {
  return runtime_row(runtime).gguf ? cache.gguf_formats : cache.formats;
}

std::vector<Option> choice_options(const FieldRow& row, const Texts& texts, const Scenario& scenario,
                                   std::string_view taken) {
  std::vector<Option> options;
  for (std::size_t i = 0; i < row.choices.size(); ++i) {
    const std::string_view word = row.choices[i];
    if (row.field == Field::framework && word != taken && !can_do(runtime_row(static_cast<RuntimeId>(i)), scenario))
      continue;
    options.push_back({std::string(word), choice_text(texts, row, word), {}, std::string(word)});
  }
  return options;
}

std::size_t index_of(std::span<const Option> options, std::string_view value) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].value == value) return i;
  }
  return options.size();
}

}  // namespace vram::ui
