// What one vision framework does differently from a plain PyTorch loop.
#pragma once

#include "core/memory/vision/walk.h"
#include "core/scenario/choices.h"

namespace vram::vision {

struct Framework {
  RuntimeId id;
  BackboneNorm frozen_norm = BackboneNorm::stored;  ///< of a backbone that is partly frozen
  bool zeroes_gradients = false;                    ///< gradients stay allocated between steps (PyTorch 1's zero_grad)
  bool moving_average = false;                      ///< keeps an averaged copy of the weights
  bool torch_1 = false;                             ///< its published readings come from PyTorch 1
};

/// The framework's row; plain PyTorch where it has none.
const Framework& framework_of(RuntimeId id);

}  // namespace vram::vision
