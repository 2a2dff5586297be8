// Reading the catalogue's files into one Catalog.
#include <algorithm>

#include "core/fit/evaluate.h"

namespace vram {
namespace {

/// The files in the order in which they are read, whatever order they come in: machines refer to GPUs and platforms.
enum class Kind : std::uint8_t { models, gpus, runtimes, platforms, configurations, tiers };
constexpr std::array<std::string_view, 6> kNames = {"models.json",    "gpus.json",           "runtimes.json",
                                                    "platforms.json", "configurations.json", "tiers.json"};

class Reader {
 public:
  explicit Reader(std::vector<CatalogFault>& faults) : faults_(&faults) {}

  void read(Kind kind, std::string_view name, std::string_view text) {
    const auto parsed = json::parse(text);
    std::vector<Error> faults;
    if (!parsed) {
      faults.push_back(parsed.error());
    } else {
      read(kind, *parsed, faults);
      note_date(*parsed);
    }
    report(name, faults);
  }

  Catalog take() {
    std::vector<Error> faults;
    check_references(catalog_.machines, catalog_.facts.gpus, faults);
    for (Error& fault : faults) {
      faults_->push_back({fault.where.starts_with("tiers") ? "tiers.json" : "configurations.json", std::move(fault)});
    }
    return std::move(catalog_);
  }

 private:
  void read(Kind kind, const json::Value& file, std::vector<Error>& faults) {
    switch (kind) {
      case Kind::models: catalog_.facts.models = read_models(file, faults); break;
      case Kind::gpus: catalog_.facts.gpus = read_gpus(file, faults); break;
      case Kind::runtimes: catalog_.facts.constants = read_constants(file, faults); break;
      case Kind::platforms: read_platforms(file, catalog_.machines, faults); break;
      case Kind::configurations: read_configurations(file, catalog_.machines, faults); break;
      case Kind::tiers: read_tiers(file, catalog_.machines, faults); break;
    }
  }
  void note_date(const json::Value& file) {
    const json::Value* const date = file.find("date");
    if (date != nullptr && date->text() > catalog_.date) catalog_.date = date->text();
  }
  void report(std::string_view name, std::vector<Error>& faults) {
    for (Error& fault : faults) faults_->push_back({std::string(name), std::move(fault)});
  }

  Catalog catalog_;
  std::vector<CatalogFault>* faults_;
};

}  // namespace

Catalog read_catalog(std::span<const CatalogFile> files, std::vector<CatalogFault>& faults) {
  Reader reader(faults);
  for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const CatalogFile& f) { return f.name == kNames[kind]; });
    if (found == files.end()) {
      faults.push_back(
          {std::string(kNames[kind]), {ErrorCode::missing_field, std::string(kNames[kind]), "", "this file", 0}});
    } else {
      reader.read(static_cast<Kind>(kind), found->name, found->text);
    }
  }
  return reader.take();
}

}  // namespace vram
