// Where in a model a file's tensor belongs, and the file's weights added up by place.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/imports/file_tensor.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"

namespace vram::imports {

struct Place {
  enum class Part : std::uint8_t {
    layer,
    encoder,
    mtp,
    token_embedding,
    output,
    other,
    tower,
    per_layer_embedding,
    none,  ///< no weight: rotary tables and the like
  };
  enum class Share : std::uint8_t { split, replicated, experts };

  Part part = Part::other;
  Share share = Share::split;  ///< of a layer's tensor
  std::uint32_t layer = 0;
  std::string_view suffix = {};  ///< a layer's tensor without the layer's name
};

/// "blk.12.attn_q.weight" and the like (llama.cpp, gguf-py/gguf/constants.py). `layers`: of the decoder; what lies behind
/// them predicts further tokens.
Place place_of_gguf(std::string_view name, std::uint32_t layers);
/// "model.layers.12.self_attn.q_proj.weight" and the like (Transformers' checkpoints).
Place place_of_checkpoint(std::string_view name, std::uint32_t layers, bool has_encoder);

struct PlacedTensor {
  const FileTensor* tensor = nullptr;
  Place place;
};

/// The sums by place. Where the file packs several elements into one number, `packed`, elements are those of the model's
/// description; the bytes are always the file's.
StoredWeights stored_in_file(const std::vector<PlacedTensor>& tensors, const Model& model, bool packed);

}  // namespace vram::imports
