#include "core/cli/commands.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/embedded_files.h"
#include "core/cli/bring.h"
#include "core/cli/check.h"
#include "core/cli/data.h"
#include "core/fit/evaluate.h"
#include "core/format/storage_format.h"
#include "core/report/answer.h"
#include "core/report/brought.h"
#include "core/report/table.h"

namespace vram::cli {
namespace {

constexpr std::string_view kUsage =
    "usage: vram estimate KEY=VALUE ... [--json] [--explain]   one estimate, e.g. model=llama-3.1-8b context=8192\n"
    "       vram estimate --lines                              JSON requests in, JSON answers out, one a line\n"
    "       vram estimate --file MODEL ... KEY=VALUE ...       one estimate of a GGUF, safetensors or config.json\n"
    "       vram describe FILE ...                             what a model's files say, as a catalogue entry\n"
    "       vram compare [LOG ...] KEY=VALUE ...               a log or a reading beside the estimate\n"
    "       vram fit gpu=ID ... KEY=VALUE ...                  the largest context, batch and models that fit\n"
    "       vram check FILE ...                                faults of catalogue files\n"
    "       vram models [TEXT]                                 models whose name holds TEXT\n"
    "       vram gpus [TEXT]                                   cards and what they leave for use\n"
    "       vram formats                                       storage formats of weights\n"
    "       vram fields                                        every field of a request\n";

struct EstimateOptions {
  bool json = false, lines = false, explain = false, reads_files = false;
  std::vector<std::string> files;
};

bool is_field_word(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals != std::string_view::npos && field_by_name(word.substr(0, equals)).has_value();
}

/// Key=value words into a request; a bad one is reported and ends the reading.
bool read_words(std::span<const std::string_view> words, const Data& data, Request& request, EstimateOptions& options,
                std::ostream& err) {
  for (const std::string_view word : words) {
    if (word == "--json") {
      options.json = true;
    } else if (word == "--lines") {
      options.lines = true;
    } else if (word == "--explain") {
      options.explain = true;
    } else if (word == "--file") {
      options.reads_files = true;
    } else if (options.reads_files && !is_field_word(word)) {
      options.files.emplace_back(word);
    } else if (const std::size_t equals = word.find('='); equals != std::string_view::npos && equals > 0) {
      if (const auto error = set_from_text(request, word.substr(0, equals), word.substr(equals + 1))) {
        err << error_sentence(*error, data.texts) << '\n';
        return false;
      }
    } else {
      err << kUsage;
      return false;
    }
  }
  return true;
}

/// The model of the files, in the request; what was taken for granted is said. False after a fault has been reported.
bool read_files(const EstimateOptions& options, const Data& data, Request& request, std::ostream& err) {
  imports::ImportSet set;
  auto error = read_model_files(options.files, set);
  const auto imported = error ? Result<imports::Imported>(*error) : set.finish();
  if (!imported) {
    err << error_sentence(imported.error(), data.texts) << '\n';
    return false;
  }
  for (const std::string& line : import_lines(*imported, data.texts)) err << line << '\n';
  request.set(Field::architecture, FieldValue(write_model(imported->model)));
  if (!request.has(Field::weights) && !imported->weights.empty()) {
    request.set(Field::weights, FieldValue(imported->weights));
  }
  return true;
}

json::Value answer_line(std::string_view line, const Data& data) {
  const auto parsed = json::parse(line);
  if (!parsed) return error_to_json(parsed.error(), data.texts);
  const auto request = request_from_json(*parsed);
  if (!request) return error_to_json(request.error(), data.texts);
  const auto evaluation = evaluate(*request, data.catalog);
  if (!evaluation) return error_to_json(evaluation.error(), data.texts);
  return answer_to_json(*evaluation, data.catalog, data.formulas);
}

int estimate_lines(const Data& data, std::istream& in, std::ostream& out) {
  std::string line;
  while (std::getline(in, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    out << json::write(answer_line(line, data)) << std::endl;
  }
  return 0;
}

int estimate(std::span<const std::string_view> words, std::istream& in, std::ostream& out, std::ostream& err) {
  const Data data = read_data();
  Request request;
  EstimateOptions options;
  if (!read_words(words, data, request, options, err)) return 2;
  if (options.lines) return estimate_lines(data, in, out);
  if (options.reads_files && !read_files(options, data, request, err)) return 1;
  const auto evaluation = evaluate(request, data.catalog);
  if (!evaluation) {
    if (options.json) {
      out << json::write(error_to_json(evaluation.error(), data.texts)) << '\n';
    } else {
      err << error_sentence(evaluation.error(), data.texts) << '\n';
    }
    return 1;
  }
  if (options.json) {
    out << json::write(answer_to_json(*evaluation, data.catalog, data.formulas)) << '\n';
  } else {
    out << answer_table(*evaluation, data.catalog, data.formulas, data.texts, {options.explain});
  }
  return 0;
}

bool holds(std::string_view text, std::span<const std::string_view> words) {
  return std::all_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

int list_models(std::span<const std::string_view> words, std::ostream& out) {
  const Data data = read_data();
  for (const auto& model : data.catalog.facts.models.models) {
    if (!holds(model->id, words)) continue;
    out << model->id << '\t' << model->name << '\t' << format_decimal(model->parameters.as_double() / 1e9, 2, {})
        << " B\t" << (model->unverified ? "unverified" : "") << '\n';
  }
  return 0;
}

int list_gpus(std::span<const std::string_view> words, std::ostream& out) {
  const Data data = read_data();
  for (const auto& gpu : data.catalog.facts.gpus.gpus) {
    if (!holds(gpu->id, words)) continue;
    out << gpu->id << '\t' << gpu->name << '\t' << format_gib(gpu->usable, {}) << " GiB usable"
        << (gpu->usable_derived ? " (derived)" : "") << '\n';
  }
  return 0;
}

int list_formats(std::ostream& out) {
  for (const NamedFormat& format : named_formats()) out << format.name << '\n';
  out << "exl2-BITS, exl3-BITS (for example exl3-4.25)\n";
  return 0;
}

int list_fields(std::ostream& out) {
  for (const FieldRow& row : fields()) {
    out << row.name;
    if (!row.default_text.empty()) out << " (default " << row.default_text << ")";
    for (std::size_t i = 0; i < row.choices.size(); ++i) out << (i == 0 ? ": " : ", ") << row.choices[i];
    if (row.choices.empty() && row.maximum > 0) {
      out << ": " << format_short(row.minimum, 2, {}) << " to " << format_short(row.maximum, 2, {});
    }
    out << '\n';
  }
  return 0;
}

}  // namespace

int run(std::span<const std::string_view> arguments, std::istream& in, std::ostream& out, std::ostream& err) {
  const std::string_view command = arguments.empty() ? std::string_view() : arguments.front();
  const auto rest = arguments.empty() ? arguments : arguments.subspan(1);
  if (command == "estimate") return estimate(rest, in, out, err);
  if (command == "describe") return describe(rest, read_data(), out, err);
  if (command == "compare") return compare(rest, read_data(), in, out, err);
  if (command == "fit") return fit(rest, read_data(), out, err);
  if (command == "check") return check(rest, out, err);
  if (command == "models") return list_models(rest, out);
  if (command == "gpus") return list_gpus(rest, out);
  if (command == "formats" && rest.empty()) return list_formats(out);
  if (command == "fields" && rest.empty()) return list_fields(out);
  (command == "help" || command == "--help" ? out : err) << kUsage;
  return command == "help" || command == "--help" ? 0 : 2;
}

}  // namespace vram::cli
