// A model from a GGUF file's metadata and tensors.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/model/imports/gguf.h"
#include "core/model/imports/imported.h"

namespace vram::imports {

/// The parts of one model: a single file, or all parts of a split one, with a projector file ("mmproj") if there is one.
/// Layers come from the tensors of each layer, sizes from their shapes; nothing depends on the architecture's name but
/// which layers see a window. Errors: missing_field when a part of the model or a number is missing.
Result<Imported> model_of_gguf(const std::vector<Gguf>& files);

/// The request's word for `general.file_type`; empty for none that we know.
std::string weights_of_file_type(std::uint64_t file_type);

}  // namespace vram::imports
