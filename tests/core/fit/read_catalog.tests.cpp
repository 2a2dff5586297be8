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

}  // namespace
}  // namespace vram
