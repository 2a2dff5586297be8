// The activation peak of vLLM's profile run at start (F-5.2).
#pragma once

#include "core/base/count.h"
#include "core/memory/kv_cache.h"
#include "core/model/model.h"
#include "core/scenario/constants.h"

namespace vram {

struct ProfileRun {
  Count batched_tokens = 8192;  ///< max_num_batched_tokens
  Count sampled_rows = 1024;    ///< max_num_seqs
  Count element_bytes = 2;
  Count tensor = 1;
  bool samples = true;  ///< this stage has the head
  bool staged = false;  ///< one of several pipeline stages: it holds what it hands on
};

/// Layers: 1.1 * B * e * (3 h + 3 f / t), f = 1.5 * (k * m + shared) for experts; a pipeline stage holds 2 h more for the
/// next one (Llama-3.1-8B on two and four stages: 1,126 and 1,075 MiB logged, 1,078 by this rule).
Band profile_layers(const Model& model, LayerRange range, const ProfileRun& run, const ResolvedConstants& constants);

/// Sampler: bytes per logit by version * R * V + 190 MiB; logits are gathered, so not divided by t; fp32 models' own logits
/// take 2 B more each. 0 without the head.
/// Worked number: Llama-3.1-8B, R = 1024, vLLM 0.19 -> 2,037,907,456 bytes (T-5.02a).
Band profile_sampler(const Model& model, const ProfileRun& run, const ResolvedConstants& constants);

}  // namespace vram
