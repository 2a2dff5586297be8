#include "core/memory/training/optimizer.h"

namespace vram {
namespace {

/// bitsandbytes (optimizer.py): smaller tensors keep fp32 states.
constexpr Count kMin8BitElements = 4096;
constexpr Count k8BitBlock = 256;
/// bitsandbytes (get_state_buffer): smaller tensors are not paged.
constexpr Count kMinPagedElements = 100000;

/// `states` 8-bit states with an fp32 scale per block of 256; fp32 below 4096 elements.
Bytes block_states(Count elements, Count states) {
  if (elements < kMin8BitElements) return states * 4 * elements;
  return states * (elements + 4 * ceil_div(elements, k8BitBlock));
}

bool is_matrix(const TrainedTensor& tensor) { return tensor.rows > Count(1) && tensor.cols > Count(1); }

Bytes adam_states(const OptimizerRecipe& recipe, Count elements) {
  const bool quantised = recipe.state == OptimizerState::int8;
  return quantised ? block_states(elements, 2) : 2 * recipe.state_bytes * elements;
}

Bytes galore_states(const OptimizerRecipe& recipe, const TrainedTensor& tensor, bool quantised) {
  const Count elements = tensor.rows * tensor.cols;
  if (!tensor.in_layer || !is_matrix(tensor)) {
    return quantised ? block_states(elements, 2) : adam_states(recipe, elements);
  }
  const Count small = min(tensor.rows, tensor.cols);
  const Count large = max(tensor.rows, tensor.cols);
  const Count rank = min(recipe.galore_rank, small);
  const Bytes moments = quantised ? block_states(rank * large, 2) : 2 * recipe.state_bytes * rank * large;
  return recipe.gradient_bytes * small * rank + moments;
}

bool is_paged(Optimizer optimizer) {
  return optimizer == Optimizer::paged_adamw || optimizer == Optimizer::paged_adamw_8bit;
}

/// Elements a loop over tensors holds beside the tensor before: square root and quotient of Adam, update of Lion.
Count loop_elements(const OptimizerRecipe& recipe, const TrainedTensor& tensor, Count previous) {
  const Count elements = tensor.rows * tensor.cols;
  if (recipe.optimizer != Optimizer::adafactor) return 2 * elements + previous;
  // Hugging Face's Adafactor squares and updates in fp32; 16-bit parameters and gradients are copied to fp32 first.
  const Count copies = recipe.parameter_bytes == Count(4) ? 2 : 4;
  return copies * elements + max(previous, is_matrix(tensor) ? tensor.rows + tensor.cols : Count());
}

}  // namespace

Bytes state_bytes(const OptimizerRecipe& recipe, const TrainedTensor& tensor) {
  const Count elements = tensor.rows * tensor.cols;
  switch (recipe.optimizer) {
    case Optimizer::adamw:
    case Optimizer::paged_adamw: return adam_states(recipe, elements);
    case Optimizer::adamw_8bit:
    case Optimizer::paged_adamw_8bit: return block_states(elements, 2);
    case Optimizer::adafactor:
      return 4 * (is_matrix(tensor) ? tensor.rows + tensor.cols : elements);  // Hugging Face: always fp32
    case Optimizer::sgd: return {};
    case Optimizer::sgd_momentum:
    case Optimizer::lion: return recipe.state_bytes * elements;
    case Optimizer::lion_8bit: return block_states(elements, 1);
    case Optimizer::muon: return (tensor.in_layer && is_matrix(tensor) ? 1 : 2) * recipe.state_bytes * elements;
    case Optimizer::galore_adamw: return galore_states(recipe, tensor, false);
    case Optimizer::galore_adamw_8bit: return galore_states(recipe, tensor, true);
  }
  return {};
}

void OptimizerTally::add(const TrainedTensor& tensor) {
  const Count elements = tensor.rows * tensor.cols;
  if (!elements || !tensor.copies) return;
  const Bytes states = state_bytes(recipe_, tensor) * tensor.copies;
  sum_.elements += elements * tensor.copies;
  sum_.states += states;
  if (is_paged(recipe_.optimizer) && elements >= kMinPagedElements) sum_.pageable += states;
  loop_ = max(loop_, loop_elements(recipe_, tensor, previous_));
  // Equal tensors that follow one another: the second finds the first one's temporary.
  if (tensor.copies > Count(1) && elements > previous_) loop_ = max(loop_, loop_elements(recipe_, tensor, elements));
  previous_ = elements;
  sum_.largest = max(sum_.largest, elements);
  if (tensor.in_layer) largest_in_layer_ = max(largest_in_layer_, elements);
}

OptimizerNeeds OptimizerTally::needs() const {
  OptimizerNeeds needs = sum_;
  switch (recipe_.optimizer) {
    case Optimizer::adamw:
      if (recipe_.implementation == OptimizerImplementation::foreach) {
        needs.step = (recipe_.torch_1 ? 2 : 1) * recipe_.parameter_bytes * sum_.elements;
      } else if (recipe_.implementation == OptimizerImplementation::loop) {
        needs.step = recipe_.parameter_bytes * loop_;
      }
      break;
    case Optimizer::lion:
    case Optimizer::galore_adamw:
    case Optimizer::galore_adamw_8bit: needs.step = recipe_.parameter_bytes * loop_; break;
    case Optimizer::adafactor: needs.step = 4 * loop_; break;
    case Optimizer::muon: needs.step = 3 * 2 * largest_in_layer_; break;  // 16-bit copies of the iteration
    default: break;  // plain sums, and fused kernels of bitsandbytes
  }
  return needs;
}

Bytes soap_state_bytes(Count rows, Count cols, Count bytes) {
  constexpr Count kLargestSide = 10000;
  Count elements = 2 * rows * cols;
  for (const Count side : {rows, cols}) {
    if (side <= kLargestSide) elements += 2 * side * side;
  }
  return bytes * elements;
}

}  // namespace vram
