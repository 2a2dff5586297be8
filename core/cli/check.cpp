#include "core/cli/check.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/embedded_files.h"
#include "core/base/json.h"
#include "core/fit/evaluate.h"
#include "core/machine/rules.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"

namespace vram::cli {
namespace {

struct Kind {
  std::string_view key;      ///< the list that only this kind of file has
  std::string_view shipped;  ///< its name in the catalogue
};
constexpr std::array<Kind, 8> kKinds = {Kind{"gpus", "gpus.json"},
                                        Kind{"platforms", "platforms.json"},
                                        Kind{"configurations", "configurations.json"},
                                        Kind{"tiers", "tiers.json"},
                                        Kind{"models", "models.json"},
                                        Kind{"constants", "runtimes.json"},
                                        Kind{"formulas", "formulas.json"},
                                        Kind{"jobs", "accuracy.json"}};

struct CheckedFile {
  std::string name;
  json::Value content;
  const Kind* kind = nullptr;
  std::string site;  ///< the text of a site's own catalogue: several lists in one file
  std::vector<Error> faults;
};

/// A site's own catalogue holds several lists, or says what becomes of the shipped ones.
bool is_site(const json::Value& content) {
  const auto lists =
      std::count_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return content.find(kind.key) != nullptr; });
  return lists > 1 || content.find("replace") != nullptr || content.find("texts") != nullptr;
}

const Kind* kind_of(const json::Value& content) {
  for (const Kind& kind : kKinds) {
    if (content.find(kind.key) != nullptr) return &kind;
  }
  return nullptr;
}

CheckedFile open(std::string_view name) {
  CheckedFile file;
  file.name = name;
  std::ifstream stream(file.name, std::ios::binary);
  if (!stream) {
    file.faults.push_back({ErrorCode::missing_field, "", "", "a file that can be read", 0});
    return file;
  }
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  auto parsed = json::parse(text);
  if (!parsed) {
    file.faults.push_back(parsed.error());
    return file;
  }
  file.content = std::move(*parsed);
  if (is_site(file.content)) {
    file.site = text;
    return file;
  }
  file.kind = kind_of(file.content);
  if (file.kind == nullptr) {
    std::string keys;
    for (const Kind& kind : kKinds) {
      if (!keys.empty()) keys += ", ";
      keys += kind.key;
    }
    file.faults.push_back({ErrorCode::missing_field, "", "", "a list named " + keys, 1});
  }
  return file;
}

/// The file of that kind named on the command line, or nullptr.
CheckedFile* given(std::vector<CheckedFile>& files, std::string_view key) {
  for (CheckedFile& file : files) {
    if (file.kind != nullptr && file.kind->key == key) return &file;
  }
  return nullptr;
}

json::Value shipped(std::string_view key) {
  for (const Kind& kind : kKinds) {
    if (kind.key != key) continue;
    for (const embedded::File& file : embedded::catalog_files()) {
      if (file.name != kind.shipped) continue;
      if (auto parsed = json::parse(file.text)) return std::move(*parsed);
    }
  }
  return {};
}

/// The given file with its faults, else the compiled-in one, whose faults are none of the caller's.
template <class Read>
void read_kind(std::vector<CheckedFile>& files, std::string_view key, const Read& read) {
  if (CheckedFile* const file = given(files, key)) {
    read(file->content, file->faults);
  } else {
    std::vector<Error> ignored;
    read(shipped(key), ignored);
  }
}

std::string numbers_of(const RuleCheck& rule) {
  std::string text;
  for (const RuleCheck::Value& value : rule.values) {
    if (!text.empty()) text += ", ";
    text +=
        std::string(value.name) + ' ' + (value.text.empty() ? std::to_string(value.value) : std::string(value.text));
  }
  return text;
}

std::string_view remedy_of(std::string_view rule) {
  struct Remedy {
    std::string_view rule, text;
  };
  constexpr std::array<Remedy, 7> kRemedies = {
      Remedy{"power", "a larger supply, or a lower power_limit_w"},
      Remedy{"wall", "less power, or more circuits in psu.circuits"},
      Remedy{"lanes", "fewer lanes or cards, or another platform"},
      Remedy{"ram", "more memory, with every channel of the platform populated"},
      Remedy{"storage", "an os drive and a data drive of at least 2 TB and 10 x the GPU memory"},
      Remedy{"slots", "a chassis with more slots"},
      Remedy{"cooling",
             "at most two open-air cards, gaps between four flow-through cards, passive cards only in a rack"}};
  for (const Remedy& remedy : kRemedies) {
    if (remedy.rule == rule) return remedy.text;
  }
  return {};
}

void add_broken_rules(const Configuration& machine, const MachineCatalogue& machines, std::vector<Error>& faults) {
  for (const RuleCheck& rule : check_machine(machine, machines)) {
    if (rule.ok) continue;
    faults.push_back({ErrorCode::does_not_add_up, machine.path + ".rule " + rule.id, numbers_of(rule),
                      std::string(remedy_of(rule.id)), machine.line});
  }
}

void check_machines(std::vector<CheckedFile>& files) {
  GpuCatalogue gpus;
  MachineCatalogue machines;
  read_kind(files, "gpus",
            [&](const json::Value& file, std::vector<Error>& faults) { gpus = read_gpus(file, faults); });
  read_kind(files, "platforms",
            [&](const json::Value& file, std::vector<Error>& faults) { read_platforms(file, machines, faults); });
  CheckedFile* const configurations = given(files, "configurations");
  CheckedFile* const tiers = given(files, "tiers");
  if (configurations != nullptr) read_configurations(configurations->content, machines, configurations->faults);
  if (tiers != nullptr) read_tiers(tiers->content, machines, tiers->faults);
  std::vector<Error> references;
  check_references(machines, gpus, references);
  for (Error& fault : references) {
    CheckedFile* const file = fault.where.starts_with("tiers") ? tiers : configurations;
    if (file != nullptr) file->faults.push_back(std::move(fault));
  }
  for (const Configuration& machine : machines.configurations) {
    if (!machine.sound) add_broken_rules(machine, machines, configurations->faults);
  }
}

/// A site's catalogue over the shipped one, as the page reads it.
void check_site(CheckedFile& file) {
  std::vector<CatalogFile> shipped_files;
  for (const embedded::File& one : embedded::catalog_files()) shipped_files.push_back({one.name, one.text});
  std::vector<CatalogFault> faults;
  const Catalog catalog = read_catalog(shipped_files, file.site, faults);
  for (CatalogFault& fault : faults) {
    if (fault.file == kSiteFile) file.faults.push_back(std::move(fault.error));
  }
  std::vector<Texts> texts;
  for (const embedded::File& one : embedded::text_files()) {
    const auto parsed = json::parse(one.text);
    if (!parsed) continue;
    if (auto read = Texts::read(one.name, *parsed)) texts.push_back(std::move(*read));
  }
  if (const json::Value* const words = file.content.find("texts")) put_site_texts(*words, texts, file.faults);
  const json::Value* const list = file.content.find("configurations");
  if (list == nullptr) return;
  for (const json::Value& entry : list->items()) {
    const json::Value* const id = entry.find("id");
    const Configuration* const machine = id == nullptr ? nullptr : catalog.machines.find_configuration(id->text());
    if (machine != nullptr && !machine->sound) add_broken_rules(*machine, catalog.machines, file.faults);
  }
}

std::string_view problem_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::syntax: return "not JSON";
    case ErrorCode::too_large: return "too large";
    case ErrorCode::unknown_field: return "unknown field";
    case ErrorCode::duplicate_field: return "given twice";
    case ErrorCode::missing_field: return "missing";
    case ErrorCode::wrong_type: return "wrong kind of value";
    case ErrorCode::out_of_range: return "out of range";
    case ErrorCode::unknown_choice: return "unknown word";
    case ErrorCode::unknown_id: return "unknown id";
    case ErrorCode::conflict: return "conflict";
    case ErrorCode::does_not_add_up: return "does not add up";
    case ErrorCode::unsupported: return "not supported";
    case ErrorCode::damaged_file: return "damaged";
  }
  return "";
}

/// "configurations[4].ram.gb" -> the entry's id ("cat-05") and "ram.gb".
std::pair<std::string, std::string> entry_and_field(const CheckedFile& file, const std::string& where) {
  const std::size_t open_at = where.find('['), close_at = where.find(']');
  if (open_at == std::string::npos || close_at == std::string::npos) return {"-", where};
  std::size_t index = 0;
  for (std::size_t i = open_at + 1; i < close_at; ++i) {
    if (where[i] < '0' || where[i] > '9') return {"-", where};
    index = index * 10 + static_cast<std::size_t>(where[i] - '0');
  }
  std::string entry = where.substr(0, close_at + 1);
  const json::Value* const list = file.content.find(where.substr(0, open_at));
  if (list != nullptr && index < list->items().size()) {
    for (const std::string_view key : {"id", "name"}) {
      const json::Value* const id = list->items()[index].find(key);
      if (id == nullptr || id->text().empty()) continue;
      entry = id->text();
      break;
    }
  }
  std::string field = close_at + 2 <= where.size() ? where.substr(close_at + 2) : "-";
  return {std::move(entry), std::move(field)};
}

void print(const CheckedFile& file, const Error& fault, std::ostream& out) {
  const auto [entry, field] = entry_and_field(file, fault.where);
  out << file.name << ':' << fault.line << ": " << entry << ": " << (field.empty() ? "-" : field) << ": "
      << problem_of(fault.code);
  if (!fault.got.empty()) out << ", got " << fault.got;
  if (!fault.expected.empty()) out << "; expected " << fault.expected;
  if (fault.expected.empty() && fault.code == ErrorCode::unknown_field) out << "; remove it or correct its name";
  if (fault.expected.empty() && fault.code == ErrorCode::missing_field) out << "; add it";
  out << '\n';
}

}  // namespace

int check(std::span<const std::string_view> names, std::ostream& out, std::ostream& err) {
  if (names.empty()) {
    err << "usage: vram check FILE ...\n";
    return 2;
  }
  std::vector<CheckedFile> files;
  for (const std::string_view name : names) {
    files.push_back(open(name));
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
      CheckedFile& last = files.back();
      // Models may stand in several files.
      if (last.kind == nullptr || files[i].kind != last.kind || last.kind->key == "models") continue;
      last.faults.push_back(
          {ErrorCode::duplicate_field, "", std::string(last.kind->key), "one file of a kind at a time", 1});
      last.kind = nullptr;
    }
  }
  check_machines(files);
  for (CheckedFile& file : files) {
    if (!file.site.empty()) check_site(file);
    if (file.kind == nullptr) continue;
    if (file.kind->key == "models") (void)read_models(file.content, file.faults);
    if (file.kind->key == "constants") (void)read_constants(file.content, file.faults);
    if (file.kind->key == "jobs") (void)read_accuracy(file.content, file.faults);
    if (file.kind->key != "formulas") continue;
    if (const auto formulas = Formulas::read(file.content); !formulas) file.faults.push_back(formulas.error());
  }
  bool clean = true;
  for (CheckedFile& file : files) {
    std::stable_sort(file.faults.begin(), file.faults.end(),
                     [](const Error& a, const Error& b) { return a.line < b.line; });
    for (const Error& fault : file.faults) print(file, fault, out);
    clean = clean && file.faults.empty();
  }
  return clean ? 0 : 1;
}

}  // namespace vram::cli
