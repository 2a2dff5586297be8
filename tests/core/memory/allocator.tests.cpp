#include "core/memory/allocator.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace vram {

TEST_CASE("Requests become blocks and segments by PyTorch's rules", "[memory][allocator]") {
  struct Row {
    Bytes request, block, segment;
  };
  const Row rows[] = {
      // T-14.01
      {1, 512, 2097152},
      {512, 512, 2097152},
      {513, 1024, 2097152},
      {1048576, 1048576, 2097152},
      {1048577, 1049088, 20971520},
      {10485248, 10485248, 20971520},
      {10485760, 10485760, 10485760},
      {10485761, 10486272, 12582912},
      {33554432, 33554432, 33554432},
      {100000000, 100000256, 100663296},
  };
  for (const Row& row : rows) {
    INFO(row.request.value());
    CHECK(allocator_block(row.request) == row.block);
    CHECK(allocator_segment(row.request) == row.segment);
  }
}

TEST_CASE("A sequence of requests splits segments as the caching allocator does", "[memory][allocator]") {
  const std::vector<Bytes> requests = {1000, 1048576, 1048576, 3145728, 12582912, 5242880, 1049088};
  CHECK(simulate_allocations(requests) == AllocatorTotals{24118784, 46137344});  // T-14.02
}

TEST_CASE("Loading GPT-2 reserves what the allocator's rules say", "[memory][allocator]") {
  // Module order, biases between the matrices: T-14.03.
  const auto load = [](Count bytes) {
    constexpr std::uint64_t kHidden = 768;
    std::vector<Bytes> requests = {Count(50257) * kHidden * bytes, Count(1024) * kHidden * bytes};
    for (int layer = 0; layer < 12; ++layer) {
      for (const std::uint64_t elements :
           {kHidden, kHidden, 3 * kHidden * kHidden, 3 * kHidden, kHidden * kHidden, kHidden, kHidden, kHidden,
            4 * kHidden * kHidden, 4 * kHidden, 4 * kHidden * kHidden, kHidden}) {
        requests.push_back(Count(elements) * bytes);
      }
    }
    requests.insert(requests.end(), {Count(kHidden) * bytes, Count(kHidden) * bytes});
    return simulate_allocations(requests);
  };
  CHECK(load(4) == AllocatorTotals{498558976, 555745280});
  CHECK(load(2) == AllocatorTotals{255308800, 268435456});
}

TEST_CASE("Loading Llama-3.1-8B in 16 bit wastes less than one percent", "[memory][allocator]") {
  std::vector<Bytes> requests = {Bytes(128256) * 4096 * 2};
  for (int layer = 0; layer < 32; ++layer) {  // T-14.04
    for (const Bytes elements :
         {Bytes(4096) * 4096, Bytes(1024) * 4096, Bytes(1024) * 4096, Bytes(4096) * 4096, Bytes(14336) * 4096,
          Bytes(14336) * 4096, Bytes(14336) * 4096, Bytes(4096), Bytes(4096)}) {
      requests.push_back(elements * 2);
    }
  }
  requests.push_back(4096 * 2);
  requests.push_back(Bytes(128256) * 4096 * 2);
  CHECK(simulate_allocations(requests) == AllocatorTotals{16060522496, 16196304896});
}

}  // namespace vram
