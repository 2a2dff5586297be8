// vram_bench [--quick] [--json] [TEXT]: how long the parts of an answer take. A table of microseconds, or JSON; TEXT picks
// the cases whose group or name holds it. Times depend on the machine, so nothing here passes or fails.
//   natively   build/native/vram_bench
//   as wasm32  node build/wasm/node/vram_bench.js
#include <cstdio>
#include <string_view>

#include "core/base/json.h"
#include "tests/bench/cases.h"

namespace {

using vram::bench::Case;
using vram::bench::Timing;

#ifdef __EMSCRIPTEN__
constexpr bool kWasm = true;
#else
constexpr bool kWasm = false;
#endif

struct Options {
  bool quick = false, json = false;
  std::string_view only;
};

double goal_of(const Case& job) { return kWasm ? job.goal_wasm_us : job.goal_native_us; }

bool is_wanted(const Case& job, std::string_view text) {
  return job.group.find(text) != std::string::npos || job.name.find(text) != std::string::npos;
}

void print_heading(const vram::bench::Data& data) {
  const auto& machines = data.large.machines;
  std::printf("%s; %zu models, %zu GPUs, %zu shipped machines with %zu sets of cards, %zu synthetic ones with %zu\n\n",
              kWasm ? "wasm32" : "native", data.shipped.facts.models.models.size(), data.shipped.facts.gpus.gpus.size(),
              data.shipped.machines.configurations.size(), data.shipped.machines.gpu_sets.size(),
              machines.configurations.size(), machines.gpu_sets.size());
  std::printf("%-9s%-84s%10s%10s%10s%10s\n", "", "microseconds", "best", "median", "p90", "goal");
}

void print_row(const Case& job, const Timing& timing) {
  std::printf("%-9s%-84s%10.2f%10.2f%10.2f", job.group.c_str(), job.name.c_str(), timing.best, timing.median,
              timing.p90);
  if (const double goal = goal_of(job); goal > 0) {
    std::printf("%10.0f%s", goal, timing.median > goal ? " missed" : "");
  }
  std::printf("\n");
  std::fflush(stdout);
}

vram::json::Value row_of(const Case& job, const Timing& timing) {
  auto row = vram::json::Value::object();
  row.set("group", job.group);
  row.set("name", job.name);
  row.set("best_us", timing.best);
  row.set("median_us", timing.median);
  row.set("p90_us", timing.p90);
  if (goal_of(job) > 0) row.set("goal_us", goal_of(job));
  row.set("batches", timing.batches);
  row.set("repeats", timing.repeats);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--json") {
      options.json = true;
    } else if (word.starts_with("--") || !options.only.empty()) {
      std::fprintf(stderr, "usage: vram_bench [--quick] [--json] [TEXT]\n");
      return 2;
    } else {
      options.only = word;
    }
  }
  const vram::bench::Effort effort = options.quick ? vram::bench::Effort{21, 200} : vram::bench::Effort{};
  const vram::bench::Data data = vram::bench::read_data();
  auto rows = vram::json::Value::array();
  if (!options.json) print_heading(data);
  for (const Case& job : vram::bench::cases(data)) {
    if (!is_wanted(job, options.only)) continue;
    const Timing timing = measure(job.work, effort);
    if (options.json) {
      rows.push(row_of(job, timing));
    } else {
      print_row(job, timing);
    }
  }
  if (!options.json) return 0;
  auto all = vram::json::Value::object();
  all.set("build", kWasm ? "wasm32" : "native");
  all.set("times", std::move(rows));
  std::printf("%s\n", vram::json::write(all, 2).c_str());
  return 0;
}
