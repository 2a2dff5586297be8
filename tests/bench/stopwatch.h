// How long a piece of work takes: the median of many batches. The only place in the repository that asks for the time.
#pragma once

#include <cstdint>
#include <functional>

namespace vram::bench {

/// Does the work once; what it returns depends on the result, so that no compiler leaves the work out.
using Work = std::function<std::uint64_t()>;

/// Microseconds for one piece of work.
struct Timing {
  double best = 0, median = 0, p90 = 0;
  std::uint32_t batches = 0, repeats = 0;  ///< repeats of the work in each batch
};

struct Effort {
  std::uint32_t batches = 201;
  double batch_us = 1000;  ///< at least so long is a batch, that the clock's grain does not show
};

Timing measure(const Work& work, const Effort& effort);

}  // namespace vram::bench
