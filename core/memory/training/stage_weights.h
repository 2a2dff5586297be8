// The weights of a stage on one GPU, by what training asks of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram {

/// After tensor and expert parallelism, before data-parallel ranks divide anything.
struct StageWeights {
  Stored all;
  Stored layer;                       ///< the largest layer
  Stored root;                        ///< everything outside the layers
  Count expert_elements;              ///< routed experts among `all`
  Count quantised_elements;           ///< stored quantised among `all`
  std::vector<std::uint32_t> layers;  ///< number of layers of each model kind, encoder layers included

  [[nodiscard]] Count unquantised_elements() const { return all.elements - quantised_elements; }
};

StageWeights stage_weights(const Scenario& scenario, const Shard& shard);

}  // namespace vram
