// What each runtime is for, how it spreads over GPUs by default, and whose rules stand in until it has its own.
#pragma once

#include "core/model/model.h"
#include "core/scenario/choices.h"

namespace vram {

/// How several GPUs are used when the request gives no degrees (api.md "Parallelism").
enum class Spread : std::uint8_t { layers, tensor, data };

struct RuntimeRow {
  RuntimeId id;
  bool runs = false;  ///< inference, development
  bool serves = false;
  bool trains = false;
  bool vision = false;        ///< for vision or diffusion models
  bool preallocates = false;  ///< takes a share of the card at start (memory_fraction, paged cache)
  bool gguf = false;          ///< reads GGUF files
  Spread spread = Spread::data;
  RuntimeId run_rules = RuntimeId::transformers;  ///< rules used when it runs a model
  RuntimeId train_rules = RuntimeId::pytorch;     ///< rules used when it trains
};

const RuntimeRow& runtime_row(RuntimeId id);

/// The runtime a job uses when the request names none. Models with latent attention (DeepSeek) run in a server: Transformers
/// would expand their cache 71-fold, so nobody runs them there (F-4.3).
RuntimeId default_runtime(Task task, const Model& model, bool gguf_weights);

}  // namespace vram
