#include "core/cli/check.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace vram {
namespace {

struct Checked {
  int status = 0;
  std::string out, err;
};

Checked run_check(const std::vector<std::string>& files) {
  const std::vector<std::string_view> names(files.begin(), files.end());
  std::ostringstream out, err;
  Checked checked;
  checked.status = cli::check(names, out, err);
  checked.out = out.str();
  checked.err = err.str();
  return checked;
}

std::string data(const std::string& name) { return std::string(VRAM_TEST_DATA_DIR "/") + name; }
std::string shipped(const std::string& name) { return data("../../catalog/" + name); }

/// True when one line starts with `file:line: entry: field: ` and holds `text`.
bool has_line(const Checked& checked, const std::string& start, const std::string& text) {
  std::istringstream lines(checked.out);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with(start) && line.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("vram check finds no fault in the shipped files, alone and together", "[catalog][cli]") {
  const std::vector<std::string> names = {"gpus.json",   "platforms.json", "configurations.json", "tiers.json",
                                          "models.json", "runtimes.json",  "formulas.json"};
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const Checked checked = run_check({shipped(name)});
    INFO(checked.out);
    CHECK(checked.status == 0);
    CHECK(checked.out.empty());
    all.push_back(shipped(name));
  }
  CHECK(run_check(all).status == 0);
}

TEST_CASE("vram check names file, line, entry, field and remedy of every fault", "[catalog][cli]") {
  const std::string file = data("catalog_broken/configurations.json");
  const Checked checked = run_check({file});
  CHECK(checked.status == 1);
  struct Row {
    const char* start;
    const char* text;
  };
  const Row rows[] = {
      {":9: typing: colour: ", "unknown field, got \"red\""},
      {":11: typing: cpu.sustained_w: ", "missing; expected integer"},
      {":12: typing: ram.gb: ", "wrong kind of value, got \"64\"; expected integer"},
      {":14: typing: psu.input: ", "unknown word, got 110V; expected 100-240V, 200-240V"},
      {":15: strangers: gpus[0].gpu: ", "unknown id, got geforce-rtx-508; expected geforce-rtx-508"},
      {":15: strangers: platform: ", "unknown id, got am5; expected am5-ryzen-9000"},
      {":21: weak: rule power: ", "psu_w 750, psu_needed_w 860; expected a larger supply"},
  };
  INFO(checked.out);
  std::size_t lines = 0;
  for (const char c : checked.out) lines += c == '\n' ? 1U : 0U;
  CHECK(lines == std::size(rows));
  for (const Row& row : rows) {
    INFO(row.start << row.text);
    CHECK(has_line(checked, file + row.start, row.text));
  }
}

/// The code block of catalog/README.md that holds `text`.
std::string example_with(const std::string& text) {
  std::ifstream stream(shipped("README.md"), std::ios::binary);
  const std::string readme((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const std::string open = "```json\n";
  for (std::size_t at = readme.find(open); at != std::string::npos; at = readme.find(open, at + 1)) {
    const std::size_t start = at + open.size();
    const std::string block = readme.substr(start, readme.find("```", start) - start);
    if (block.find(text) != std::string::npos) return block;
  }
  return {};
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = "vram_check_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST_CASE("The examples of the editor's guide are without fault", "[catalog][cli]") {
  const std::string site = example_with("\"replace\"");
  REQUIRE_FALSE(site.empty());
  const Checked checked = run_check({written("site.json", site)});
  INFO(checked.out);
  CHECK(checked.status == 0);
  const std::string machine = example_with("\"id\": \"studio-5090\"");
  CHECK(run_check({written("machine.json", "{\"configurations\": [" + machine + "]}")}).status == 0);
  const std::string tier = example_with("\"id\": \"48gb\"");
  REQUIRE_FALSE(tier.empty());
  CHECK(run_check({written("tier.json", "{\"tiers\": [" + tier + "]}")}).status == 0);
}

TEST_CASE("vram check reads a site's own catalogue as the page does", "[catalog][cli]") {
  std::string site = example_with("\"replace\"");
  const auto edit = [&](const std::string& from, const std::string& to) {
    const std::size_t at = site.find(from);
    REQUIRE(at != std::string::npos);
    site.replace(at, from.size(), to);
  };
  edit("\"watts\": 1200", "\"watts\": 950");
  edit("\"ui.machines\": \"Our", "\"ui.no_such_word\": \"Our");
  edit("rtx-pro-4000-blackwell", "rtx-pro-4000-blackwel");
  edit("\"date\"", "\"colour\": \"red\", \"date\"");
  const std::string file = written("site_broken.json", site);
  const Checked checked = run_check({file});
  INFO(checked.out);
  CHECK(checked.status == 1);
  CHECK(has_line(checked, file + ":3: -: colour: ", "unknown field"));
  CHECK(has_line(checked, file + ":6: studio-5090: rule power: ", "a larger supply"));
  CHECK(has_line(checked, file + ":20: 24gb: gpu: ", "expected rtx-pro-4000-blackwell"));
  CHECK(has_line(checked, file + ":23: -: texts.en.ui.no_such_word: ", "a key of"));
}

TEST_CASE("vram check says what it cannot read", "[catalog][cli]") {
  const Checked syntax = run_check({data("catalog_broken/syntax.json")});
  CHECK(syntax.status == 1);
  CHECK(has_line(syntax, data("catalog_broken/syntax.json") + ":3: ", "not JSON"));
  const Checked other = run_check({data("catalog_broken/other.json")});
  CHECK(other.status == 1);
  CHECK(has_line(other, data("catalog_broken/other.json"),
                 "gpus, platforms, configurations, tiers, models, constants, formulas"));
  const Checked missing = run_check({data("catalog_broken/none.json")});
  CHECK(missing.status == 1);
  CHECK(has_line(missing, data("catalog_broken/none.json"), "a file that can be read"));
  const Checked twice = run_check({shipped("tiers.json"), shipped("tiers.json")});
  CHECK(twice.status == 1);
  const Checked none = run_check({});
  CHECK(none.status == 2);
  CHECK_FALSE(none.err.empty());
}

TEST_CASE("vram check looks ids up in the files named beside it", "[catalog][cli]") {
  const std::string file = data("catalog_broken/configurations.json");
  const Checked checked = run_check({file, data("catalog_broken/gpus.json")});
  CHECK_FALSE(has_line(checked, file + ":15: strangers: gpus[0].gpu: ", ""));
  CHECK(has_line(checked, file + ":3: sound: gpus[0].gpu: ", "unknown id, got geforce-rtx-5080"));
}

}  // namespace
}  // namespace vram
