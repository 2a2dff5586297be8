// The catalogue's list of models and its names.
#include <algorithm>
#include <unordered_set>

#include "core/model/read_model.h"

namespace vram {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

/// The name without one ending that marks a variant of the same shape (api.md, "Ids"); empty when it has none.
std::string_view without_variant(std::string_view name) {
  for (const std::string_view ending : {"-instruct", "-it", "-chat", "-base", "-hf", "-pt"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

/// Pairs of neighbouring characters the two names share, twice, over all pairs: 0 unlike, 1 equal (Dice).
double likeness(std::string_view a, std::string_view b) {
  if (a.size() < 2 || b.size() < 2) return a == b ? 1 : 0;
  std::size_t shared = 0;
  std::vector<bool> used(b.size());
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    for (std::size_t j = 0; j + 1 < b.size(); ++j) {
      if (!used[j] && a[i] == b[j] && a[i + 1] == b[j + 1]) {
        used[j] = true;
        ++shared;
        break;
      }
    }
  }
  return 2.0 * static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - 2);
}

constexpr std::size_t kLongestName = 200;

Error fault(ErrorCode code, std::string where, std::string got, std::string expected, const json::Value& at) {
  return Error{code, std::move(where), std::move(got), std::move(expected), at.line()};
}

}  // namespace

void ModelCatalogue::index() {
  names.clear();
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto model = static_cast<std::uint32_t>(i);
    names.push_back({lower(models[i]->id), model, 0});
    for (const std::string& alias : models[i]->aliases) {
      names.push_back({lower(alias), model, 1});
      if (const std::string_view tail = last_part(alias); tail.size() != alias.size()) {
        names.push_back({lower(tail), model, 2});
      }
    }
  }
  std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) {
    if (a.name != b.name) return a.name < b.name;
    return a.rank != b.rank ? a.rank < b.rank : a.model < b.model;
  });
}

std::shared_ptr<const Model> ModelCatalogue::find(std::string_view name) const {
  const auto exact = [this](std::string_view wanted) -> std::shared_ptr<const Model> {
    const auto found = std::lower_bound(names.begin(), names.end(), wanted,
                                        [](const Name& entry, std::string_view key) { return entry.name < key; });
    return found != names.end() && found->name == wanted ? models[found->model] : nullptr;
  };
  const std::string wanted = lower(name.substr(0, kLongestName));
  if (std::shared_ptr<const Model> model = exact(wanted)) return model;
  // Another organisation's copy, then variants of the same shape.
  for (std::string_view tail = last_part(wanted); !tail.empty(); tail = without_variant(tail)) {
    if (std::shared_ptr<const Model> model = exact(tail)) return model;
  }
  return nullptr;
}

std::vector<std::string_view> ModelCatalogue::similar(std::string_view name, std::size_t limit) const {
  const std::string wanted = lower(last_part(name.substr(0, kLongestName)));
  struct Scored {
    double score;
    std::uint32_t model;
  };
  std::vector<Scored> best(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) best[i] = {0, static_cast<std::uint32_t>(i)};
  for (const Name& entry : names) {
    best[entry.model].score = std::max(best[entry.model].score, likeness(wanted, last_part(entry.name)));
  }
  std::stable_sort(best.begin(), best.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  constexpr double kLeastLikeness = 0.4;
  std::vector<std::string_view> ids;
  for (const Scored& candidate : best) {
    if (ids.size() >= limit || candidate.score < kLeastLikeness) break;
    ids.push_back(models[candidate.model]->id);
  }
  return ids;
}

void append_models(const json::Value& file, ModelCatalogue& catalogue, std::vector<Error>& faults) {
  const json::Value* list = file.find("models");
  if (list == nullptr || !list->is(json::Kind::array)) {
    faults.push_back(fault(ErrorCode::missing_field, "models", "", "list of models", file));
    return;
  }
  std::shared_ptr<const vision::Library> library;
  if (const json::Value* const blocks = file.find("blocks")) {
    auto read = vision::read_library(*blocks, "blocks");
    if (!read) {
      faults.push_back(read.error());
      return;
    }
    library = std::move(*read);
  }
  std::unordered_set<std::string> taken;
  for (const ModelCatalogue::Name& name : catalogue.names) {
    if (name.rank < 2) taken.insert(name.name);
  }
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    const json::Value& entry = list->items()[i];
    const std::string path = "models[" + std::to_string(i) + "]";
    Result<Model> read = read_model(entry, path, true, library);
    if (!read) {
      faults.push_back(read.error());
      continue;
    }
    Model& model = *read;
    if (model.id.empty()) {
      faults.push_back(fault(ErrorCode::missing_field, path + ".id", "", "", entry));
      continue;
    }
    if (model.published_parameters && model.published_parameters != model.parameters) {
      faults.push_back(fault(ErrorCode::does_not_add_up, path + ".params_total",
                             std::to_string(model.published_parameters.value()),
                             std::to_string(model.parameters.value()), entry));
      continue;
    }
    std::vector<std::string> own = {lower(model.id)};
    for (const std::string& alias : model.aliases) own.push_back(lower(alias));
    const auto repeated =
        std::find_if(own.begin(), own.end(), [&](const std::string& name) { return taken.contains(name); });
    if (repeated != own.end()) {
      faults.push_back(fault(ErrorCode::duplicate_field, path + ".id", *repeated, "a name of its own", entry));
      continue;
    }
    taken.insert(own.begin(), own.end());
    catalogue.models.push_back(std::make_shared<const Model>(std::move(model)));
  }
  catalogue.index();
}

ModelCatalogue read_models(const json::Value& file, std::vector<Error>& faults) {
  ModelCatalogue catalogue;
  append_models(file, catalogue, faults);
  return catalogue;
}

}  // namespace vram
