#include "core/report/brought.h"

#include "core/model/file_weights.h"

namespace vram {
namespace {

std::string gib(Bytes bytes, const Texts& texts) { return format_gib(bytes, texts.numbers()) + " GiB"; }

}  // namespace

std::vector<std::string> import_lines(const imports::Imported& imported, const Texts& texts) {
  const Model& model = imported.model;
  std::string line = model.name + ": " + format_integer(model.parameters.value(), texts.numbers()) + " " +
                     std::string(texts("import.parameters"));
  if (!imported.weights.empty()) line += " · " + imported.weights;
  if (model.file_weights) line += " · " + gib(model.file_weights->stored.total.bytes, texts);
  std::vector<std::string> lines{std::move(line)};
  for (const imports::Assumption& assumption : imported.assumed) {
    lines.push_back(texts.fill("assumed." + std::string(assumption.id), {{"value", assumption.value}}));
  }
  return lines;
}

std::vector<std::string> comparison_lines(const measured::Comparison& comparison, const Texts& texts) {
  std::vector<std::string> lines;
  for (const measured::ComparedItem& item : comparison.items) {
    const std::string key =
        "quantity." + std::string(measured::kQuantityNames[static_cast<std::size_t>(item.quantity)]);
    lines.push_back(texts.fill("compare.item", {{"what", texts(key)},
                                                {"measured", gib(item.measured, texts)},
                                                {"ours", gib(item.ours.expected, texts)},
                                                {"low", gib(item.ours.low, texts)},
                                                {"high", gib(item.ours.high, texts)}}));
  }
  for (const char* cause : comparison.causes) lines.emplace_back(texts("cause." + std::string(cause)));
  if (comparison.calibration) {
    const std::string value = "calibration=" + json::write(json::Value(*comparison.calibration));
    lines.push_back(texts.fill("compare.calibration", {{"value", value}}));
  }
  return lines;
}

}  // namespace vram
