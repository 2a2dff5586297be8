// Everything resolved: numbers only, no default left to choose, no name left to look up. The memory model reads nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/count.h"
#include "core/format/storage_format.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/model/vision/operation.h"
#include "core/scenario/choices.h"
#include "core/scenario/constants.h"
#include "core/scenario/gpu.h"
#include "core/scenario/request.h"

namespace vram {

/// Something the visitor should know beside the number; catalog/i18n holds its sentence ("warning.<id>").
struct Warning {
  const char* id = "";
  std::string_view field = {};  ///< the field concerned; empty for none
  struct Value {
    const char* name;
    std::string text;
  };
  std::vector<Value> values;
};

struct GpuSlot {
  std::shared_ptr<const Gpu> gpu;
  Bytes usable;  ///< driver-reported
  Band display;  ///< what the screen, the operating system and the driver keep of this card
  bool drives_screen = false;
  Bytes margin;  ///< working margin
  std::shared_ptr<const ResolvedConstants> constants;
};

/// Degrees of parallelism; tensor * pipeline * context * data = number of GPUs unless layers are split.
struct Parallel {
  Count tensor = 1, pipeline = 1, context = 1, expert = 1, data = 1;
  Count interleave = 1;   ///< model chunks of a pipeline stage
  bool sequence = false;  ///< sequence parallelism beside tensor parallelism
  bool split_layers =
      false;  ///< whole layers on each GPU, one after the other (llama.cpp, device maps): no degree applies
  std::vector<std::uint32_t> layer_counts;  ///< layers of each GPU; empty: by the engine's own rule
};

struct InferenceSettings {
  CacheType cache_k = CacheType::f16, cache_v = CacheType::f16;
  AttentionKernel attention = AttentionKernel::sdpa;
  Count context;          ///< tokens of the longest sequence
  Count context_average;  ///< tokens of the average sequence; sizes paged caches
  Count sequences = 1;    ///< alive at once: batch, or users grown over the planning period when serving
  Count users_today = 1;  ///< before growth
  Count prefill_tokens;   ///< tokens scheduled in one step; already the runtime's default when not given
  Count ubatch = 512;
  Count max_sequences;  ///< rows the sampler's profile run uses; the runtime's default when not given
  bool cuda_graphs = true;
  Count gpu_layers;           ///< repeating layers on GPUs, counted from the last; model.layer_count() = all
  bool output_on_gpu = true;  ///< false only with fewer GPU layers than the model has plus one
  bool cpu_experts = false;
  double memory_fraction = 0;
  double prefix_share = 0;  ///< share of the context that all sequences have in common
};

struct TrainingSettings {
  Precision precision = Precision::amp_bf16;
  Count compute_bytes = 2;   ///< of an activation element in matrix products
  Count residual_bytes = 2;  ///< of the residual stream: 4 under autocast over fp32 weights
  Count weight_bytes = 2;    ///< of a trained parameter
  Count gradient_bytes = 2;
  Count master_bytes = 0;  ///< fp32 master copy
  Count state_bytes = 2;   ///< of one optimizer-state element where the optimizer follows the parameter
  bool autocast = false;
  Optimizer optimizer = Optimizer::adamw;
  OptimizerImplementation implementation = OptimizerImplementation::foreach;
  OptimizerState optimizer_state = OptimizerState::same;
  Checkpointing checkpointing = Checkpointing::none;
  Count checkpoint_every = 1;  ///< layers between checkpoints
  AttentionKernel attention = AttentionKernel::sdpa;
  Loss loss = Loss::full_fp32;
  bool compile = false;
  bool packing = true;     ///< every batch has the same shape; else lengths vary up to `sequence`
  Count evaluation_batch;  ///< sequences of an evaluation step; 0 without evaluation
  Preference preference = Preference::none;
  Count generations = 8;  ///< answers to one prompt (GRPO)
  Count accumulation = 1;
  Count batch = 1, sequence;  ///< micro-batch in sequences, tokens per sequence
  Adapter adapter = Adapter::lora;
  Count lora_rank = 16;
  std::uint32_t lora_targets = 0;  ///< mask over LoraTarget q..embed, groups expanded
  Count adapter_bytes = 4;
  bool kbit_upcast = false;           ///< PEFT's k-bit preparation: what is not quantised becomes fp32 (F-8.3)
  std::uint32_t trained_modules = 0;  ///< mask over TrainedModule
  Sharding sharding = Sharding::none;
  Offload offload = Offload::none;
};

struct VisionSettings {
  Count image_height, image_width, frames, classes;
  TextEncoder text_encoder = TextEncoder::keep;
  bool vae_tiling = false;
  ComponentOffload offload = ComponentOffload::none;
  WeightFormat encoder_weights;                ///< of text encoders
  bool cached_latents = true;                  ///< training reads latents and text embeddings that were made before
  Count text_tokens;                           ///< of a prompt; 0 = the pipeline's own length
  std::shared_ptr<const vision::Graph> graph;  ///< of a vision model, for its number of classes
  /// Of a diffusion model: what runs once a step, and the two halves of the autoencoder.
  std::shared_ptr<const vision::Graph> denoiser, decoder, encoder;
};

struct Scenario {
  std::shared_ptr<const Model> model;
  WeightFormat weights;
  std::shared_ptr<const StoredWeights> stored;
  Task task = Task::inference;
  RuntimeId runtime = RuntimeId::transformers;
  RuntimeId rules =
      RuntimeId::transformers;  ///< the runtime whose rules are used; differs when the asked one has none yet
  Version version;
  InferenceSettings inference;
  TrainingSettings training;
  VisionSettings vision;
  Parallel parallel;
  std::vector<GpuSlot> gpus;  ///< at least one
  Os os = Os::linux_os;
  Display display = Display::none;
  double growth_percent = 0;
  Count growth_months = 12;
  Bytes dataset;
  double calibration = 1;  ///< of activations, logits and temporary buffers, by a measurement of the visitor's own
  Count checkpoints_kept = 2;
  Mains mains = Mains::v230_a16;
  std::vector<Warning> warnings;

  [[nodiscard]] const ResolvedConstants& constants() const { return *gpus.front().constants; }
};

}  // namespace vram
