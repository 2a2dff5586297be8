#include <catch2/catch_test_macros.hpp>

#include "core/machine/catalogue.h"
#include "tests/core/machine/fact_files.h"

namespace vram {
namespace {

TEST_CASE("Platforms, tiers and machines as shipped are read and linked", "[machine][catalog]") {
  const auto read = tests::shipped_machines();
  CHECK(read.faults.empty());
  CHECK(read.catalogue.platforms.size() == 8);
  REQUIRE(read.catalogue.tiers.size() == 3);
  const std::uint64_t usable[] = {16303, 32607, 97887};
  for (std::size_t i = 0; i < 3; ++i) {
    const Tier& tier = read.catalogue.tiers[i];
    CHECK(tier.usable == Bytes(usable[i]) * kMiB);
    CHECK(tier.gpu->usable == tier.usable);
    for (const char* language : {"en", "pt", "it", "es", "fr", "de"})
      CHECK_FALSE(tier.starting_point.in(language).empty());
    CHECK(tier.starting_point.in("ja") == tier.starting_point.in("en"));
    CHECK(tier.starting_point.in("pt-PT") == tier.starting_point.in("pt"));
    CHECK(tier.starting_point.in("it") != tier.starting_point.in("en"));
  }
  for (const Configuration& machine : read.catalogue.configurations) {
    INFO(machine.id);
    CHECK(machine.synthetic);
    CHECK(read.catalogue.platform_of(machine).id == machine.platform_id);
    const GpuSet& set = read.catalogue.gpu_sets[machine.gpu_set];
    CHECK(set.devices.size() == machine.gpu_count());
    CHECK(set.devices.front()->id == machine.gpus.front().gpu_id);
  }
  // 24 machines with 24 different sets of cards: none is equal to another.
  CHECK(read.catalogue.gpu_sets.size() == 24);
}

TEST_CASE("Machines with the same cards share one set", "[machine][catalog]") {
  const std::string text =
      tests::edited(tests::shipped_text("configurations.json"), "cat-04", "geforce-rtx-5080", "geforce-rtx-5070-ti");
  const auto read =
      tests::read_machines(tests::edited(text, "cat-04", "\"power_limit_w\": 360", "\"power_limit_w\": 300"));
  CHECK(read.faults.empty());
  CHECK(read.catalogue.gpu_sets.size() == 23);
  CHECK(read.catalogue.find_configuration("cat-03")->gpu_set == read.catalogue.find_configuration("cat-04")->gpu_set);
}

TEST_CASE("A broken machine gives the right fault and leaves the 23 others", "[machine][catalog]") {
  struct Row {
    const char* from;
    const char* to;
    ErrorCode code;
    const char* where;
  };
  for (const Row& row : {
           Row{"\"cat-05\"", "\"cat-04\"", ErrorCode::duplicate_field, "configurations[4].id"},
           Row{"geforce-rtx-5060-ti-16gb", "geforce-rtx-5060-ti-61gb", ErrorCode::unknown_id,
               "configurations[4].gpus[0].gpu"},
           Row{"am5-ryzen-9000", "am6", ErrorCode::unknown_id, "configurations[4].platform"},
           Row{"\"count\": 2", "\"count\": 0", ErrorCode::out_of_range, "configurations[4].gpus[0].count"},
           Row{"\"lanes\": 8", "\"lanes\": 16", ErrorCode::out_of_range, "configurations[4].gpus[0].lanes"},
           Row{"\"power_limit_w\": 180", "\"power_limit_w\": 230", ErrorCode::out_of_range,
               "configurations[4].gpus[0].power_limit_w"},
           Row{"\"sustained_w\": 162", "\"sustained_w\": 0", ErrorCode::out_of_range,
               "configurations[4].cpu.sustained_w"},
           Row{"\"gb\": 96", "\"gb\": 97", ErrorCode::does_not_add_up, "configurations[4].ram.gb"},
           Row{"\"gb\": 96", "\"gb\": 512", ErrorCode::out_of_range, "configurations[4].ram.gb"},
           Row{"\"type\": \"UDIMM\"", "\"type\": \"RDIMM ECC\"", ErrorCode::conflict, "configurations[4].ram.type"},
           Row{"\"channels\": 2", "\"channels\": 4", ErrorCode::does_not_add_up, "configurations[4].ram.channels"},
           Row{"\"role\": \"data\"", "\"role\": \"scratch\"", ErrorCode::unknown_choice,
               "configurations[4].drives[1].role"},
           Row{"\"redundant\": false", "\"redundant\": true", ErrorCode::conflict, "configurations[4].psu.redundant"},
           Row{"\"watts\": 850", "\"watt\": 850", ErrorCode::unknown_field, "configurations[4].psu.watt"},
           Row{"\"kind\": \"tower\"", "\"kind\": \"cube\"", ErrorCode::unknown_choice,
               "configurations[4].chassis.kind"},
           Row{"\"synthetic\": true", "\"synthetic\": 1", ErrorCode::wrong_type, "configurations[4].synthetic"},
           Row{"\"synthetic\": true", "\"link\": \"javascript:alert(1)\"", ErrorCode::out_of_range,
               "configurations[4].link"},
           Row{"\"text\": {\"en\"", "\"text\": {\"pt\"", ErrorCode::missing_field, "configurations[4].text"},
       }) {
    INFO(row.from << " -> " << row.to);
    const std::string shipped = tests::shipped_text("configurations.json");
    const std::string text = tests::edited(shipped, "\"cat-05\"", row.from, row.to);
    REQUIRE(text != shipped);
    const auto read = tests::read_machines(text);
    CHECK(read.catalogue.configurations.size() == 23);
    bool named = false;
    for (const Error& fault : read.faults) {
      named =
          named || (fault.code == row.code && fault.where == row.where && fault.line > 0 && !fault.expected.empty());
      if (fault.code == ErrorCode::unknown_field) named = named || fault.where == row.where;
    }
    CHECK(named);
  }
}

TEST_CASE("Broken platforms and tiers are named and dropped", "[machine][catalog]") {
  std::vector<Error> faults;
  MachineCatalogue catalogue;
  const auto platforms = json::parse(
      tests::edited(tests::shipped_text("platforms.json"), "trx50", "\"device_lanes\": 48", "\"device_lanes\": 0"));
  REQUIRE(platforms);
  read_platforms(*platforms, catalogue, faults);
  CHECK(catalogue.platforms.size() == 7);
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().where == "platforms[2].device_lanes");

  faults.clear();
  std::string text = tests::edited(tests::shipped_text("tiers.json"), "16gb", "geforce-rtx-5080", "geforce-rtx-508");
  text = tests::edited(text, "32gb", "32607", "326070");
  const auto tiers = json::parse(text);
  REQUIRE(tiers);
  read_tiers(*tiers, catalogue, faults);
  check_references(catalogue, tests::shipped_gpus(), faults);
  CHECK(catalogue.tiers.size() == 1);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].where == "tiers[0].gpu");
  CHECK(faults[0].expected.find("geforce-rtx-5080") != std::string::npos);
  CHECK(faults[1].where == "tiers[1].usable_mib");
}

}  // namespace
}  // namespace vram
