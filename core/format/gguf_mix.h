// llama.cpp's mixes: which tensor of a GGUF file gets which type.
#pragma once

#include "core/format/mix_places.h"
#include "core/format/tensor.h"

namespace vram {

/// llama.cpp's choice for one tensor of a mix (F-3.3).
TensorType gguf_type(GgufMix mix, const Tensor& tensor, LayerPlace place, const QuantiserContext& context);

}  // namespace vram
