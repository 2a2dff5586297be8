#include "core/scenario/constants.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vram {
namespace {

struct ConstantRow {
  std::string_view name;
  bool bytes;
};

constexpr std::array<ConstantRow, kConstantCount> kRows = {{
    {"context", true},
    {"context_bare", true},
    {"cublas_workspace", true},
    {"fragmentation_inference", false},
    {"fragmentation_training", false},
    {"cached_training", false},
    {"communicator", true},
    {"margin_share", false},
    {"margin_floor", true},
    {"display_desktop_linux", true},
    {"display_desktop_windows", true},
    {"display_cad", true},
    {"display_render", true},
    {"os_reserve_windows", true},
    {"activation_inference", false},
    {"compute_buffer", false},
    {"activation_training", false},
    {"compile_activations", false},
    {"cuda_graphs", true},
    {"cuda_graphs_per_layer", true},
    {"non_torch", true},
    {"reserved_by_default", false},
    {"cudnn_workspace", true},
    {"sampler_per_logit", false},
    {"sampler_fixed", true},
    {"profile_activations", false},
    {"cuda_graphs_experts", false},
    {"communicator_forward", true},
    {"compute_buffer_offloaded", false},
    {"kernel_pool", true},
    {"driver_reserve", true},
    {"os_budget_windows", false},
    {"logits_training", false},
    {"cached_sharded", false},
    {"band_weights", false},
    {"band_weights_quantised", false},
    {"band_cache", false},
    {"stretch_allocated_below", false},
    {"stretch_allocated_above", false},
    {"stretch_outside_below", false},
    {"stretch_outside_above", false},
}};

constexpr std::array<std::string_view, 16> kGenerationNames = {"unknown",
                                                               "pascal",
                                                               "volta",
                                                               "turing",
                                                               "ampere_datacenter",
                                                               "ampere",
                                                               "ada",
                                                               "hopper",
                                                               "blackwell_datacenter",
                                                               "blackwell",
                                                               "rdna",
                                                               "cdna",
                                                               "intel",
                                                               "unified_nvidia",
                                                               "unified_amd",
                                                               "apple"};
static_assert(static_cast<std::size_t>(GpuGeneration::apple) + 1 == kGenerationNames.size());

constexpr std::uint64_t kPartMax = (std::uint64_t{1} << 20U) - 1;

template <std::size_t N>
std::optional<std::size_t> index_in(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// Up to three numbers of "v0.19.1", how many there are.
std::uint32_t version_parts(std::string_view text, std::array<std::uint32_t, 3>& parts) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t at = 0;
  while (at < text.size() && !digit(text[at])) ++at;
  std::uint32_t count = 0;
  while (count < parts.size() && at < text.size() && digit(text[at])) {
    std::uint64_t part = 0;
    for (; at < text.size() && digit(text[at]); ++at) {
      part = std::min(part * 10 + static_cast<std::uint64_t>(text[at] - '0'), kPartMax);
    }
    parts[count++] = static_cast<std::uint32_t>(part);
    if (at >= text.size() || text[at] != '.') break;
    ++at;
  }
  return count;
}

/// The least or greatest rank that a version text such as "0.19" covers.
std::optional<std::uint64_t> rank_of(std::string_view text, bool upper) {
  std::array<std::uint32_t, 3> parts{};
  const std::uint32_t count = version_parts(text, parts);
  if (count == 0) return std::nullopt;
  const std::uint64_t rest = upper ? kPartMax : 0;
  const std::uint64_t minor = count > 1 ? parts[1] : rest;
  const std::uint64_t patch = count > 2 ? parts[2] : rest;
  return (std::uint64_t{parts[0]} << 40U) | (minor << 20U) | patch;
}

/// Reads one entry of the file, which may name several runtimes and generations.
class EntryReader {
 public:
  EntryReader(std::string path, std::vector<Error>& faults) : path_(std::move(path)), faults_(faults) {}

  void read(const json::Value& value, std::vector<ConstantEntry>& into) {
    if (!value.is(json::Kind::object)) return fault(ErrorCode::wrong_type, "", value, "object");
    for (const json::Member& member : value.members()) {
      static constexpr std::array<std::string_view, 11> kKeys = {"constant", "runtime", "generation", "versions",
                                                                 "unit",     "low",     "expected",   "high",
                                                                 "source",   "note",    "basis"};
      if (!index_in(kKeys, member.key)) return fault(ErrorCode::unknown_field, member.key, member.value, "");
    }
    ConstantEntry entry;
    const json::Value* name = value.find("constant");
    if (name == nullptr) return missing("constant", value);
    const auto row =
        std::find_if(kRows.begin(), kRows.end(), [&](const ConstantRow& r) { return r.name == name->text(); });
    if (row == kRows.end()) return fault(ErrorCode::unknown_id, "constant", *name, "");
    entry.constant = static_cast<std::uint8_t>(row - kRows.begin());
    const json::Value* source = value.find("source");
    if (source == nullptr || source->text().empty()) return missing("source", value);
    entry.source = source->text();
    if (!read_versions(value, entry) || !read_amounts(value, row->bytes, entry)) return;

    std::vector<std::size_t> runtimes;
    std::vector<std::size_t> generations;
    if (!read_names(value, "runtime", kRuntimeNames, runtimes)) return;
    if (!read_names(value, "generation", kGenerationNames, generations)) return;
    entry.any_runtime = runtimes.empty();
    entry.any_generation = generations.empty();
    if (runtimes.empty()) runtimes.push_back(0);
    if (generations.empty()) generations.push_back(0);
    for (const std::size_t runtime : runtimes) {
      for (const std::size_t generation : generations) {
        entry.runtime = static_cast<RuntimeId>(runtime);
        entry.generation = static_cast<GpuGeneration>(generation);
        into.push_back(entry);
      }
    }
  }

 private:
  void fault(ErrorCode code, std::string_view key, const json::Value& value, std::string expected) {
    std::string where = path_;
    if (!key.empty()) where.append(".").append(key);
    faults_.push_back({code, std::move(where), json::brief(value), std::move(expected), value.line()});
  }
  void missing(std::string_view key, const json::Value& value) {
    faults_.push_back({ErrorCode::missing_field, path_ + "." + std::string(key), "", "", value.line()});
  }

  /// A name, a list of names, or "*" for all (also when the key is absent); `out` stays empty for all.
  template <std::size_t N>
  bool read_names(const json::Value& value, std::string_view key, const std::array<std::string_view, N>& names,
                  std::vector<std::size_t>& out) {
    const json::Value* given = value.find(key);
    if (given == nullptr || given->text() == "*") return true;
    const bool list = given->is(json::Kind::array);
    if (list && given->items().empty()) {
      fault(ErrorCode::wrong_type, key, *given, "a name, a list of names or \"*\"");
      return false;
    }
    for (std::size_t i = 0; i < (list ? given->items().size() : 1); ++i) {
      const json::Value& name = list ? given->items()[i] : *given;
      const auto index = index_in(names, name.text());
      if (!index) {
        fault(ErrorCode::unknown_choice, key, name, "");
        return false;
      }
      out.push_back(*index);
    }
    return true;
  }

  bool read_versions(const json::Value& value, ConstantEntry& entry) {
    const json::Value* versions = value.find("versions");
    if (versions == nullptr) return true;
    for (const json::Member& member : versions->members()) {
      const bool upper = member.key == "to";
      const auto rank = rank_of(member.value.text(), upper);
      if ((!upper && member.key != "from") || !rank) {
        fault(ErrorCode::wrong_type, "versions", *versions, "{\"from\": \"0.17\", \"to\": \"0.20\"}");
        return false;
      }
      (upper ? entry.to_version : entry.from_version) = *rank;
    }
    return true;
  }

  bool read_amounts(const json::Value& value, bool bytes, ConstantEntry& entry) {
    double unit = 1;
    if (bytes) {
      const json::Value* given = value.find("unit");
      if (given == nullptr) return missing("unit", value), false;
      if (given->text() == "MiB") {
        unit = kMiB.as_double();
      } else if (given->text() != "B") {
        return fault(ErrorCode::unknown_choice, "unit", *given, "B, MiB"), false;
      }
    } else if (const json::Value* given = value.find("unit"); given != nullptr) {
      return fault(ErrorCode::unknown_field, "unit", *given, ""), false;
    }
    std::array<double, 3> amounts{};
    static constexpr std::array<std::string_view, 3> kNames = {"low", "expected", "high"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const json::Value* given = value.find(kNames[i]);
      if (given == nullptr) return missing(kNames[i], value), false;
      if (!given->is_numeric()) return fault(ErrorCode::wrong_type, kNames[i], *given, "number"), false;
      amounts[i] = given->number();
      const double least = i == 0 ? 0 : amounts[i - 1];
      if (!(amounts[i] >= least)) {
        return fault(ErrorCode::out_of_range, kNames[i], *given, "0 <= low <= expected <= high"), false;
      }
    }
    if (bytes) {
      entry.bytes = {scaled(1, amounts[0] * unit), scaled(1, amounts[1] * unit), scaled(1, amounts[2] * unit)};
    } else {
      entry.factor = {amounts[0], amounts[1], amounts[2]};
    }
    return true;
  }

  std::string path_;
  std::vector<Error>& faults_;
};

bool holds_everywhere(const ConstantEntry& entry) {
  return entry.any_runtime && entry.any_generation && entry.from_version == 0 && entry.to_version == ~std::uint64_t{0};
}

bool same_range(const ConstantEntry& a, const ConstantEntry& b) {
  return a.constant == b.constant && a.any_runtime == b.any_runtime && a.any_generation == b.any_generation &&
         a.runtime == b.runtime && a.generation == b.generation && a.from_version == b.from_version &&
         a.to_version == b.to_version;
}

}  // namespace

std::string_view name_of(Constant constant) { return kRows[static_cast<std::size_t>(constant)].name; }

bool is_bytes(Constant constant) { return kRows[static_cast<std::size_t>(constant)].bytes; }

Version parse_version(std::string_view text) {
  std::array<std::uint32_t, 3> parts{};
  if (version_parts(text, parts) == 0) return {};
  return {parts[0], parts[1], parts[2], false};
}

ResolvedConstants ConstantTable::resolve(RuntimeId runtime, Version version, GpuGeneration generation) const {
  ResolvedConstants resolved;
  resolved.entries = entries;
  resolved.sources.fill("");
  if (entries == nullptr) return resolved;
  std::array<int, kMaxConstants> best{};
  best.fill(-1);
  const std::uint64_t rank = version.rank();
  for (const ConstantEntry& entry : *entries) {
    if (!entry.any_runtime && entry.runtime != runtime) continue;
    if (!entry.any_generation && entry.generation != generation) continue;
    if (rank < entry.from_version || rank > entry.to_version) continue;
    const bool ranged = entry.from_version != 0 || entry.to_version != ~std::uint64_t{0};
    const int weight = (entry.any_runtime ? 0 : 4) + (entry.any_generation ? 0 : 2) + (ranged ? 1 : 0);
    if (weight < best[entry.constant]) continue;
    best[entry.constant] = weight;
    resolved.bytes[entry.constant] = entry.bytes;
    resolved.factors[entry.constant] = entry.factor;
    resolved.sources[entry.constant] = entry.source.c_str();
  }
  return resolved;
}

ConstantTable read_constants(const json::Value& file, std::vector<Error>& faults) {
  std::vector<ConstantEntry> entries;
  const json::Value* list = file.find("constants");
  if (list == nullptr || !list->is(json::Kind::array)) {
    faults.push_back({list == nullptr ? ErrorCode::missing_field : ErrorCode::wrong_type, "constants",
                      list == nullptr ? "" : json::brief(*list), "list", file.line()});
    return {std::make_shared<const std::vector<ConstantEntry>>()};
  }
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    const json::Value& item = list->items()[i];
    const std::string path = "constants[" + std::to_string(i) + "]";
    const std::size_t before = entries.size();
    EntryReader(path, faults).read(item, entries);
    for (std::size_t added = before; added < entries.size(); ++added) {
      const auto end = entries.begin() + static_cast<std::ptrdiff_t>(before);
      const auto twin =
          std::find_if(entries.begin(), end, [&](const auto& e) { return same_range(e, entries[added]); });
      if (twin == end) continue;
      faults.push_back({ErrorCode::duplicate_field, path, std::string(kRows[entries[added].constant].name),
                        "one entry per runtime, generation and version range", item.line()});
      entries.resize(before);
      break;
    }
  }
  for (std::size_t i = 0; i < kConstantCount; ++i) {
    const bool complete = std::any_of(entries.begin(), entries.end(), [&](const ConstantEntry& entry) {
      return entry.constant == i && holds_everywhere(entry);
    });
    if (!complete) {
      faults.push_back({ErrorCode::missing_field, "constants", std::string(kRows[i].name),
                        "an entry for every runtime, generation and version", file.line()});
    }
  }
  return {std::make_shared<const std::vector<ConstantEntry>>(std::move(entries))};
}

}  // namespace vram
