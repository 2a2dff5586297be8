#include "core/scenario/gpu.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "tests/core/machine/fact_files.h"

namespace vram {
namespace {

const Gpu& gpu(const GpuCatalogue& catalogue, std::string_view id) {
  const auto found = catalogue.find(id);
  INFO(id);
  REQUIRE(found);
  return *found;
}

TEST_CASE("All 118 GPUs of the catalogue are read without a fault", "[gpu][catalog]") {
  std::vector<Error> faults;
  const GpuCatalogue catalogue = read_gpus(tests::shipped("gpus.json"), faults);
  CHECK(faults.empty());
  CHECK(catalogue.gpus.size() == 118);
  std::set<std::string> ids;
  for (const auto& entry : catalogue.gpus) {
    INFO(entry->id);
    ids.insert(entry->id);
    CHECK(entry->generation != GpuGeneration::unknown);
    CHECK(entry->usable <= mul_div(entry->nominal, 101, 100));
    CHECK(entry->usable * 10 >= entry->nominal * 7);
    CHECK(entry->has_fp4 <= entry->has_fp8);
    CHECK(entry->usable_with_ecc() <= entry->usable);
  }
  CHECK(ids.size() == 118);
}

TEST_CASE("Usable memory is the driver's reading or follows the memory's type", "[gpu]") {
  const GpuCatalogue catalogue = tests::shipped_gpus();
  struct Row {
    const char* id;
    std::uint64_t bytes;
    bool derived;
  };
  constexpr std::uint64_t kMi = 1024 * 1024;
  // Readings: hardware.md 1.1. Derived: api.md "Usable memory".
  for (const Row& row :
       {Row{"geforce-rtx-5090", 32607 * kMi, false}, Row{"geforce-rtx-5080", 16303 * kMi, false},
        Row{"rtx-pro-6000-blackwell-workstation-edition", 97887 * kMi, false}, Row{"rtx-6000-ada", 49140 * kMi, false},
        Row{"t4", 15360 * kMi, false}, Row{"radeon-ai-pro-r9700-32gb", 32624 * kMi, false},
        Row{"rtx-pro-2000-blackwell", 17179869184 / 1000 * 995 + 184 * 995 / 1000, true},  // GDDR7
        Row{"geforce-rtx-4080", 16384 * kMi, true},                                        // GDDR6X
        Row{"l40", 46080 * kMi, true},               // GDDR6 with ECC on: 49,152 x 15/16
        Row{"instinct-mi300x", 205333796487, true},  // HBM: 192 x 2^30 x 0.996
        Row{"gb10-dgx-spark", 115 * 1024 * kMi, true}, Row{"ryzen-ai-max-395-128gb", 108 * 1024 * kMi, true},
        Row{"apple-m4-max", 96 * 1024 * kMi, true}}) {
    INFO(row.id);
    CHECK(gpu(catalogue, row.id).usable == Bytes(row.bytes));
    CHECK(gpu(catalogue, row.id).usable_derived == row.derived);
  }
  CHECK(gpu(catalogue, "ryzen-ai-max-395-128gb").usable_windows == 96 * kGiB);
  CHECK(gpu(catalogue, "rtx-6000-ada").usable_with_ecc() == Bytes(46080 * kMi));
  CHECK(gpu(catalogue, "rtx-pro-6000-blackwell-workstation-edition").usable_with_ecc() == Bytes(97887 * kMi));
}

TEST_CASE("A card with two devices gives each its own half of the memory", "[gpu]") {
  const GpuCatalogue catalogue = tests::shipped_gpus();
  const Gpu& mi250 = gpu(catalogue, "instinct-mi250");
  CHECK(mi250.devices_per_card == 2);
  CHECK(mi250.nominal == 64 * kGiB);
  CHECK(mi250.bandwidth_gb_s == 1638.4);
  CHECK_FALSE(gpu(catalogue, "geforce-rtx-4090-laptop-gpu").is_card());
}

TEST_CASE("The generation follows compute capability or architecture", "[gpu]") {
  const GpuCatalogue catalogue = tests::shipped_gpus();
  struct Row {
    const char* id;
    GpuGeneration generation;
  };
  for (const Row& row :
       {Row{"titan-rtx", GpuGeneration::turing}, Row{"rtx-a6000", GpuGeneration::ampere},
        Row{"a100-80gb-sxm4", GpuGeneration::ampere_datacenter}, Row{"l4", GpuGeneration::ada},
        Row{"h200-sxm-141gb", GpuGeneration::hopper}, Row{"b200-sxm-hgx-180gb", GpuGeneration::blackwell_datacenter},
        Row{"geforce-rtx-5070", GpuGeneration::blackwell}, Row{"radeon-rx-9070", GpuGeneration::rdna},
        Row{"instinct-mi355x", GpuGeneration::cdna}, Row{"arc-b580", GpuGeneration::intel},
        Row{"gb10-dgx-spark", GpuGeneration::unified_nvidia}, Row{"ryzen-ai-max-395-128gb", GpuGeneration::unified_amd},
        Row{"apple-m5", GpuGeneration::apple}}) {
    INFO(row.id);
    CHECK(gpu(catalogue, row.id).generation == row.generation);
  }
  CHECK(generation_of("NVIDIA", "", 61, MemoryKind::dedicated) == GpuGeneration::pascal);
  CHECK(generation_of("NVIDIA", "", 70, MemoryKind::dedicated) == GpuGeneration::volta);
  CHECK(generation_of("NVIDIA", "", 35, MemoryKind::dedicated) == GpuGeneration::unknown);
}

TEST_CASE("A GPU is found by id in any case, and near misses are suggested", "[gpu]") {
  const GpuCatalogue catalogue = tests::shipped_gpus();
  CHECK(catalogue.find("GeForce-RTX-5090") == catalogue.find("geforce-rtx-5090"));
  CHECK(catalogue.find("geforce-rtx-509") == nullptr);
  CHECK(catalogue.find("") == nullptr);
  CHECK(catalogue.similar("rtx-5090", 1).front() == "geforce-rtx-5090");
  CHECK(catalogue.similar("rtx-5090", 3).size() == 3);
  CHECK(catalogue.similar("zz", 3).empty());
}

constexpr std::string_view kGood =
    R"({"id": "card-a", "name": "Card A", "vendor": "NVIDIA", "class": "workstation", "launch_year": 2025,
"architecture": "Blackwell", "compute_capability": "12.0", "memory_gb": 24, "memory_type": "GDDR7",
"memory_reported_mib": 24467, "ecc": "off", "bandwidth_gb_s": 672, "board_power_w": 140, "form_factor": "card",
"slot_width": 1, "pcie_gen": 5, "pcie_lanes": 16, "formats": ["bf16", "fp8", "fp4"]})";

TEST_CASE("A bad entry gives a fault that names it and leaves the good ones alive", "[gpu][catalog]") {
  struct Row {
    const char* from;
    const char* to;
    ErrorCode code;
    const char* field;
    std::uint32_t line;
  };
  const std::string good(kGood);
  for (const Row& row : {
           Row{"\"name\": \"Card A\", ", "", ErrorCode::missing_field, "name", 2},
           Row{"\"card-a\"", "\"Card A\"", ErrorCode::out_of_range, "id", 2},
           Row{"\"card-a\"", "\"card-b\"", ErrorCode::duplicate_field, "id", 2},
           Row{"\"card-a\"", "7", ErrorCode::wrong_type, "id", 2},
           Row{"\"NVIDIA\"", "\"Nvidia\"", ErrorCode::unknown_choice, "vendor", 2},
           Row{"\"12.0\"", "\"120\"", ErrorCode::out_of_range, "compute_capability", 3},
           Row{"\"compute_capability\": \"12.0\", ", "", ErrorCode::missing_field, "compute_capability", 2},
           Row{"24467", "24.467", ErrorCode::wrong_type, "memory_reported_mib", 4},
           Row{"24467", "26000", ErrorCode::out_of_range, "memory_reported_mib", 4},
           Row{"24467", "24", ErrorCode::out_of_range, "memory_reported_mib", 4},
           Row{"\"memory_gb\": 24", "\"memory_gb\": 0", ErrorCode::out_of_range, "memory_gb", 3},
           Row{"\"memory_gb\": 24", "\"memory_gb\": -24", ErrorCode::out_of_range, "memory_gb", 3},
           Row{"\"memory_gb\": 24", "\"memory_gb\": \"24\"", ErrorCode::wrong_type, "memory_gb", 3},
           Row{"GDDR7", "GDDR8", ErrorCode::unknown_choice, "memory_type", 3},
           Row{"\"off\"", "\"yes\"", ErrorCode::unknown_choice, "ecc", 4},
           Row{"\"board_power_w\": 140", "\"board_power_w\": 0", ErrorCode::out_of_range, "board_power_w", 4},
           Row{"\"board_power_w\": 140", "\"board_power\": 140", ErrorCode::unknown_field, "board_power", 4},
           Row{"\"pcie_lanes\": 16", "\"pcie_lanes\": 32", ErrorCode::out_of_range, "pcie_lanes", 5},
           Row{"\"fp4\"", "\"fp2\"", ErrorCode::unknown_choice, "formats", 5},
           Row{"\"form_factor\": \"card\"", "\"form_factor\": \"module\"", ErrorCode::conflict, "slot_width", 5},
           Row{"\"slot_width\"", "\"sources\": {\"colour\": \"X\"}, \"slot_width\"", ErrorCode::unknown_field,
               "sources", 5},
       }) {
    INFO(row.from << " -> " << row.to);
    const std::string bad = tests::edited(good, "", row.from, row.to);
    REQUIRE(bad != good);
    const std::string other = tests::edited(good, "", "card-a", "card-b");
    const auto file = json::parse("{\"gpus\": [" + other + ",\n" + bad + "]}");
    REQUIRE(file);
    std::vector<Error> faults;
    const GpuCatalogue catalogue = read_gpus(*file, faults);
    CHECK(catalogue.gpus.size() == 1);
    CHECK(catalogue.find("card-b") != nullptr);
    bool named = false;
    for (const Error& fault : faults) {
      named = named || (fault.code == row.code && fault.where == std::string("gpus[1].") + row.field &&
                        fault.line == row.line + 3);
    }
    CHECK(named);
  }
}

TEST_CASE("An entry tells all its faults at once", "[gpu][catalog]") {
  std::string bad = tests::edited(std::string(kGood), "", "\"NVIDIA\"", "\"Nvidia\"");
  bad = tests::edited(bad, "", "\"board_power_w\": 140", "\"board_power_w\": 0");
  const auto file = json::parse("{\"gpus\": [" + bad + "]}");
  REQUIRE(file);
  std::vector<Error> faults;
  CHECK(read_gpus(*file, faults).gpus.empty());
  CHECK(faults.size() == 2);
}

TEST_CASE("A file of another shape is a fault and no crash", "[gpu][catalog]") {
  for (const char* text : {"[]", "7", "{}", "{\"gpus\": {}}", "{\"gpus\": [3, null, []]}",
                           "{\"gpus\": [], \"cards\": []}", "{\"gpus\": [], \"date\": \"soon\"}"}) {
    INFO(text);
    const auto file = json::parse(text);
    REQUIRE(file);
    std::vector<Error> faults;
    CHECK(read_gpus(*file, faults).gpus.empty());
    CHECK_FALSE(faults.empty());
  }
}

}  // namespace
}  // namespace vram
