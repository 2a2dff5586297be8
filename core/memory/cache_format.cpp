#include "core/memory/cache_format.h"

namespace vram {

CacheFormat cache_format(CacheType type) {
  switch (type) {
    case CacheType::f16:
    case CacheType::bf16: return {1, 2, 0};
    case CacheType::fp8: return {1, 1, 0};
    case CacheType::q8_0:
    case CacheType::q8: return {32, 34, 0};
    case CacheType::q6: return {32, 26, 0};
    case CacheType::q5_1: return {32, 24, 0};
    case CacheType::q5_0: return {32, 22, 0};
    case CacheType::q4_1: return {32, 20, 0};
    case CacheType::q4_0:
    case CacheType::iq4_nl:
    case CacheType::q4: return {32, 18, 0};
  }
  return {};
}

}  // namespace vram
