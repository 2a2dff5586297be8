#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/base/embedded_files.h"
#include "core/fit/evaluate.h"
#include "tests/core/machine/fact_files.h"

namespace vram {
namespace {

struct ReadCatalog {
  Catalog catalog;
  std::vector<CatalogFault> faults;
};

/// The shipped files with one replaced; an empty text leaves it out.
ReadCatalog read_with(std::string_view name, std::string_view text) {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) {
    if (file.name != name) {
      files.push_back({file.name, file.text});
    } else if (!text.empty()) {
      files.push_back({file.name, text});
    }
  }
  ReadCatalog read;
  read.catalog = read_catalog(files, read.faults);
  return read;
}

TEST_CASE("The shipped catalogue has no fault and the date of its newest file", "[catalog]") {
  const ReadCatalog read = read_with("", "");
  for (const CatalogFault& fault : read.faults) {
    INFO(fault.file << ':' << fault.error.line << ' ' << fault.error.where << ' ' << fault.error.got);
    CHECK(false);
  }
  CHECK(read.catalog.facts.gpus.gpus.size() == 118);
  CHECK(read.catalog.facts.models.models.size() >= 200);
  CHECK(read.catalog.machines.configurations.size() == 24);
  CHECK(read.catalog.machines.tiers.size() == 3);
  CHECK(read.catalog.date >= "2026-11-30");

  const std::string later =
      tests::edited(tests::shipped_text("tiers.json"), "", "\"date\": \"2026-11-30\"", "\"date\": \"2031-02-03\"");
  CHECK(read_with("tiers.json", later).catalog.date == "2031-02-03");
}

TEST_CASE("A fault in one file costs only what depends on it", "[catalog]") {
  SECTION("a card that is gone takes its machines along") {
    const std::string text = tests::edited(tests::shipped_text("gpus.json"), "\"geforce-rtx-5080\"",
                                           "\"vendor\": \"NVIDIA\"", "\"vendor\": \"nvidia\"");
    const ReadCatalog read = read_with("gpus.json", text);
    CHECK(read.catalog.facts.gpus.gpus.size() == 117);
    CHECK(read.catalog.machines.configurations.size() == 23);  // cat-04
    CHECK(read.catalog.machines.tiers.size() == 2);            // 16gb
    REQUIRE(read.faults.size() == 3);
    CHECK(read.faults[0].file == "gpus.json");
    CHECK(read.faults[1].file == "configurations.json");
    CHECK(read.faults[2].file == "tiers.json");
  }
  SECTION("a file that is no JSON") {
    const ReadCatalog read = read_with("configurations.json", "{\"configurations\": [");
    CHECK(read.catalog.machines.configurations.empty());
    CHECK(read.catalog.facts.gpus.gpus.size() == 118);
    REQUIRE(read.faults.size() == 1);
    CHECK(read.faults[0].error.code == ErrorCode::syntax);
  }
  SECTION("a file that is missing") {
    const ReadCatalog read = read_with("tiers.json", "");
    CHECK(read.catalog.machines.tiers.empty());
    REQUIRE(read.faults.size() == 1);
    CHECK(read.faults[0].file == "tiers.json");
    CHECK(read.faults[0].error.code == ErrorCode::missing_field);
  }
}

ReadCatalog read_site(std::string_view site) {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) files.push_back({file.name, file.text});
  ReadCatalog read;
  read.catalog = read_catalog(files, site, read.faults);
  return read;
}

constexpr std::string_view kTier =
    R"({"id": "48gb", "usable_mib": 48935, "gpu": "rtx-pro-5000-blackwell-48gb", "starting_point": {"en": "48 GB."}})";

TEST_CASE("A site's catalogue is merged over the shipped one or takes its place", "[catalog]") {
  const std::string merged = "{\"tiers\": [" + std::string(kTier) + "]}";
  const ReadCatalog more = read_site(merged);
  CHECK(more.faults.empty());
  REQUIRE(more.catalog.machines.tiers.size() == 4);
  CHECK(more.catalog.machines.tiers[2].id == "48gb");  // by size
  CHECK(more.catalog.machines.configurations.size() == 24);
  CHECK(more.catalog.machines.tiers[2].gpu != nullptr);

  for (const char* replace : {"true", "[\"tiers\"]"}) {
    const ReadCatalog instead =
        read_site("{\"replace\": " + std::string(replace) + ", \"tiers\": [" + std::string(kTier) + "]}");
    CHECK(instead.faults.empty());
    REQUIRE(instead.catalog.machines.tiers.size() == 1);
    CHECK(instead.catalog.machines.configurations.size() == 24);
  }
  const ReadCatalog other = read_site("{\"replace\": [\"gpus\"], \"tiers\": [" + std::string(kTier) + "]}");
  CHECK(other.catalog.machines.tiers.size() == 4);

  // An entry of a known id takes its place.
  std::string smaller(kTier);
  smaller.replace(smaller.find("48gb"), 4, "16gb");
  const ReadCatalog changed = read_site("{\"tiers\": [" + smaller + "]}");
  REQUIRE(changed.catalog.machines.tiers.size() == 3);
  CHECK(changed.catalog.machines.tiers[1].id == "16gb");
}

TEST_CASE("A site's new card is known to its machines, and its models to requests", "[catalog]") {
  const ReadCatalog read = read_site(
      R"({"gpus": [{"id": "card-of-2027", "name": "Card of 2027", "vendor": "NVIDIA", "class": "gaming",
          "launch_year": 2027, "architecture": "Rubin", "compute_capability": "12.0", "memory_gb": 48,
          "memory_type": "GDDR7", "ecc": "none", "bandwidth_gb_s": 2000, "board_power_w": 500, "form_factor": "card",
          "slot_width": 2, "pcie_gen": 5, "pcie_lanes": 16, "formats": ["bf16", "fp8", "fp4"]}],
          "models": [{"id": "house-1b", "name": "House 1B", "hidden": 2048, "layers": 16, "heads": 32, "kv_heads": 8,
          "ffn": 8192, "vocab": 128256, "source": "the house"}]})");
  for (const CatalogFault& fault : read.faults) FAIL(fault.error.where << ' ' << fault.error.expected);
  CHECK(read.catalog.facts.gpus.gpus.size() == 119);
  CHECK(read.catalog.facts.gpus.find("card-of-2027") != nullptr);
  CHECK(read.catalog.facts.models.find("house-1b") != nullptr);
  CHECK(read.catalog.facts.models.find("llama-3.1-8b") != nullptr);
}

TEST_CASE("What is wrong in a site's catalogue is told and costs only itself", "[catalog]") {
  struct Row {
    const char* site;
    const char* where;
    ErrorCode code;
  };
  for (const Row& row : {
           Row{"{", "", ErrorCode::syntax},
           Row{"[]", "", ErrorCode::wrong_type},
           Row{R"({"machines": []})", "machines", ErrorCode::unknown_field},
           Row{R"({"constants": []})", "constants", ErrorCode::unknown_field},
           Row{R"({"tiers": {}})", "tiers", ErrorCode::wrong_type},
           Row{R"({"tiers": [{"id": "1gb"}]})", "tiers[0].usable_mib", ErrorCode::missing_field},
       }) {
    INFO(row.site);
    const ReadCatalog read = read_site(row.site);
    REQUIRE_FALSE(read.faults.empty());
    CHECK(read.faults.front().file == kSiteFile);
    CHECK(read.faults.front().error.code == row.code);
    if (*row.where != '\0') CHECK(read.faults.front().error.where == row.where);
    CHECK(read.catalog.machines.configurations.size() == 24);
    CHECK(read.catalog.machines.tiers.size() == 3);
  }
}

}  // namespace
}  // namespace vram
