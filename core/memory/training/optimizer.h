// Optimizer states and the temporaries of a step, tensor by tensor (F-6.2, F-6.3).
#pragma once

#include "core/base/count.h"
#include "core/scenario/choices.h"

namespace vram {

struct OptimizerRecipe {
  Optimizer optimizer = Optimizer::adamw;
  OptimizerImplementation implementation = OptimizerImplementation::foreach;
  OptimizerState state = OptimizerState::same;
  Count parameter_bytes = 4;  ///< of the parameters the step works on: the masters' where there are masters
  Count state_bytes = 4;      ///< of a state element where the optimizer follows the parameter
  Count gradient_bytes = 4;
  bool torch_1 = false;     ///< multi-tensor steps hold two copies instead of one
  Count galore_rank = 128;  ///< Hugging Face's default
};

/// A trained parameter: `copies` equal tensors of rows x cols; rows 1 for vectors.
struct TrainedTensor {
  Count rows = 1, cols = 1, copies = 1;
  bool in_layer = false;  ///< inside the layers: Muon and GaLore treat only those matrices
};

struct OptimizerNeeds {
  Count elements;  ///< trained parameters
  Bytes states;    ///< all states
  Bytes pageable;  ///< of them in managed memory, which leaves the GPU under pressure
  Bytes step;      ///< temporaries of one step
  Count largest;   ///< elements of the largest tensor
};

/// Adds up the needs of trained parameters, shown in the order in which the model holds them.
class OptimizerTally {
 public:
  explicit OptimizerTally(const OptimizerRecipe& recipe) : recipe_(recipe) {}
  void add(const TrainedTensor& tensor);
  [[nodiscard]] OptimizerNeeds needs() const;

 private:
  OptimizerRecipe recipe_;
  OptimizerNeeds sum_;
  Count previous_;  ///< elements of the tensor before: a loop still holds its last temporary
  Bytes loop_;      ///< largest temporary of a loop over tensors so far
  Count largest_in_layer_;
};

/// State bytes of one tensor. 8-bit AdamW, 4096 x 4096: 34,078,720. GaLore, rank 128, 4096 x 14336, 16 bit: 8,388,608.
Bytes state_bytes(const OptimizerRecipe& recipe, const TrainedTensor& tensor);

/// SOAP's states of a matrix in units of `bytes`: two moments and, for each side up to 10,000, two square preconditioners.
/// 4096 x 4096 in fp32: 402,653,184.
Bytes soap_state_bytes(Count rows, Count cols, Count bytes);

}  // namespace vram
