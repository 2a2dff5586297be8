// Weights as a model's own file stores them, in place of what a storage format's rules would give.
#pragma once

#include <string>

#include "core/model/object_reader.h"
#include "core/model/stored_weights.h"

namespace vram {

struct FileWeights {
  std::string format;  ///< the request's word for what the file is in; asking for another one leaves the file aside
  StoredWeights stored;
};

/// The member `stored`: {"format":"q4_k_m","token_embedding":[elements,bytes],...,"kinds":[[split elements, bytes,
/// replicated elements, bytes, experts elements, bytes, quantised elements, bytes],...],"layers":[[kind,count],...]}.
/// Fills Model::file_weights; derive_tensors() must have run.
void read_file_weights(ObjectReader& object, Model& model);
/// The inverse.
json::Value write_file_weights(const FileWeights& weights);

/// Fills what is derived: the total, the tied output and the largest matrices.
void complete_file_weights(const Model& model, StoredWeights& stored);

}  // namespace vram
