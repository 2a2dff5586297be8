// The two spellings of a model's layers, and its towers. Used by read_model() alone.
#pragma once

#include <cstdint>

#include "core/model/model.h"
#include "core/model/object_reader.h"
#include "core/model/vision/program.h"

namespace vram {

/// `"layers": [runs]`, with `kinds`, `encoder` and `mtp`: design rule 2.
void read_layered(ObjectReader& object, Model& model);
/// `"layers": 32, "heads": ...`: expands the numbers of a uniform or patterned model into layers.
void read_flat(ObjectReader& object, Model& model);
/// `vision`, `audio` and `towers`.
void read_towers(ObjectReader& object, Model& model);

/// `pipeline`: text encoders, denoiser and autoencoder of a diffusion model; false when there is none.
bool read_pipeline(ObjectReader& object, const std::shared_ptr<const vision::Library>& library, Model& model);

/// The index of `layer` among the model's kinds, adding it when it is new.
std::uint16_t intern(Model& model, const Layer& layer);

/// Checks that hold for an attention in either spelling; fills nothing.
void check_attention(ObjectReader& object, const Attention& attention);

}  // namespace vram
