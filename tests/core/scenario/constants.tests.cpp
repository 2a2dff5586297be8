#include "core/scenario/constants.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/core/memory/cache_vectors.h"

namespace vram {
namespace {

using namespace testing;

/// A file whose every constant is complete, then the given entries.
ConstantTable table_with(const std::string& entries, std::vector<Error>& faults) {
  std::string text = "{\"constants\":[";
  for (std::size_t i = 0; i < kConstantCount; ++i) {
    const auto constant = static_cast<Constant>(i);
    text += "{\"constant\":\"" + std::string(name_of(constant)) + "\",\"low\":1,\"expected\":2,\"high\":3," +
            (is_bytes(constant) ? "\"unit\":\"MiB\"," : "") + "\"source\":\"base\"},";
  }
  if (entries.empty()) text.pop_back();
  const Result<json::Value> file = json::parse(text + entries + "]}");
  REQUIRE(file);
  return read_constants(*file, faults);
}

}  // namespace

TEST_CASE("versions compare by their numbers", "[constants]") {
  CHECK(parse_version("").latest);
  CHECK(parse_version("main").latest);
  CHECK(parse_version("0.19.1").at_least(0, 19, 1));
  CHECK(!parse_version("0.19.1").at_least(0, 19, 2));
  CHECK(parse_version("v2.6").at_least(2, 6));
  CHECK(!parse_version("4.9").at_least(4, 45));
  CHECK(parse_version("b4567").major == 4567);
  CHECK(parse_version("4.51.3 (torch 2.6.0)").patch == 3);
  CHECK(Version{}.at_least(1000000));
  CHECK(parse_version("99999999999999999999.1").at_least(1000));
}

TEST_CASE("the most specific entry holds", "[constants]") {
  std::vector<Error> faults;
  const ConstantTable table = table_with(
      R"({"constant":"context","generation":"ada","unit":"MiB","low":1,"expected":10,"high":20,"source":"ada"},
         {"constant":"context","runtime":"vllm","unit":"MiB","low":1,"expected":11,"high":20,"source":"vllm"},
         {"constant":"context","runtime":"vllm","versions":{"from":"0.9","to":"0.16"},"unit":"MiB","low":1,"expected":12,"high":20,"source":"old"},
         {"constant":"context","runtime":["sglang","vllm"],"generation":["ada","hopper"],"unit":"B","low":1,"expected":13,"high":20,"source":"both"})",
      faults);
  CHECK(faults.empty());
  const auto expected = [&](RuntimeId runtime, std::string_view version, GpuGeneration generation) {
    return table.resolve(runtime, parse_version(version), generation).band(Constant::context).expected;
  };
  CHECK(expected(RuntimeId::transformers, "", GpuGeneration::volta) == 2 * kMiB);
  CHECK(expected(RuntimeId::transformers, "", GpuGeneration::ada) == 10 * kMiB);
  CHECK(expected(RuntimeId::vllm, "", GpuGeneration::volta) == 11 * kMiB);
  CHECK(expected(RuntimeId::vllm, "0.16.9", GpuGeneration::volta) == 12 * kMiB);
  CHECK(expected(RuntimeId::vllm, "0.17", GpuGeneration::volta) == 11 * kMiB);
  CHECK(expected(RuntimeId::vllm, "0.8.5", GpuGeneration::volta) == 11 * kMiB);
  CHECK(expected(RuntimeId::vllm, "0.16", GpuGeneration::ada) == Bytes(13));
  CHECK(expected(RuntimeId::sglang, "", GpuGeneration::hopper) == Bytes(13));
  const ResolvedConstants resolved = table.resolve(RuntimeId::sglang, {}, GpuGeneration::hopper);
  CHECK(std::string(resolved.source(Constant::context)) == "both");
}

TEST_CASE("sources outlive the table they were read into", "[constants]") {
  ResolvedConstants resolved;
  {
    std::vector<Error> faults;
    const ConstantTable table = table_with("", faults);
    CHECK(faults.empty());
    resolved = table.resolve(RuntimeId::vllm, {}, GpuGeneration::ada);
  }
  CHECK(std::string(resolved.source(Constant::margin_share)) == "base");
  CHECK(resolved.factor(Constant::margin_share) == Factor{1, 2, 3});
}

TEST_CASE("a bad entry is reported with its path and spares the rest", "[constants][faults]") {
  struct Case {
    const char* entry;
    ErrorCode code;
    const char* where;
  };
  const std::string at = "constants[" + std::to_string(kConstantCount) + "]";
  const Case kCases[] = {
      {R"({"constant":"gravity","low":1,"expected":1,"high":1,"source":"s"})", ErrorCode::unknown_id, ".constant"},
      {R"({"low":1,"expected":1,"high":1,"source":"s"})", ErrorCode::missing_field, ".constant"},
      {R"({"constant":"margin_share","runtime":"vllm","low":1,"expected":1,"high":1})", ErrorCode::missing_field,
       ".source"},
      {R"({"constant":"margin_share","runtime":"word","low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::unknown_choice, ".runtime"},
      {R"({"constant":"margin_share","generation":"warp","low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::unknown_choice, ".generation"},
      {R"({"constant":"margin_share","runtime":"vllm","low":1,"expected":0.5,"high":1,"source":"s"})",
       ErrorCode::out_of_range, ".expected"},
      {R"({"constant":"margin_share","runtime":"vllm","low":-1,"expected":0.5,"high":1,"source":"s"})",
       ErrorCode::out_of_range, ".low"},
      {R"({"constant":"margin_share","runtime":"vllm","unit":"MiB","low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::unknown_field, ".unit"},
      {R"({"constant":"context","runtime":"vllm","low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::missing_field, ".unit"},
      {R"({"constant":"context","runtime":"vllm","unit":"GB","low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::unknown_choice, ".unit"},
      {R"({"constant":"context","runtime":"vllm","unit":"B","low":1,"expected":"1","high":1,"source":"s"})",
       ErrorCode::wrong_type, ".expected"},
      {R"({"constant":"context","runtime":"vllm","unit":"B","low":1,"expected":1,"source":"s"})",
       ErrorCode::missing_field, ".high"},
      {R"({"constant":"margin_share","versions":{"since":"1"},"low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::wrong_type, ".versions"},
      {R"({"constant":"margin_share","shoe_size":44,"low":1,"expected":1,"high":1,"source":"s"})",
       ErrorCode::unknown_field, ".shoe_size"},
      {R"({"constant":"margin_share","low":1,"expected":1,"high":1,"source":"twin"})", ErrorCode::duplicate_field, ""},
      {R"(7)", ErrorCode::wrong_type, ""},
  };
  for (const Case& c : kCases) {
    INFO(c.entry);
    std::vector<Error> faults;
    const ConstantTable table = table_with(c.entry, faults);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].code == c.code);
    CHECK(faults[0].where == at + c.where);
    CHECK(table.entries->size() == kConstantCount);
  }
}

TEST_CASE("a constant that does not hold everywhere is a fault", "[constants][faults]") {
  const Result<json::Value> file = json::parse(
      R"({"constants":[{"constant":"margin_share","runtime":"vllm","low":1,"expected":1,"high":1,"source":"s"}]})");
  REQUIRE(file);
  std::vector<Error> faults;
  (void)read_constants(*file, faults);
  CHECK(faults.size() == kConstantCount);
  faults.clear();
  (void)read_constants(json::Value::object(), faults);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == ErrorCode::missing_field);
}

TEST_CASE("the shipped constants are complete and sensible on every card", "[constants][catalogue]") {
  std::vector<Error> faults;
  const ConstantTable table = read_constants(shipped_file("runtimes.json"), faults);
  for (const Error& fault : faults) FAIL_CHECK(fault.where << " " << fault.got << " " << fault.expected);
  for (std::size_t runtime = 0; runtime < kRuntimeNames.size(); ++runtime) {
    for (auto generation = GpuGeneration::unknown; generation <= GpuGeneration::apple;
         generation = static_cast<GpuGeneration>(static_cast<int>(generation) + 1)) {
      const ResolvedConstants resolved = table.resolve(static_cast<RuntimeId>(runtime), {}, generation);
      for (std::size_t i = 0; i < kConstantCount; ++i) {
        INFO(kRuntimeNames[runtime] << " " << name_of(static_cast<Constant>(i)));
        CHECK(std::string(resolved.sources[i]).size() > 0);
      }
      // F-14.1: a process with PyTorch holds more than one without.
      CHECK(resolved.band(Constant::context).expected >= resolved.band(Constant::context_bare).expected);
      CHECK(resolved.band(Constant::context).high <= 2 * kGiB);
    }
  }
  // F-14.2.
  CHECK(table.resolve(RuntimeId::transformers, {}, GpuGeneration::ada).band(Constant::cublas_workspace).expected ==
        Bytes(8519680));
  CHECK(table.resolve(RuntimeId::transformers, {}, GpuGeneration::hopper).band(Constant::cublas_workspace).expected ==
        Bytes(33554432));
  // F-5.2: bytes per logit by version.
  CHECK(table.resolve(RuntimeId::vllm, parse_version("0.19.0"), GpuGeneration::hopper)
            .factor(Constant::sampler_per_logit)
            .expected == 14.0);
  CHECK(table.resolve(RuntimeId::vllm, parse_version("0.10.2"), GpuGeneration::hopper)
            .factor(Constant::sampler_per_logit)
            .expected == 38.0);
}

}  // namespace vram
