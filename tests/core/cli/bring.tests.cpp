#include "core/cli/bring.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/json.h"
#include "core/cli/commands.h"
#include "tests/core/model/imports/tiny_files.h"
#include "tests/core/report/measured/logs.h"

using namespace vram;
using namespace vram::testing;

namespace {

/// A file for the length of a test; data behind the header are a hole.
class File {
 public:
  File(std::string_view name, std::string_view content, std::uint64_t size)
      : path_(std::filesystem::temp_directory_path() / name) {
    std::ofstream(path_, std::ios::binary) << content;
    std::filesystem::resize_file(path_, size);
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome run(const std::vector<std::string_view>& words, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out, err;
  Outcome outcome;
  outcome.status = cli::run(words, in, out, err);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

json::Value json_of(const Outcome& outcome) {
  const auto parsed = json::parse(outcome.out);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("a file is described and estimated from its header", "[cli][imports]") {
  const GgufBuilder builder = tiny_gguf();
  const File file("vram-test-tiny.gguf", text_of(builder.header()), builder.file_size());
  const Outcome described = run({"describe", file.name(), "--json"});
  REQUIRE(described.status == 0);
  const json::Value answer = json_of(described);
  CHECK(answer.find("name")->text() == "Tiny");
  CHECK(answer.find("weights")->text() == "q4_k_m");
  CHECK(answer.find("types")->items().front().find("type")->text() == "q4_k");

  const Outcome estimated = run({"estimate", "--file", file.name(), "context=512", "--json"});
  REQUIRE(estimated.status == 0);
  std::uint64_t weights = 0;
  const json::Value estimate = json_of(estimated);
  for (const json::Value& item : estimate.find("gpus")->items().front().find("items")->items()) {
    if (item.find("group")->text() == "weights") weights += item.find("bytes")->find("expected")->integer();
  }
  // The embedding stays in system memory; everything else is on the card as the file has it.
  CHECK(weights == answer.find("stored")->integer() - 512 * 144);
}

TEST_CASE("a damaged file is refused with its name and place", "[cli][imports]") {
  const std::string header = text_of(tiny_gguf().header());
  const File file("vram-test-cut.gguf", header, header.size() - 10);
  const Outcome described = run({"describe", file.name()});
  CHECK(described.status == 1);
  CHECK(described.err.find("vram-test-cut.gguf, byte ") != std::string::npos);
  CHECK(run({"describe", "/nowhere/at/all.gguf"}).status == 1);
}

TEST_CASE("a log is compared from standard input", "[cli][measured]") {
  const Outcome compared = run({"compare", "--json"}, std::string(kLlamaLog));
  REQUIRE(compared.status == 0);
  const json::Value answer = json_of(compared);
  CHECK(answer.find("sources")->items().front().text() == "llama.cpp");
  CHECK(answer.find("request")->find("model")->text() == "llama-3.1-8b");
  CHECK(answer.find("items")->items().size() == 4);
  CHECK(run({"compare"}, "nothing of the kind").status == 1);
}

TEST_CASE("a card is asked what fits on it", "[cli][turned_round]") {
  const Outcome alone = run({"fit", "gpu=geforce-rtx-5090", "--json"});
  REQUIRE(alone.status == 0);
  CHECK_FALSE(json_of(alone).find("models")->items().empty());
  CHECK(json_of(alone).find("largest") == nullptr);
  const Outcome with_model =
      run({"fit", "gpu=geforce-rtx-5090", "model=llama-3.1-8b", "framework=llama.cpp", "--json"});
  REQUIRE(with_model.status == 0);
  const json::Value answer = json_of(with_model);
  CHECK(answer.find("largest")->items().front().find("field")->text() == "context");
  CHECK(answer.find("best_weights") != nullptr);
  CHECK(run({"fit", "gpu=geforce-rtx-5090", "model=llama-3.1-8b"}).status == 0);
}
