#include "core/scenario/gpu.h"

#include <algorithm>
#include <array>

#include "core/scenario/fact_reader.h"

namespace vram {
namespace {

constexpr std::array<std::string_view, 4> kVendors = {"NVIDIA", "AMD", "Intel", "Apple"};
constexpr std::array<std::string_view, 5> kClasses = {"gaming", "workstation", "server", "laptop", "unified"};
constexpr std::array<std::string_view, 17> kMemoryTypes = {"GDDR5",  "GDDR5X",  "GDDR6",  "GDDR6X", "GDDR7", "HBM2",
                                                           "HBM2e",  "HBM3",    "HBM3e",  "HBM4",   "LPDDR", "LPDDR4X",
                                                           "LPDDR5", "LPDDR5X", "LPDDR6", "DDR4",   "DDR5"};
constexpr std::array<std::string_view, 2> kMemoryKinds = {"dedicated", "unified"};
constexpr std::array<std::string_view, 5> kEccStates = {"none", "off", "on", "always", "unknown"};
constexpr std::array<std::string_view, 6> kCoolings = {"unknown", "open_air", "flow_through",
                                                       "blower",  "passive",  "liquid"};
constexpr std::array<std::string_view, 5> kForms = {"card", "laptop", "module", "mini_pc", "soc"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

/// "8.9" -> 89; 0 for text of another shape.
std::uint32_t read_compute_capability(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > 2 || text.size() != dot + 2) return 0;
  std::uint32_t value = 0;
  for (const char c : text) {
    if (c == '.') continue;
    if (c < '0' || c > '9') return 0;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return value;
}

/// A figure with one decimal as an integer: 2.5 -> 25.
std::uint32_t times_ten(double amount) { return static_cast<std::uint32_t>(amount * 10 + 0.5); }

/// GiB as the maker counts them; a tenth of a GiB is the finest step that exists.
Bytes gib(double amount) { return mul_div(kGiB, times_ten(amount), 10); }

/// What the driver reports can be neither more than the chips hold nor a small part of it: readings lie between 93.7 and
/// 100 % of the nominal size, unified memory above 70 %. A figure in another unit falls outside.
Bytes usable_figure(FactReader& reader, std::string_view key, Bytes nominal) {
  const Bytes figure = Bytes(reader.integer(key, 1, 16U << 20U, Presence::optional)) * kMiB;
  if (!figure || !nominal) return figure;
  if (figure > mul_div(nominal, 101, 100) || figure < nominal / 2) {
    const Count nominal_mib = nominal / kMiB;
    reader.fault(ErrorCode::out_of_range, key, std::to_string((figure / kMiB).value()),
                 std::to_string((nominal_mib / 2).value()) + " to " +
                     std::to_string(mul_div(nominal_mib, 101, 100).value()) + " MiB");
    return {};
  }
  return figure;
}

void read_memory(FactReader& reader, Gpu& gpu) {
  gpu.nominal = gib(reader.number("memory_gb", 1, 4096));
  if (const json::Value* const options = reader.list("memory_options_gb", 1, Presence::optional)) {
    const bool sizes = std::all_of(options->items().begin(), options->items().end(), [](const json::Value& size) {
      return size.integer() >= 1 && size.integer() <= 4096;
    });
    if (!sizes)
      reader.fault(ErrorCode::wrong_type, "memory_options_gb", json::brief(*options), "a list of sizes in GB");
  }
  gpu.memory_type = kMemoryTypes[reader.choice("memory_type", kMemoryTypes, 0)];
  gpu.memory_kind = static_cast<MemoryKind>(reader.choice("memory_kind", kMemoryKinds, 0, Presence::optional));
  gpu.ecc = static_cast<Ecc>(reader.choice("ecc", kEccStates, 0));
  gpu.in_band_ecc = gpu.memory_type.starts_with("GDDR6") && (gpu.ecc == Ecc::off || gpu.ecc == Ecc::on);
  reader.text("memory_note", Presence::optional);
  const Bytes reported = usable_figure(reader, "memory_reported_mib", gpu.nominal);
  const Bytes planned = usable_figure(reader, "memory_usable_mib", gpu.nominal);
  gpu.usable_windows = usable_figure(reader, "memory_usable_windows_mib", gpu.nominal);
  if (reported && planned) {
    reader.fault(ErrorCode::conflict, "memory_usable_mib", std::to_string((planned / kMiB).value()),
                 "memory_reported_mib");
  }
  gpu.usable_derived = !reported;
  gpu.usable = reported ? reported : planned ? planned : derived_usable(gpu);
}

void read_board(FactReader& reader, Gpu& gpu) {
  gpu.bandwidth_gb_s = reader.number("bandwidth_gb_s", 1, 100000);
  gpu.board_power_w = reader.integer("board_power_w", 1, 5000);
  gpu.power_connector = reader.text("power_connector", Presence::optional);
  gpu.form_factor = kForms[reader.choice("form_factor", kForms, 0)];
  const bool card = gpu.form_factor == "card";
  const bool plugged = card || gpu.form_factor == "module" || gpu.form_factor == "laptop";
  gpu.slot_width_x10 = times_ten(reader.number("slot_width", 1, 6, Presence::optional));
  if (card && gpu.slot_width_x10 == 0) gpu.slot_width_x10 = 20;
  if (!card && gpu.slot_width_x10 != 0) reader.fault(ErrorCode::conflict, "slot_width", "", "form_factor");
  const Presence link = plugged ? Presence::required : Presence::optional;
  gpu.pcie_gen_x10 = times_ten(reader.number("pcie_gen", 1, 8, link));
  gpu.pcie_lanes = reader.integer("pcie_lanes", 1, 16, link);
  gpu.cooling = static_cast<Cooling>(reader.choice("cooling", kCoolings, 0, Presence::optional));
  gpu.vendor_min_psu_w = reader.integer("vendor_min_psu_w", 100, 5000, Presence::optional);
  gpu.display_outputs = reader.flag("display_outputs", true);
  gpu.nvlink = reader.flag("nvlink", false);
  gpu.peer_over_pcie = reader.maybe("peer_over_pcie");
  if (reader.any("devices_per_card") != nullptr) gpu.devices_per_card = reader.integer("devices_per_card", 1, 16);
}

void read_features(FactReader& reader, Gpu& gpu) {
  gpu.architecture = reader.text("architecture");
  const std::string capability = reader.text("compute_capability", Presence::optional);
  gpu.compute_capability = read_compute_capability(capability);
  if (!capability.empty() && gpu.compute_capability == 0) {
    reader.fault(ErrorCode::out_of_range, "compute_capability", capability, "a text such as \"8.9\"");
  }
  if (gpu.vendor == "NVIDIA" && capability.empty()) {
    reader.fault(ErrorCode::missing_field, "compute_capability", "", "a text such as \"8.9\"");
  }
  reader.text("target", Presence::optional);
  gpu.generation = generation_of(gpu.vendor, gpu.architecture, gpu.compute_capability, gpu.memory_kind);
  gpu.has_bf16 = gpu.has_fp8 = gpu.has_fp4 = false;
  for (const std::string& format : reader.texts("formats")) {
    if (format == "bf16") {
      gpu.has_bf16 = true;
    } else if (format == "fp8") {
      gpu.has_fp8 = true;
    } else if (format == "fp4") {
      gpu.has_fp4 = true;
    } else {
      reader.fault(ErrorCode::unknown_choice, "formats", format, "bf16, fp8, fp4");
    }
  }
}

void read_sources(FactReader& reader, const json::Value& entry, Gpu& gpu) {
  reader.text("source", Presence::optional);
  if (const json::Value* const sources = reader.any("sources")) {
    for (const json::Member& source : sources->members()) {
      if (!source.value.is(json::Kind::string)) {
        reader.fault(ErrorCode::wrong_type, "sources", json::brief(source.value), "string");
      } else if (entry.find(source.key) == nullptr) {
        reader.fault(ErrorCode::unknown_field, "sources", source.key, "a field of this entry");
      }
    }
  }
  gpu.verified = reader.texts("unverified").empty();
}

/// Length of the longest run of characters that both share, the measure of "did you mean".
std::size_t longest_common_run(std::string_view a, std::string_view b) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t run = 0;
      while (i + run < a.size() && j + run < b.size() && lower(a[i + run]) == lower(b[j + run])) ++run;
      longest = std::max(longest, run);
    }
  }
  return longest;
}

}  // namespace

GpuGeneration generation_of(std::string_view vendor, std::string_view architecture, std::uint32_t compute_capability,
                            MemoryKind memory_kind) {
  if (vendor == "Apple") return GpuGeneration::apple;
  if (vendor == "Intel") return GpuGeneration::intel;
  if (vendor == "AMD") {
    if (memory_kind == MemoryKind::unified) return GpuGeneration::unified_amd;
    if (architecture.starts_with("RDNA")) return GpuGeneration::rdna;
    return architecture.starts_with("CDNA") ? GpuGeneration::cdna : GpuGeneration::unknown;
  }
  if (memory_kind == MemoryKind::unified) return GpuGeneration::unified_nvidia;
  switch (compute_capability) {
    case 60:
    case 61:
    case 62: return GpuGeneration::pascal;
    case 70:
    case 72: return GpuGeneration::volta;
    case 75: return GpuGeneration::turing;
    case 80: return GpuGeneration::ampere_datacenter;
    case 86:
    case 87: return GpuGeneration::ampere;
    case 89: return GpuGeneration::ada;
    case 90: return GpuGeneration::hopper;
    case 100:
    case 103: return GpuGeneration::blackwell_datacenter;
    case 120:
    case 121: return GpuGeneration::blackwell;
    default: return GpuGeneration::unknown;
  }
}

Bytes derived_usable(const Gpu& gpu) {
  if (gpu.vendor == "Apple") return mul_div(gpu.nominal, 75, 100);
  if (gpu.memory_type == "GDDR7") return mul_div(gpu.nominal, 995, 1000);
  if (gpu.memory_type.starts_with("GDDR")) {
    return gpu.in_band_ecc && gpu.ecc == Ecc::on ? mul_div(gpu.nominal, 15, 16) : gpu.nominal;
  }
  if (gpu.memory_type.starts_with("HBM")) return mul_div(gpu.nominal, 996, 1000);
  return mul_div(gpu.nominal, 15, 16);
}

std::shared_ptr<const Gpu> GpuCatalogue::find(std::string_view id) const {
  for (const auto& gpu : gpus) {
    if (equal_ignoring_case(gpu->id, id)) return gpu;
  }
  for (const auto& gpu : gpus) {
    for (const std::string& alias : gpu->aliases) {
      if (equal_ignoring_case(alias, id)) return gpu;
    }
  }
  return nullptr;
}

std::vector<std::string_view> GpuCatalogue::similar(std::string_view id, std::size_t limit) const {
  struct Scored {
    std::size_t run, length;
    std::string_view id;
  };
  std::vector<Scored> scored;
  const std::string_view asked = id.substr(0, 64);
  for (const auto& gpu : gpus) {
    const std::size_t run = longest_common_run(asked, gpu->id);
    if (run >= 3) scored.push_back({run, gpu->id.size(), gpu->id});
  }
  std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return a.run != b.run ? a.run > b.run : a.length < b.length;
  });
  std::vector<std::string_view> ids;
  for (const Scored& candidate : scored) {
    if (ids.size() == limit) break;
    ids.push_back(candidate.id);
  }
  return ids;
}

GpuCatalogue read_gpus(const json::Value& file, std::vector<Error>& faults) {
  GpuCatalogue catalogue;
  for_each_entry(file, "gpus", faults, [&](const json::Value& entry, const std::string& path) {
    FactReader reader(entry, path, faults);
    Gpu gpu;
    gpu.id = reader.id("id");
    gpu.aliases = reader.texts("aliases");
    gpu.name = reader.text("name");
    gpu.vendor = kVendors[reader.choice("vendor", kVendors, 0)];
    gpu.klass = kClasses[reader.choice("class", kClasses, 0)];
    gpu.launch_year = reader.integer("launch_year", 2010, 2100);
    read_memory(reader, gpu);
    read_board(reader, gpu);
    read_features(reader, gpu);
    read_sources(reader, entry, gpu);
    reader.finish();
    if (!gpu.id.empty() && catalogue.find(gpu.id) != nullptr) {
      reader.fault(ErrorCode::duplicate_field, "id", gpu.id, "an id that no other entry has");
    }
    for (const std::string& alias : gpu.aliases) {
      if (catalogue.find(alias) != nullptr) {
        reader.fault(ErrorCode::duplicate_field, "aliases", alias, "a name that no other entry has");
      }
    }
    if (reader.ok()) catalogue.gpus.push_back(std::make_shared<const Gpu>(std::move(gpu)));
  });
  return catalogue;
}

}  // namespace vram
