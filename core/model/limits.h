// The largest numbers a model description may hold. Far above any real model, far below what could overflow a count.
#pragma once

#include "core/base/count.h"

namespace vram::limits {

inline constexpr Count kWidth = 1U << 20U;                     ///< hidden, ffn, ranks, head sizes
inline constexpr Count kHeads = 1U << 14U;                     ///< heads of a layer
inline constexpr Count kLayers = 4096;                         ///< layers of a stack
inline constexpr Count kExperts = 1U << 16U;                   ///< experts of a layer
inline constexpr Count kVocab = 1U << 26U;                     ///< rows of an embedding
inline constexpr Count kTokens = 1U << 30U;                    ///< positions, windows, context
inline constexpr Count kPixels = 1U << 16U;                    ///< edges of images
inline constexpr Count kParameters = std::uint64_t{1} << 50U;  ///< stated totals and undescribed tensors
inline constexpr Count kTowers = 8;
inline constexpr Count kProjections = 64;

}  // namespace vram::limits
