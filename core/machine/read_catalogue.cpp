// Reading catalog/platforms.json, configurations.json and tiers.json.
#include <algorithm>
#include <array>

#include "core/machine/catalogue.h"
#include "core/scenario/fact_reader.h"

namespace vram {
namespace {

constexpr std::array<std::string_view, 4> kSegments = {"desktop", "hedt", "workstation", "server"};
constexpr std::array<std::string_view, 3> kEcc = {"none", "optional", "always"};
constexpr std::array<std::string_view, 3> kRamTypes = {"UDIMM", "UDIMM ECC", "RDIMM ECC"};
constexpr std::array<std::string_view, 2> kRoles = {"os", "data"};
constexpr std::array<std::string_view, 2> kInputs = {"100-240V", "200-240V"};
constexpr std::array<std::string_view, 3> kChassis = {"compact", "tower", "rack"};

std::string at(const std::string& path, std::string_view key, std::size_t index) {
  return path + '.' + std::string(key) + '[' + std::to_string(index) + ']';
}

/// {"en": "...", "pt": "..."}; English is the fallback and therefore required.
LocalText read_text(FactReader& parent, std::string_view key, Presence presence) {
  LocalText text;
  const json::Value* const value = parent.any(key);
  if (value == nullptr) {
    if (presence == Presence::required) parent.fault(ErrorCode::missing_field, key, "", "{\"en\": ...}");
    return text;
  }
  for (const json::Member& member : value->members()) {
    const bool language = (member.key.size() == 2 || (member.key.size() == 5 && member.key[2] == '-'));
    if (!language || !member.value.is(json::Kind::string) || member.value.text().empty()) {
      parent.fault(ErrorCode::wrong_type, key, member.key + ": " + json::brief(member.value),
                   "a text per language, such as \"en\", \"pt\", \"it\"");
    } else {
      text.by_language.emplace_back(member.key, member.value.text());
    }
  }
  if (value->find("en") == nullptr) parent.fault(ErrorCode::missing_field, key, json::brief(*value), "\"en\"");
  return text;
}

void read_gpus_of(FactReader& reader, Configuration& machine, std::vector<Error>& faults) {
  const json::Value* const gpus = reader.list("gpus", 1);
  if (gpus == nullptr) return;
  for (std::size_t i = 0; i < gpus->items().size(); ++i) {
    FactReader row(gpus->items()[i], at(reader.path(), "gpus", i), faults);
    ConfigurationGpus cards;
    cards.gpu_id = row.text("gpu");
    cards.count = row.integer("count", 1, 16);
    cards.lanes_wired = row.integer("lanes", 1, 16);
    cards.power_limit_w = row.integer("power_limit_w", 1, 5000, Presence::optional);
    row.finish();
    machine.gpus.push_back(std::move(cards));
  }
}

void read_drives_of(FactReader& reader, Configuration& machine, std::vector<Error>& faults) {
  const json::Value* const drives = reader.list("drives", 1);
  if (drives == nullptr) return;
  for (std::size_t i = 0; i < drives->items().size(); ++i) {
    FactReader row(drives->items()[i], at(reader.path(), "drives", i), faults);
    Drive drive;
    drive.role = kRoles[row.choice("role", kRoles, 0)];
    drive.kind = row.text("kind");
    drive.terabytes = row.number("tb", 0.1, 1000);
    row.finish();
    machine.drives.push_back(std::move(drive));
  }
}

void read_power_of(FactReader& reader, Configuration& machine) {
  FactReader psu = reader.child("psu");
  machine.psu_units = psu.integer("units", 1, 8);
  machine.psu_watts_each = psu.integer("watts", 100, 10000);
  machine.psu_redundant = psu.flag("redundant", false);
  machine.needs_200v = psu.choice("input", kInputs, 0) == 1;
  if (psu.any("circuits") != nullptr) machine.circuits = psu.integer("circuits", 1, 8);
  if (machine.psu_redundant && machine.psu_units < 2) {
    psu.fault(ErrorCode::conflict, "redundant", "true", "units of at least 2");
  }
  psu.finish();
  machine.psu_usable_w = machine.psu_watts_each * (machine.psu_units - (machine.psu_redundant ? 1U : 0U));
}

void read_ram_of(FactReader& reader, Configuration& machine) {
  FactReader ram = reader.child("ram");
  machine.ram_gb = ram.integer("gb", 1, 65536);
  machine.ram_modules = ram.integer("modules", 1, 64);
  const std::size_t type = ram.choice("type", kRamTypes, 0);
  machine.ram_ecc = type > 0;
  machine.ram_rdimm = type == 2;
  machine.channels_populated = ram.integer("channels", 1, 24);
  if (machine.ram_modules != 0 && machine.ram_gb % machine.ram_modules != 0) {
    ram.fault(ErrorCode::does_not_add_up, "gb", std::to_string(machine.ram_gb), "a multiple of `modules`");
  }
  if (machine.channels_populated > machine.ram_modules) {
    ram.fault(ErrorCode::does_not_add_up, "channels", std::to_string(machine.channels_populated), "at most `modules`");
  }
  ram.finish();
}

void read_shop_of(FactReader& reader, Configuration& machine) {
  machine.price = reader.text("price", Presence::optional);
  machine.availability = reader.text("availability", Presence::optional);
  machine.link = reader.text("link", Presence::optional);
  // The page makes an anchor of it: no other scheme may come in through a data file.
  if (!machine.link.empty() && !machine.link.starts_with("https://") && !machine.link.starts_with("http://")) {
    reader.fault(ErrorCode::out_of_range, "link", machine.link, "an address that begins with https://");
  }
}

}  // namespace

void read_platforms(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults) {
  for_each_entry(file, "platforms", faults, [&](const json::Value& entry, const std::string& path) {
    FactReader reader(entry, path, faults);
    Platform platform;
    platform.id = reader.id("id");
    platform.name = reader.text("name");
    platform.segment = static_cast<Segment>(reader.choice("segment", kSegments, 0));
    platform.socket = reader.text("socket", Presence::optional);
    platform.device_lanes = reader.integer("device_lanes", 1, 1024);
    FactReader most = reader.child("max_gpus");
    platform.max_gpus_x16 = most.integer("x16", 0, 32);
    platform.max_gpus_x8 = most.integer("x8", 1, 32);
    most.finish();
    FactReader memory = reader.child("memory");
    platform.memory_channels = memory.integer("channels", 1, 24);
    platform.rdimm = memory.flag("rdimm", false);
    platform.ecc = memory.choice("ecc", kEcc, 0) == 2;
    platform.max_memory_gb = memory.integer("max_gb", 1, 65536);
    memory.finish();
    platform.sustained_w = reader.integer("sustained_w", 1, 2000);
    reader.text("note", Presence::optional);
    reader.any("sources");
    platform.verified = reader.texts("unverified").empty();
    reader.finish();
    if (!platform.id.empty() && into.find_platform(platform.id) != nullptr) {
      reader.fault(ErrorCode::duplicate_field, "id", platform.id, "an id that no other entry has");
    }
    if (reader.ok()) into.platforms.push_back(std::move(platform));
  });
}

void read_configurations(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults) {
  for_each_entry(file, "configurations", faults, [&](const json::Value& entry, const std::string& path) {
    FactReader reader(entry, path, faults);
    Configuration machine;
    machine.line = entry.line();
    machine.path = path;
    machine.id = reader.id("id");
    machine.name = reader.text("name");
    machine.synthetic = reader.flag("synthetic", false);
    machine.text = read_text(reader, "text", Presence::optional);
    read_gpus_of(reader, machine, faults);
    machine.platform_id = reader.text("platform");
    FactReader cpu = reader.child("cpu");
    machine.cpu_class = cpu.text("class");
    machine.cpu_cores = cpu.integer("cores", 1, 1024);
    machine.cpu_sustained_w = cpu.integer("sustained_w", 1, 2000);
    cpu.finish();
    read_ram_of(reader, machine);
    read_drives_of(reader, machine, faults);
    read_power_of(reader, machine);
    FactReader chassis = reader.child("chassis");
    machine.chassis_kind = static_cast<Chassis>(chassis.choice("kind", kChassis, 1));
    machine.chassis = chassis.text("description", Presence::optional);
    machine.gpu_slots = chassis.integer("slots", 1, 64);
    machine.cooling = chassis.text("cooling", Presence::optional);
    chassis.finish();
    read_shop_of(reader, machine);
    reader.finish();
    if (!machine.id.empty() && into.find_configuration(machine.id) != nullptr) {
      reader.fault(ErrorCode::duplicate_field, "id", machine.id, "an id that no other entry has");
    }
    if (reader.ok()) into.configurations.push_back(std::move(machine));
  });
}

void read_tiers(const json::Value& file, MachineCatalogue& into, std::vector<Error>& faults) {
  for_each_entry(file, "tiers", faults, [&](const json::Value& entry, const std::string& path) {
    FactReader reader(entry, path, faults);
    Tier tier;
    tier.line = entry.line();
    tier.path = path;
    tier.id = reader.id("id");
    tier.usable = Bytes(reader.integer("usable_mib", 1, 16U << 20U)) * kMiB;
    tier.gpu_id = reader.text("gpu");
    tier.starting_point = read_text(reader, "starting_point", Presence::required);
    reader.finish();
    const auto same = [&](const Tier& other) { return !tier.id.empty() && other.id == tier.id; };
    if (std::any_of(into.tiers.begin(), into.tiers.end(), same)) {
      reader.fault(ErrorCode::duplicate_field, "id", tier.id, "an id that no other entry has");
    }
    if (reader.ok()) into.tiers.push_back(std::move(tier));
  });
}

}  // namespace vram
