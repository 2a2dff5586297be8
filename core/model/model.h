// The one description of a model: runs of layers, each made of a sequence mixer and a feed-forward part.
// Weights, caches, activations, adapters and quantiser choices are all computed by walking it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/count.h"
#include "core/format/tensor.h"

namespace vram {

enum class ModelKind : std::uint8_t { language, vision_language, embedding, encoder_decoder, vision, diffusion, speech };

enum class NormKind : std::uint8_t {
  rms,        ///< one weight vector
  layer,      ///< weight and bias
  layer_no_bias,
  none,       ///< normalises without parameters
};

enum class QkNorm : std::uint8_t {
  none,
  per_head,  ///< one vector of head_dim for q and one for k, shared by the heads
  full,      ///< vectors over all heads: heads*head_dim and kv_heads*head_dim
};

enum class Activation : std::uint8_t { silu, gelu, gelu_tanh, gelu_new /**< unfused tanh form of HF GPT-2 */, relu, relu2 };

/// Softmax attention with any number of key/value heads (MHA, GQA, MQA).
struct Attention {
  Count heads, kv_heads, head_dim;
  Count value_dim;      ///< head size of v; equal to head_dim in most models
  Count window;         ///< sliding window in tokens; 0 = full attention
  Count chunk;          ///< chunked attention (Llama 4) in tokens; 0 = none
  bool q_bias = false, k_bias = false, v_bias = false, o_bias = false;
  bool fused_qkv = false;      ///< stored as one matrix (GPT-2, Phi-3, Falcon...)
  QkNorm qk_norm = QkNorm::none;
  bool sinks = false;          ///< one learned logit per head (gpt-oss)
  bool output_gate = false;    ///< the query projection also yields a gate (Qwen3-Next)
  bool value_is_key = false;   ///< k and v are one projection (Gemma 4 global layers)
  bool shares_cache = false;   ///< uses an earlier layer's keys and values (Gemma 3n)
  bool causal = true;          ///< false in encoders: no cache
  bool softcap = false;        ///< tanh soft-capping of scores (Gemma 2)
};

/// Multi-head latent attention (DeepSeek V2/V3): one compressed key/value vector per token.
struct LatentAttention {
  Count heads;
  Count q_rank;         ///< 0 = plain query projection
  Count kv_rank, nope_dim, rope_dim, value_dim;
  Count indexer_heads, indexer_dim;  ///< sparse attention's indexer (DeepSeek V3.2); 0 = none
};

/// Gated delta net (Qwen3-Next, Qwen3.5).
struct GatedDeltaNet {
  Count key_heads, value_heads, key_dim, value_dim, conv_kernel;
};

/// Kimi delta attention.
struct KimiDelta {
  Count heads, head_dim, conv_kernel;
};

struct Mamba1 {
  Count inner, state, dt_rank, conv_kernel;
};

struct Mamba2 {
  Count heads, head_dim, groups, state, conv_kernel;
  [[nodiscard]] constexpr Count inner() const { return heads * head_dim; }
};

/// Gated short convolution (LFM2).
struct ShortConv {
  Count conv_kernel;
};

/// Linear softmax-free attention with a matrix state per head (Lightning attention, MiniMax, Bailing).
struct LinearAttention {
  Count heads, head_dim;
};

struct Rwkv {
  Count head_size;
  Count token_shifts = 2;
  Count extra_parameters;  ///< per layer, all its tensors (their shapes are not modelled one by one)
};

using Mixer = std::variant<std::monostate, Attention, LatentAttention, GatedDeltaNet, KimiDelta, Mamba1, Mamba2,
                           ShortConv, LinearAttention, Rwkv>;

struct Mlp {
  Count size;
  bool gated = true;
  bool fused_gate_up = false;  ///< gate and up stored as one matrix (Phi-3, GLM-4)
  bool bias = false;
  Activation activation = Activation::silu;
};

struct Experts {
  Count count, active, size;
  bool gated = true;
  bool bias = false;             ///< biases of the expert matrices (gpt-oss)
  bool router_bias = false;
  bool correction_bias = false;  ///< the router's score correction (DeepSeek V3)
  Count shared_size;             ///< total width of the shared experts; 0 = none
  bool shared_gate = false;      ///< sigmoid gate of the shared expert (Qwen)
  Count latent;                  ///< experts work on this width (Nemotron 3 Super); 0 = hidden
  Activation activation = Activation::silu;
};

using FeedForward = std::variant<std::monostate, Mlp, Experts>;

/// One layer. Empty mixer or feed-forward: the layer has only the other part (Nemotron-H).
struct Layer {
  Mixer mixer;
  /// Cross-attention to an encoder's output (decoder of T5, Whisper, Llama 3.2 Vision's added layers); heads 0 = none.
  Attention cross_attention;
  /// A second mixer that runs beside the first on the same input (Falcon-H1).
  Mixer parallel_mixer;
  FeedForward feed_forward;
  std::uint8_t norms = 2;          ///< normalisations of width `hidden`
  Count extra_parameters;          ///< small tensors this description has no word for (per layer; 1-D)
};

/// An encoder beside the language model: vision or audio tower, text encoder.
struct Tower {
  enum class Kind : std::uint8_t { vision, audio, text } kind = Kind::vision;
  Count hidden, layers, heads, ffn;
  Count patch, image;           ///< patch edge and native image edge in pixels; 0 where meaningless
  Count parameters;             ///< of the tower alone
  Count projector_parameters;   ///< between tower and language model
  Count tokens_per_image;       ///< tokens one native image becomes in the language model; 0 = by resolution
  Count merge = 1;              ///< patches per side merged into one token
};

struct Model {
  std::string id, name, family, license, source;
  std::vector<std::string> aliases;
  bool license_verified = false;
  bool unverified = false;       ///< the published total was not read at its source, or our count is an estimate
  ModelKind kind = ModelKind::language;

  Count hidden, vocab;
  Count embedding_dim;           ///< width of the token embedding where it differs from hidden (0 = hidden)
  bool tied = false;             ///< output matrix is the token embedding
  bool has_output = true;        ///< false: encoders and embedding models have no language-model head
  bool output_bias = false;
  Count positions;               ///< learned absolute positions; 0 = rotary or relative
  Count token_types;             ///< BERT segments
  NormKind norm = NormKind::rms;
  bool embedding_norm = false;   ///< BERT, BLOOM: a normalisation after the embedding
  bool final_norm = true;
  bool pooler = false;           ///< BERT pooler: hidden*hidden + hidden
  bool linear_bias = false;
  bool parallel_block = false;   ///< attention and MLP read the same normalised input
  bool post_norms = false;       ///< Gemma-style 1+w norms in fp32
  bool final_softcap = false;
  Count relative_biases;         ///< T5: parameters of the relative position biases, all stacks together
  Count context_max;             ///< trained context in tokens; 0 = unknown
  Count per_layer_embedding;     ///< parameters of Gemma 3n's per-layer embeddings, which engines keep off the GPU

  std::vector<Layer> kinds;             ///< the distinct layers
  std::vector<std::uint16_t> order;     ///< for each decoder (or only) layer its index in `kinds`
  std::vector<std::uint16_t> encoder;   ///< encoder layers of an encoder-decoder, first in execution
  std::vector<std::uint16_t> mtp;       ///< multi-token-prediction layers behind the last one; engines may leave them out

  std::vector<Tower> towers;

  Count parameters;              ///< counted by tensors, towers included, MTP excluded
  Count active_parameters;       ///< with the router's top-k instead of all experts; both embeddings counted
  Count published_parameters;    ///< 0 = none known

  /// Tensors of kinds[i] (same index), filled when the model is read; `layer` is kNoLayer in them.
  std::vector<std::vector<Tensor>> kind_tensors;
  /// Embeddings, final norm, head: everything outside the layers except towers.
  std::vector<Tensor> outer_tensors;
  /// One entry per tower and projector matrix group.
  std::vector<Tensor> tower_tensors;

  [[nodiscard]] std::size_t layer_count() const { return order.size(); }
  [[nodiscard]] const Layer& layer(std::size_t index) const { return kinds[order[index]]; }
};

}  // namespace vram
