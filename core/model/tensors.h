// The tensors of a model, derived from its layers (formulas.md section 2).
#pragma once

#include <vector>

#include "core/format/tensor.h"
#include "core/model/model.h"

namespace vram {

/// Appends the tensors of one layer kind; `layer` is kNoLayer in each. F-2.1.
void append_layer_tensors(const Model& model, const Layer& layer, std::vector<Tensor>& out);
/// Appends embeddings, positions, final norm, head, pooler.
void append_outer_tensors(const Model& model, std::vector<Tensor>& out);
/// Appends the towers' and projectors' tensors.
void append_tower_tensors(const Model& model, std::vector<Tensor>& out);

/// Fills kind_tensors, outer_tensors, tower_tensors, parameters and active_parameters.
void derive_tensors(Model& model);

/// Linear modules of a layer that adapters can target, with their shapes (F-8.1). Fused matrices count as one module of
/// their full output width; routed experts are not among them.
void append_linear_modules(const Model& model, const Layer& layer, std::vector<Tensor>& out);

}  // namespace vram
