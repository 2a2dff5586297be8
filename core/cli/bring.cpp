#include "core/cli/bring.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <iterator>
#include <ostream>

#include "core/report/answer.h"
#include "core/report/brought.h"
#include "core/report/imported.h"
#include "core/report/measured/comparison.h"
#include "core/report/table.h"
#include "core/report/turned_round.h"

namespace vram::cli {
namespace {

constexpr std::size_t kFirstRead = std::size_t{1} << 20U;
constexpr std::size_t kMostLog = std::size_t{4} << 20U;

std::string gib(Bytes bytes, const Texts& texts) { return format_gib(bytes, texts.numbers()) + " GiB"; }

std::optional<Error> read_file(const std::string& name, imports::ImportSet& set) {
  std::ifstream stream(name, std::ios::binary | std::ios::ate);
  if (!stream) return Error{ErrorCode::missing_field, name, "", "a file that can be read", 0};
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(0, stream.tellg()));
  std::vector<std::uint8_t> head;
  std::uint64_t wanted = std::min<std::uint64_t>(size, kFirstRead);
  while (true) {
    const std::size_t had = head.size();
    head.resize(static_cast<std::size_t>(wanted));
    stream.seekg(static_cast<std::streamoff>(had));
    stream.read(reinterpret_cast<char*>(head.data()) + had, static_cast<std::streamsize>(head.size() - had));
    if (!stream) return Error{ErrorCode::damaged_file, name, "", "a file that can be read", 0};
    const auto reading = set.add(name, head, size);
    if (const Error* error = std::get_if<Error>(&reading)) {
      Error named = *error;
      named.where = name + ", " + named.where;
      return named;
    }
    const auto* need = std::get_if<imports::NeedMore>(&reading);
    if (need == nullptr) return std::nullopt;
    // Twice as much each time keeps re-reading within twice the header.
    wanted = std::min(size, std::max(need->up_to, std::min<std::uint64_t>(2 * wanted, imports::kMostHeader)));
  }
}

struct Words {
  Request request;
  std::vector<std::string> files;
  bool json = false;
};

/// Flags, fields and file names; false after a fault has been reported.
bool read_words(std::span<const std::string_view> words, const Texts& texts, Words& read, std::ostream& err) {
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    const bool is_field = equals != std::string_view::npos && field_by_name(word.substr(0, equals));
    if (word == "--json") {
      read.json = true;
    } else if (!is_field) {
      read.files.emplace_back(word);
    } else if (const auto error = set_from_text(read.request, word.substr(0, equals), word.substr(equals + 1))) {
      err << error_sentence(*error, texts) << '\n';
      return false;
    }
  }
  return true;
}

int fail(const Error& error, const Texts& texts, std::ostream& err) {
  err << error_sentence(error, texts) << '\n';
  return 1;
}

}  // namespace

std::optional<Error> read_model_files(std::span<const std::string> names, imports::ImportSet& set) {
  for (const std::string& name : names) {
    if (auto error = read_file(name, set)) return error;
  }
  return std::nullopt;
}

int describe(std::span<const std::string_view> words, const Data& data, std::ostream& out, std::ostream& err) {
  const Texts& texts = data.texts;
  Words read;
  if (!read_words(words, texts, read, err)) return 2;
  imports::ImportSet set;
  if (const auto error = read_model_files(read.files, set)) return fail(*error, texts, err);
  const auto imported = set.finish();
  if (!imported) return fail(imported.error(), texts, err);
  const json::Value result = imported_to_json(*imported, set);
  if (read.json) {
    out << json::write(result) << '\n';
    return 0;
  }
  std::vector<std::string> lines = import_lines(*imported, texts);
  out << lines.front() << '\n';
  for (const json::Value& type : result.find("types")->items()) {
    out << "  " << type.find("type")->text() << '\t' << type.find("tensors")->integer() << '\t'
        << gib(type.find("bytes")->integer(), texts) << '\n';
  }
  for (std::size_t i = 1; i < lines.size(); ++i) out << "! " << lines[i] << '\n';
  out << json::write(write_model(imported->model), 1) << '\n';
  return 0;
}

int compare(std::span<const std::string_view> words, const Data& data, std::istream& in, std::ostream& out,
            std::ostream& err) {
  const Texts& texts = data.texts;
  Words read;
  if (!read_words(words, texts, read, err)) return 2;
  std::string log;
  const auto append = [&](std::istream& stream) {
    log.append(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    if (log.size() > kMostLog) log.resize(kMostLog);
  };
  if (read.files.empty()) append(in);
  for (const std::string& name : read.files) {
    std::ifstream stream(name, std::ios::binary);
    if (!stream) return fail({ErrorCode::missing_field, name, "", "a file that can be read", 0}, texts, err);
    append(stream);
  }
  const measured::LogReading reading = measured::read_log(log);
  if (reading.sources.empty()) {
    return fail({ErrorCode::unsupported, "log", "", std::string(texts("compare.unknown")), 0}, texts, err);
  }
  const Request request = measured::request_of_log(reading, read.request, data.catalog.facts);
  const auto scenario = resolve(request, data.catalog.facts);
  if (!scenario) return fail(scenario.error(), texts, err);
  const measured::Comparison comparison = measured::compare(reading, assess(request, *scenario));
  if (read.json) {
    out << json::write(measured::comparison_to_json(reading, request, comparison)) << '\n';
    return 0;
  }
  for (const std::string& line : comparison_lines(comparison, texts)) out << line << '\n';
  return 0;
}

int fit(std::span<const std::string_view> words, const Data& data, std::ostream& out, std::ostream& err) {
  const Texts& texts = data.texts;
  Words read;
  if (!read_words(words, texts, read, err) || !read.files.empty()) return 2;
  // Without a model only the list of models is asked for; any model serves to resolve the cards.
  const bool has_model =
      read.request.has(Field::model) || read.request.has(Field::architecture) || read.request.has(Field::parameters_b);
  if (!has_model) read.request.set(Field::parameters_b, FieldValue(8.0));
  const auto evaluation = evaluate(read.request, data.catalog);
  if (!evaluation) return fail(evaluation.error(), texts, err);
  const Facts& facts = data.catalog.facts;
  constexpr std::size_t kMost = 10;
  std::vector<ModelFit> models = models_that_fit(*evaluation, facts, 0, facts.models.models.size());
  keep_largest(models, kMost);
  json::Value result = has_model ? turned_round_to_json(*evaluation, facts) : json::Value::object();
  if (read.json) {
    result.set("models", model_fits_to_json(models));
    out << json::write(result) << '\n';
    return 0;
  }
  if (const json::Value* largest = result.find("largest")) {
    for (const json::Value& entry : largest->items()) {
      const std::string limit = entry.find("limit")->text();
      out << texts("field." + entry.find("field")->text()) << ": "
          << format_integer(entry.find("value")->integer(), texts.numbers()) << " (" << texts("fit.limit." + limit);
      if (const json::Value* grows = entry.find("grows")) out << ": " << texts("group." + grows->text());
      out << ")\n";
    }
  }
  if (const json::Value* weights = result.find("best_weights")) {
    out << texts("fit.best_weights") << ": " << weights->text() << '\n';
  }
  if (const TierFit* tier = smallest_tier(*evaluation); has_model && tier != nullptr) {
    out << texts("fit.tier") << ": " << tier_label(*tier->tier, texts) << '\n';
  }
  if (const ConfigurationFit* machine = smallest_machine(*evaluation); has_model && machine != nullptr) {
    out << texts("fit.machine") << ": " << machine->configuration->name << '\n';
  }
  out << texts("fit.models") << ":\n";
  for (const ModelFit& model : models) {
    out << "  " << model.model->id << '\t' << model.weights << '\t' << gib(model.need, texts) << " / "
        << gib(model.usable, texts) << '\t'
        << texts("group." + std::string(kGroupNames[static_cast<std::size_t>(model.most)])) << '\n';
  }
  return 0;
}

}  // namespace vram::cli
