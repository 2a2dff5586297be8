#include "core/memory/allocator.h"

#include <cstddef>

namespace vram {

void AllocatorSimulation::allocate(Bytes request) {
  const Bytes block = allocator_block(request);
  const bool is_small = block <= kSmallRequest;
  std::vector<Bytes>& free_blocks = is_small ? free_small_ : free_large_;
  // A large block is split only if more than 1 MiB would remain; otherwise the request gets, and counts, all of it.
  const Bytes least_remainder = is_small ? Bytes(512) : kSmallRequest + 1;

  std::size_t best = free_blocks.size();
  for (std::size_t i = 0; i < free_blocks.size(); ++i) {
    if (free_blocks[i] >= block && (best == free_blocks.size() || free_blocks[i] < free_blocks[best])) best = i;
  }
  if (best == free_blocks.size()) {
    free_blocks.push_back(allocator_segment(request));
    reserved_ += free_blocks.back();
  }
  const Bytes remainder = free_blocks[best] - block;
  const bool split = remainder >= least_remainder;
  allocated_ += split ? block : free_blocks[best];
  free_blocks[best] = split ? remainder : Bytes();
}

AllocatorTotals simulate_allocations(std::span<const Bytes> requests) {
  AllocatorSimulation allocator;
  for (const Bytes request : requests) allocator.allocate(request);
  return {allocator.allocated(), allocator.reserved()};
}

}  // namespace vram
