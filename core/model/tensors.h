// The tensors of a model, derived from its layers (formulas.md section 2).
#pragma once

#include <vector>

#include "core/format/tensor.h"
#include "core/model/model.h"

namespace vram {

/// Appends the tensors of one layer kind; `layer` is kNoLayer in each. F-2.1.
/// A fused gate/up matrix is one mlp_up of 2*size rows; the experts of a layer are one tensor of `count` matrices a role,
/// their biases one tensor of `count` vectors.
void append_layer_tensors(const Model& model, const Layer& layer, std::vector<Tensor>& out);
/// Appends embeddings, positions, final norms, head, pooler, and the stems of vision and speech models.
void append_outer_tensors(const Model& model, std::vector<Tensor>& out);
/// Appends the towers' and projectors' tensors.
void append_tower_tensors(const Model& model, std::vector<Tensor>& out);
/// Appends one tower's and its projector's tensors.
void append_tower(const Tower& tower, std::vector<Tensor>& out);
/// Fills Tower::parameters and Tower::projector_parameters.
void count_tower(Tower& tower);

/// Fills kind_tensors, outer_tensors, tower_tensors, the towers' counts, parameters and active_parameters (F-2.2).
void derive_tensors(Model& model);

/// Linear modules of a layer that adapters can target, with their shapes (F-8.1). Fused matrices count as one module of
/// their full output width; routed experts and routers are not among them.
void append_linear_modules(const Model& model, const Layer& layer, std::vector<Tensor>& out);

}  // namespace vram
