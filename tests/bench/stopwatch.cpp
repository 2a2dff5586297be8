#include "tests/bench/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace vram::bench {
namespace {

volatile std::uint64_t sink = 0;

/// Microseconds for `repeats` pieces of work.
double batch(const Work& work, std::uint32_t repeats) {
  std::uint64_t sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < repeats; ++i) sum += work();
  const auto end = std::chrono::steady_clock::now();
  sink = sink + sum;
  return std::chrono::duration<double, std::micro>(end - start).count();
}

/// How often the work fits into a batch; also warms caches, and lets a JavaScript engine finish compiling.
std::uint32_t repeats_for(const Work& work, double batch_us) {
  constexpr std::uint32_t kMost = 1U << 20U;
  std::uint32_t repeats = 1;
  while (repeats < kMost && batch(work, repeats) < batch_us) repeats *= 2;
  return repeats;
}

}  // namespace

Timing measure(const Work& work, const Effort& effort) {
  Timing timing;
  timing.batches = effort.batches;
  timing.repeats = repeats_for(work, effort.batch_us);
  std::vector<double> times(effort.batches);
  for (double& time : times) time = batch(work, timing.repeats) / timing.repeats;
  std::sort(times.begin(), times.end());
  timing.best = times.front();
  timing.median = times[times.size() / 2];
  timing.p90 = times[times.size() * 9 / 10];
  return timing;
}

}  // namespace vram::bench
