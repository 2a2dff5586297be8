// Reading the catalogue's files into one Catalog.
#include <algorithm>

#include "core/fit/evaluate.h"

namespace vram {
namespace {

/// The files in the order in which they are read, whatever order they come in: machines refer to GPUs and platforms.
enum class Kind : std::uint8_t {
  models,
  gpus,
  runtimes,
  platforms,
  configurations,
  tiers,
  accuracy,
  vision_models,
  diffusion_models
};
constexpr std::array<std::string_view, 9> kNames = {"models.json",    "gpus.json",           "runtimes.json",
                                                    "platforms.json", "configurations.json", "tiers.json",
                                                    "accuracy.json",  "vision_models.json",  "diffusion_models.json"};

/// The list that a file of that kind holds.
constexpr std::array<std::string_view, 6> kLists = {"models",    "gpus",           "constants",
                                                    "platforms", "configurations", "tiers"};

template <class List, class Same>
void merge(List& into, List&& from, bool replace, const Same& same) {
  if (replace) into.clear();
  for (auto& entry : from) {
    const auto found = std::find_if(into.begin(), into.end(), [&](const auto& other) { return same(entry, other); });
    if (found == into.end()) {
      into.push_back(std::move(entry));
    } else {
      *found = std::move(entry);
    }
  }
}

constexpr auto kSameId = [](const auto& a, const auto& b) { return a.id == b.id; };
constexpr auto kSamePointedId = [](const auto& a, const auto& b) { return a->id == b->id; };

/// Does the site's file put its list in the place of the shipped one? "replace": true, or a list of names.
bool replaces(const json::Value& site, std::string_view list) {
  const json::Value* const replace = site.find("replace");
  if (replace == nullptr) return false;
  if (replace->is(json::Kind::boolean)) return replace->boolean();
  return std::any_of(replace->items().begin(), replace->items().end(),
                     [&](const json::Value& name) { return name.text() == list; });
}

/// The one list of a site's file as a file of its own, which the readers of the shipped files take.
json::Value only(const json::Value& site, std::string_view list) {
  json::Value file = json::Value::object();
  file.set(list, *site.find(list));
  return file;
}

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

  void read_site(std::string_view text) {
    const auto parsed = json::parse(text);
    std::vector<Error> faults;
    if (!parsed) {
      faults.push_back(parsed.error());
    } else if (!parsed->is(json::Kind::object)) {
      faults.push_back({ErrorCode::wrong_type, "", std::string(json::name_of(parsed->kind())), "object", 1});
    } else {
      merge_site(*parsed, faults);
      note_date(*parsed);
    }
    report(kSiteFile, faults);
    site_ = true;
  }

  Catalog take() {
    std::vector<Error> faults;
    check_references(catalog_.machines, catalog_.facts.gpus, faults);
    for (Error& fault : faults) {
      const std::string_view shipped = fault.where.starts_with("tiers") ? "tiers.json" : "configurations.json";
      faults_->push_back({std::string(site_ ? kSiteFile : shipped), std::move(fault)});
    }
    std::vector<Tier>& tiers = catalog_.machines.tiers;
    std::stable_sort(tiers.begin(), tiers.end(), [](const Tier& a, const Tier& b) { return a.usable < b.usable; });
    return std::move(catalog_);
  }

 private:
  void read(Kind kind, const json::Value& file, std::vector<Error>& faults) {
    switch (kind) {
      case Kind::models: catalog_.facts.models = read_models(file, faults); break;
      case Kind::vision_models:
      case Kind::diffusion_models: append_models(file, catalog_.facts.models, faults); break;
      case Kind::gpus: catalog_.facts.gpus = read_gpus(file, faults); break;
      case Kind::runtimes: catalog_.facts.constants = read_constants(file, faults); break;
      case Kind::platforms: read_platforms(file, catalog_.machines, faults); break;
      case Kind::configurations: read_configurations(file, catalog_.machines, faults); break;
      case Kind::tiers: read_tiers(file, catalog_.machines, faults); break;
      case Kind::accuracy: catalog_.accuracy = read_accuracy(file, faults); break;
    }
  }

  void merge_site(const json::Value& site, std::vector<Error>& faults) {
    for (const json::Member& member : site.members()) check_member(member, faults);
    MachineCatalogue machines;
    for (std::size_t i = 0; i < kLists.size(); ++i) {
      const json::Value* const list = site.find(kLists[i]);
      if (list == nullptr || !list->is(json::Kind::array)) continue;
      const json::Value file = only(site, kLists[i]);
      const bool replace = replaces(site, kLists[i]);
      Facts& facts = catalog_.facts;
      switch (static_cast<Kind>(i)) {
        case Kind::models:
          merge(facts.models.models, read_models(file, faults).models, replace, kSamePointedId);
          facts.models.index();
          break;
        case Kind::gpus: merge(facts.gpus.gpus, read_gpus(file, faults).gpus, replace, kSamePointedId); break;
        case Kind::runtimes:
        case Kind::accuracy:
        case Kind::vision_models:
        case Kind::diffusion_models: break;
        case Kind::platforms:
          read_platforms(file, machines, faults);
          merge(catalog_.machines.platforms, std::move(machines.platforms), replace, kSameId);
          break;
        case Kind::configurations:
          read_configurations(file, machines, faults);
          merge(catalog_.machines.configurations, std::move(machines.configurations), replace, kSameId);
          break;
        case Kind::tiers:
          read_tiers(file, machines, faults);
          merge(catalog_.machines.tiers, std::move(machines.tiers), replace, kSameId);
          break;
      }
    }
  }

  /// A member that is none of a site's file, or a list that is none.
  static void check_member(const json::Member& member, std::vector<Error>& faults) {
    static constexpr std::array<std::string_view, 6> kOthers = {"$schema",       "date",    "note",
                                                                "source_legend", "replace", "texts"};
    const auto is = [&](std::string_view name) { return name == member.key; };
    const bool list = std::any_of(kLists.begin(), kLists.end(), is) && member.key != "constants";
    if (list && !member.value.is(json::Kind::array)) {
      faults.push_back({ErrorCode::wrong_type, member.key, json::brief(member.value), "list", member.value.line()});
    }
    if (list || std::any_of(kOthers.begin(), kOthers.end(), is)) return;
    faults.push_back({ErrorCode::unknown_field, member.key, json::brief(member.value),
                      "models, gpus, platforms, configurations, tiers, texts, replace", member.value.line()});
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
  bool site_ = false;
};

void read_shipped(std::span<const CatalogFile> files, Reader& reader, std::vector<CatalogFault>& faults) {
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
}

}  // namespace

Catalog read_catalog(std::span<const CatalogFile> files, std::vector<CatalogFault>& faults) {
  Reader reader(faults);
  read_shipped(files, reader, faults);
  return reader.take();
}

Catalog read_catalog(std::span<const CatalogFile> files, std::string_view site, std::vector<CatalogFault>& faults) {
  Reader reader(faults);
  read_shipped(files, reader, faults);
  reader.read_site(site);
  return reader.take();
}

}  // namespace vram
