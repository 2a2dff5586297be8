// Parameters of adapters beside a frozen base, from the shapes of the modules they attach to (F-8.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/count.h"
#include "core/format/tensor.h"
#include "core/memory/training/optimizer.h"
#include "core/model/model.h"
#include "core/scenario/choices.h"

namespace vram {

struct AdapterChoice {
  Adapter kind = Adapter::lora;
  Count rank = 16;
  std::uint32_t targets = 0;  ///< mask over LoraTarget, groups expanded
};

/// Targets by which a module of this role is named: attn_qkv answers to q, k and v. 0: adapters cannot attach to it.
std::uint32_t targets_of(TensorRole role);

/// Parameters of a layer's adapters: LoRA rank * (in + out) per targeted module, DoRA one more per output; LLaMA-Adapter
/// 10 prompt vectors and a gate per head; its second version also a scale and a bias per output of every linear, and the
/// norms. Llama-3.1-8B, all seven linears, rank 16: 41,943,040 over 32 layers.
Count adapter_elements(const Model& model, std::size_t kind, const AdapterChoice& choice);

/// Elements of the low-rank matrices alone: what autocast copies.
Count low_rank_elements(const Model& model, std::size_t kind, std::uint32_t targets, Count rank);

/// Parameters of LoRA on the embedding and the head: rank * (vocabulary + width) each.
Count outer_adapter_elements(const Model& model, const AdapterChoice& choice);

/// Shows every tensor of a layer's adapters, `layers` times, to the optimizer.
void add_adapter_tensors(const Model& model, std::size_t kind, const AdapterChoice& choice, Count layers,
                         OptimizerTally& tally);

}  // namespace vram
