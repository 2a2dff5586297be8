#include "core/machine/rules.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>

#include "core/machine/workstation.h"
#include "tests/core/data_file.h"
#include "tests/core/machine/fact_files.h"

namespace vram {
namespace {

/// a / b in hundredths, rounded to the nearest.
std::uint64_t hundredths(std::uint64_t a, std::uint64_t b) { return (a * 200 + b) / (2 * b); }
std::uint64_t hundredths(const json::Value& value) { return static_cast<std::uint64_t>(value.number() * 100 + 0.5); }

TEST_CASE("The figures of the 24 sample machines are those computed with them", "[machine][rules]") {
  const auto read = tests::shipped_machines();
  CHECK(read.faults.empty());
  REQUIRE(read.catalogue.configurations.size() == 24);
  const json::Value expected = read_data_file("configurations_computed.json");
  for (const Configuration& machine : read.catalogue.configurations) {
    INFO(machine.id);
    const json::Value* const row = expected.find(machine.id);
    REQUIRE(row != nullptr);
    const MachineFigures f = figures_of(machine, read.catalogue.platform_of(machine));
    CHECK(f.sustained_w == row->find("sustained_w")->integer());
    CHECK(hundredths(f.psu_w, f.sustained_w) == hundredths(*row->find("psu_ratio")));
    CHECK(f.wall_w == row->find("wall_w")->integer());
    CHECK(f.lanes_used == row->find("lanes_used")->integer());
    CHECK(f.lanes_available == row->find("lanes_available")->integer());
    CHECK((f.slots_used_x10 + 9) / 10 == row->find("slots_used")->integer());
    CHECK(hundredths(machine.ram_gb, f.vram_gb) == hundredths(*row->find("ram_to_vram")));
    CHECK(f.vram_gb == row->find("total_vram_gb_nominal")->integer());
    const json::Value& circuits = *row->find("circuit_ok");
    CHECK(f.us_120v_15a == circuits.find("us_120v_15a")->boolean());
    CHECK(f.us_120v_20a == circuits.find("us_120v_20a")->boolean());
    CHECK(f.eu_230v_16a == circuits.find("eu_230v_16a")->boolean());
    const json::Value& reported = *row->find("total_vram_mib_reported");
    if (reported.is(json::Kind::integer)) {
      CHECK(read.catalogue.gpu_sets[machine.gpu_set].usable == Bytes(reported.integer()) * kMiB);
    }
    for (const RuleCheck& rule : check_machine(machine, read.catalogue)) {
      INFO(rule.id);
      CHECK(rule.ok);
    }
    CHECK(machine.sound);
  }
}

TEST_CASE("A machine that breaks one rule is told which", "[machine][rules]") {
  struct Row {
    const char* machine;
    const char* from;
    const char* to;
    const char* rule;
  };
  for (const Row& row : {
           Row{"cat-01", "\"watts\": 650", "\"watts\": 400", "power"},   // 366 W x 1.25 = 458 W
           Row{"cat-07", "\"watts\": 1200", "\"watts\": 950", "power"},  // vendor's minimum is 1,000 W
           Row{"cat-24", "\"units\": 3", "\"units\": 2", "power"},       // 2,000 W left when one fails
           Row{"cat-24", "\"circuits\": 2", "\"circuits\": 1", "wall"},  // 3,350 W on 2,944 W
           Row{"cat-20", "\"count\": 2", "\"count\": 3", "lanes"},
           Row{"cat-10", "\"lanes\": 8", "\"lanes\": 16", "lanes"},  // 40 of 24 lanes
           Row{"cat-17", "\"gb\": 256", "\"gb\": 128", "ram"},       // 96 GB ask for 192
           Row{"cat-17", "\"channels\": 2", "\"channels\": 1", "ram"},
           Row{"cat-01", "\"tb\": 2", "\"tb\": 1", "storage"},
           Row{"cat-23", "\"tb\": 8}, {\"role\": \"data\", \"kind\": \"NVMe Gen4 x4\", \"tb\": 8", "\"tb\": 3",
               "storage"},
           Row{"cat-01", "{\"role\": \"os\", \"kind\": \"NVMe Gen4 x4\", \"tb\": 1}, ", "", "storage"},
           Row{"cat-11", "\"slots\": 5", "\"slots\": 3", "slots"},
           Row{"cat-14", "\"count\": 2, \"lanes\": 16", "\"count\": 3, \"lanes\": 8", "cooling"},
           Row{"cat-24", "\"rack\"", "\"tower\"", "cooling"},
       }) {
    INFO(row.machine << ": " << row.from << " -> " << row.to);
    const std::string shipped = tests::shipped_text("configurations.json");
    const std::string text = tests::edited(shipped, row.machine, row.from, row.to);
    REQUIRE(text != shipped);
    const auto read = tests::read_machines(text);
    CHECK(read.faults.empty());
    const Configuration* const machine = read.catalogue.find_configuration(row.machine);
    REQUIRE(machine != nullptr);
    CHECK_FALSE(machine->sound);
    for (const RuleCheck& rule : check_machine(*machine, read.catalogue)) {
      if (std::string_view(rule.id) == row.rule) CHECK_FALSE(rule.ok);
    }
    for (const Configuration& other : read.catalogue.configurations) {
      if (other.id != row.machine) CHECK(other.sound);
    }
  }
}

TEST_CASE("Wall power is the load behind 92 % efficiency, rounded", "[machine][rules]") {
  CHECK(wall_power_w(366) == 398);    // 397.8
  CHECK(wall_power_w(1094) == 1189);  // 1,189.1
  CHECK(wall_power_w(92) == 100);
}

TEST_CASE("A job's checkpoints and offloaded memory must fit the machine", "[machine][rules]") {
  const auto read = tests::shipped_machines();
  const Configuration& machine = *read.catalogue.find_configuration("cat-01");  // 64 GB, 2 TB of data
  Scenario scenario;
  scenario.task = Task::full;
  scenario.gpus.resize(1);
  scenario.stored = std::make_shared<StoredWeights>();
  scenario.dataset = 500'000'000'000;
  scenario.checkpoints_kept = 1;
  Ledger ledger;
  ledger.host.ram = Band::exact(52 * kGiB);
  ledger.host.disk = 100'000'000'000;
  ledger.host.checkpoint = 700'000'000'000;
  const Platform& platform = read.catalogue.platform_of(machine);
  auto rules = check_job(machine, platform, host_needs(scenario, ledger));
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].ok);  // 52 + 4 for the trainer + 4 loaders of 1 + 4 for the system
  CHECK(rules[1].ok);  // 100 + 2 x 700 + 500 GB = 2 TB
  ledger.host.ram = Band::exact(52 * kGiB + 1);
  ledger.host.checkpoint = 700'000'000'001;
  rules = check_job(machine, platform, host_needs(scenario, ledger));
  CHECK_FALSE(rules[0].ok);
  CHECK_FALSE(rules[1].ok);
  CHECK(std::string_view(rules[0].id) == "host_ram");
  CHECK(std::string_view(rules[1].id) == "disk");
}

TEST_CASE("The wall circuit of the job is asked where it is not 230 V", "[machine][rules]") {
  const auto read = tests::shipped_machines();
  const auto wall = [&](std::string_view id, Mains mains) -> std::optional<bool> {
    const Configuration& machine = *read.catalogue.find_configuration(id);
    HostNeeds needs;
    needs.mains = mains;
    for (const RuleCheck& rule : check_job(machine, read.catalogue.platform_of(machine), needs)) {
      if (std::string_view(rule.id) == "wall") return rule.ok;
    }
    return std::nullopt;
  };
  CHECK(wall("cat-24", Mains::v230_a16) == std::nullopt);
  CHECK(wall("cat-01", Mains::v120_a15) == true);   // 398 W
  CHECK(wall("cat-24", Mains::v120_a20) == false);  // 3,350 W
  CHECK(wall("cat-14", Mains::v120_a20) == false);  // its supply wants 200-240 V
}

TEST_CASE("A workstation is planned from its cards", "[machine][workstation]") {
  const GpuCatalogue gpus = tests::shipped_gpus();
  const auto read = tests::shipped_machines();
  const std::vector<std::shared_ptr<const Gpu>> four(4, gpus.find("rtx-pro-6000-blackwell-workstation-edition"));
  const CardSum cards = sum_of(four);
  CHECK(cards.cards == 4);
  CHECK(cards.power_w == 2400);
  CHECK(cards.vram_gb == 384);
  CHECK(cards.slots() == 8);
  CHECK(slots_with_gaps(cards) == 11);
  const BoardPlan wide = plan_board(cards, read.catalogue.platforms, 16, 256);
  REQUIRE(wide.platform != nullptr);
  CHECK(wide.platform->id == "lga4677-xeon-w-3500");
  CHECK(wide.lanes_used == 72);
  CHECK(wide.more_drives() == 10);
  CHECK(wide.limit == PlatformLimit::places);  // W-2500: three cards at x16
  const BoardPlan narrow = plan_board(cards, read.catalogue.platforms, 8, 256);
  CHECK(narrow.platform->id == "lga4677-xeon-w-2500");
  CHECK(plan_board(cards, read.catalogue.platforms, 8, 4000).platform->max_memory_gb >= 4000);
  CHECK(plan_board(cards, read.catalogue.platforms, 8, 100000).platform == nullptr);

  const PowerPlan power = plan_power(cards, *wide.platform, Mains::v230_a16);
  CHECK(power.sustained_w == 2953);
  CHECK(power.psu_w == 3700);              // x 1.25 = 3,692
  CHECK(power.comfortable_psu_w == 4150);  // x 1.4 = 4,135
  CHECK(power.peak_w == 2953 + 2 * 2400);
  CHECK(power.peak_psu_w == 3900);
  CHECK(power.supplies == 2);
  CHECK(power.circuits == 2);
  CHECK(power.needs_200v);
  CHECK(plan_power(cards, *wide.platform, Mains::v120_a15).circuits == 3);

  const Gpu* const frugal = frugal_variant(*four.front(), gpus);
  REQUIRE(frugal != nullptr);
  CHECK(frugal->id == "rtx-pro-6000-blackwell-max-q-workstation-edition");
  CHECK(frugal_variant(*gpus.find("geforce-rtx-5090"), gpus) == nullptr);
  CHECK(ram_size(65) == 96);
  CHECK(ram_size(64) == 64);
  CHECK(ram_size(4097) == 5120);
}

}  // namespace
}  // namespace vram
