#include "tests/bench/cases.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/base/embedded_files.h"
#include "core/fit/match.h"
#include "core/memory/estimate.h"
#include "core/report/answer.h"
#include "core/report/table.h"
#include "tests/bench/synthetic_machines.h"

namespace vram::bench {
namespace {

struct Job {
  std::string_view name, words;
};

/// The largest language models of the catalogue, each on eight cards.
constexpr std::array kLargest = {
    Job{"llama-3.1-405b, vLLM bf16",
        "task=serving model=llama-3.1-405b framework=vllm weights=bf16 gpu=h200-sxm-141gb gpu_count=8"},
    Job{"llama-3.1-405b, llama.cpp q4_k_m, layers split",
        "task=inference model=llama-3.1-405b framework=llama.cpp weights=q4_k_m context=32768 "
        "gpu=rtx-pro-6000-blackwell-server-edition gpu_count=8"},
    Job{"llama-3.1-405b, full training, FSDP",
        "task=full model=llama-3.1-405b sharding=fsdp checkpointing=full context=8192 gpu=b200-sxm-hgx-180gb "
        "gpu_count=8"},
    Job{"deepseek-v3, vLLM fp8",
        "task=serving model=deepseek-v3 framework=vllm weights=fp8 gpu=h200-sxm-141gb gpu_count=8"},
    Job{"deepseek-v3, full training, FSDP",
        "task=full model=deepseek-v3 sharding=fsdp checkpointing=full context=4096 gpu=b200-sxm-hgx-180gb gpu_count=8"},
};

/// What a visitor of the page looks at.
constexpr std::array kPages = {
    Job{"llama-3.1-8b, QLoRA, 1 card", "task=qlora model=llama-3.1-8b context=4096 gpu=geforce-rtx-5090"},
    Job{"qwen3-235b-a22b, llama.cpp q4_k_m, 4 cards that do not suffice",
        "task=inference model=qwen3-235b-a22b framework=llama.cpp weights=q4_k_m context=32768 gpu=geforce-rtx-5090 "
        "gpu_count=4"},
    kLargest[0], kLargest[1], kLargest[4]};

void stop(std::string_view why) {
  std::fprintf(stderr, "vram_bench: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(1);
}

Request request_of(std::string_view words) {
  Request request;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (set_from_text(request, word.substr(0, equals), word.substr(equals + 1))) stop(word);
  }
  return request;
}

Scenario scenario_of(std::string_view words, const Facts& facts) {
  auto scenario = resolve(request_of(words), facts);
  if (!scenario) stop(words);
  return std::move(*scenario);
}

std::vector<CatalogFile> catalog_files() {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) files.push_back({file.name, file.text});
  return files;
}

template <class T>
T read_file(std::span<const embedded::File> files, std::string_view name, Result<T> (*read)(const embedded::File&)) {
  for (const embedded::File& file : files) {
    if (file.name != name) continue;
    if (auto result = read(file)) return std::move(*result);
  }
  stop(name);
  return {};
}

Result<Texts> read_texts(const embedded::File& file) {
  const auto parsed = json::parse(file.text);
  return parsed ? Texts::read(file.name, *parsed) : Result<Texts>(parsed.error());
}

Result<Formulas> read_formulas(const embedded::File& file) {
  const auto parsed = json::parse(file.text);
  return parsed ? Formulas::read(*parsed) : Result<Formulas>(parsed.error());
}

class Cases {
 public:
  explicit Cases(const Data& data) : data_(data) {}

  void add_estimates() {
    for (const Job& job : kLargest) {
      const Scenario scenario = scenario_of(job.words, data_.shipped.facts);
      add(
          "estimate", job.name, [scenario] { return estimate(scenario).devices.front().items.size(); }, 10, 25);
    }
  }

  void add_resolving() {
    const Facts& facts = data_.shipped.facts;
    for (const Job& job : kLargest) {
      const Request request = request_of(job.words);
      add("resolve", job.name, [request, &facts] { return resolve(request, facts)->gpus.size(); });
    }
  }

  void add_matching() {
    for (const Job& job : kPages) {
      add_match(job, "shipped machines", data_.shipped, 0);
      add_match(job, "1,000 machines", data_.large, 1000);
    }
  }

  void add_updates() {
    for (const Job& job : kPages) {
      add_update(job, "shipped machines", data_.shipped);
      add_update(job, "1,000 machines", data_.large);
    }
  }

  void add_reading() {
    const std::vector<CatalogFile> files = catalog_files();
    add("read", "the catalogue", [files] {
      std::vector<CatalogFault> faults;
      return read_catalog(files, faults).facts.models.models.size() + faults.size();
    });
    for (const embedded::File& file : embedded::text_files()) {
      add("read", "texts, " + std::string(file.name), [&file] { return read_texts(file)->language().size(); });
    }
  }

  void add_reports() {
    for (const Job& job : kPages) {
      const auto evaluation = evaluate(request_of(job.words), data_.shipped);
      if (!evaluation) stop(job.words);
      const Data& data = data_;
      const auto answer = [evaluation, &data] {
        return json::write(answer_to_json(*evaluation, data.shipped, data.formulas)).size();
      };
      const auto table = [evaluation, &data] {
        return answer_table(*evaluation, data.shipped, data.formulas, data.english, {}).size();
      };
      add("report", "JSON: " + std::string(job.name), answer);
      add("report", "table: " + std::string(job.name), table);
    }
  }

  std::vector<Case> take() { return std::move(cases_); }

 private:
  void add(std::string_view group, std::string_view name, Work work, double goal_native_us = 0,
           double goal_wasm_us = 0) {
    cases_.push_back({std::string(group), std::string(name), std::move(work), goal_native_us, goal_wasm_us});
  }

  void add_match(const Job& job, std::string_view machines, const Catalog& catalog, double goal_us) {
    const Request request = request_of(job.words);
    const Scenario scenario = scenario_of(job.words, catalog.facts);
    add(
        "match", std::string(machines) + ": " + std::string(job.name),
        [request, scenario, &catalog] { return match_configurations(request, scenario, catalog).size(); }, goal_us,
        goal_us);
  }

  void add_update(const Job& job, std::string_view machines, const Catalog& catalog) {
    const Request request = request_of(job.words);
    add(
        "update", std::string(machines) + ": " + std::string(job.name),
        [request, &catalog] { return evaluate(request, catalog)->configurations.size(); }, 0, 4000);
  }

  const Data& data_;
  std::vector<Case> cases_;
};

}  // namespace

Data read_data() {
  Data data;
  std::vector<CatalogFault> faults;
  data.shipped = read_catalog(catalog_files(), faults);
  if (!faults.empty()) stop(faults.front().error.where);
  data.large = with_machines(data.shipped, 1000);
  if (data.large.machines.configurations.size() != 1000) stop("too few synthetic machines");
  data.formulas = read_file<Formulas>(embedded::catalog_files(), "formulas.json", read_formulas);
  data.english = read_file<Texts>(embedded::text_files(), "en", read_texts);
  return data;
}

std::vector<Case> cases(const Data& data) {
  Cases all(data);
  all.add_estimates();
  all.add_resolving();
  all.add_matching();
  all.add_updates();
  all.add_reading();
  all.add_reports();
  return all.take();
}

}  // namespace vram::bench
