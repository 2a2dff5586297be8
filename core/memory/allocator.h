// PyTorch's caching allocator: how requests become blocks and segments (F-14.3).
#pragma once

#include <span>
#include <vector>

#include "core/base/count.h"

namespace vram {

/// Bytes of the block that serves a request: multiples of 512, at least 512.
/// allocator_block(513) = 1,024.
constexpr Bytes allocator_block(Bytes request) { return max(Bytes(512), pad(request, 512)); }

/// Requests up to here come from the small pool.
inline constexpr Bytes kSmallRequest = kMiB;
/// Requests of at least this size get a segment of their own size.
inline constexpr Bytes kLargeRequest = 10 * kMiB;

/// Bytes of the segment that cudaMalloc is asked for when no cached block fits.
/// allocator_segment(10,485,761) = 12,582,912.
constexpr Bytes allocator_segment(Bytes request) {
  const Bytes block = allocator_block(request);
  if (block <= kSmallRequest) return 2 * kMiB;
  return block < kLargeRequest ? 20 * kMiB : pad(block, 2 * kMiB);
}

/// The default allocator's bookkeeping for one stream, fed with requests that are never freed: loading a model.
class AllocatorSimulation {
 public:
  void allocate(Bytes request);
  [[nodiscard]] Bytes allocated() const { return allocated_; }
  [[nodiscard]] Bytes reserved() const { return reserved_; }

 private:
  std::vector<Bytes> free_small_, free_large_;  ///< remainders of segments, in address order
  Bytes allocated_, reserved_;
};

/// Bytes allocated and reserved after a sequence of requests.
struct AllocatorTotals {
  Bytes allocated, reserved;
  friend bool operator==(const AllocatorTotals&, const AllocatorTotals&) = default;
};
AllocatorTotals simulate_allocations(std::span<const Bytes> requests);

}  // namespace vram
