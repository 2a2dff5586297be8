// Ledgers of diffusion pipelines: text encoders, a denoiser over latents, an autoencoder (F-12).
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/shard.h"
#include "core/scenario/scenario.h"

namespace vram::diffusion {

/// Phases of making an image or a clip.
inline constexpr Phases kMaking = {Phase::load, Phase::encode_text, Phase::denoise, Phase::vae_decode};

/// Appends what making images needs. Requires Scenario::vision.denoiser.
void append_run(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);
/// Appends what one training step of the denoiser needs.
void append_step(const Scenario& scenario, const Shard& shard, DeviceLedger& device, Ledger& ledger);

}  // namespace vram::diffusion
