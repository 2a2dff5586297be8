// The one description of a model: runs of layers, each made of a sequence mixer and a feed-forward part.
// Weights, caches, activations, adapters and quantiser choices are all computed by walking it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/count.h"
#include "core/format/tensor.h"

namespace vram {

struct FileWeights;
namespace vision {
struct Program;
struct Pipeline;
}  // namespace vision

enum class ModelKind : std::uint8_t {
  language,
  vision_language,
  embedding,
  encoder_decoder,
  vision,
  diffusion,
  speech
};

enum class NormKind : std::uint8_t {
  rms,    ///< one weight vector
  layer,  ///< weight and bias
  layer_no_bias,
  none,  ///< normalises without parameters
};

enum class QkNorm : std::uint8_t {
  none,
  per_head,  ///< one vector of head_dim for q and one for k, shared by the heads
  full,      ///< vectors over all heads: heads*head_dim and kv_heads*head_dim
};

enum class Activation : std::uint8_t {
  silu,
  gelu,
  gelu_tanh,
  gelu_new /**< unfused tanh form of HF GPT-2 */,
  relu,
  relu2
};

/// Softmax attention with any number of key/value heads (MHA, GQA, MQA).
struct Attention {
  Count heads, kv_heads, head_dim;
  Count value_dim;  ///< head size of v; equal to head_dim in most models
  Count window;     ///< sliding window in tokens; 0 = full attention
  Count chunk;      ///< chunked attention (Llama 4) in tokens; 0 = none
  bool q_bias = false, k_bias = false, v_bias = false, o_bias = false;
  bool fused_qkv = false;  ///< stored as one matrix (GPT-2, Phi-3, Falcon...)
  QkNorm qk_norm = QkNorm::none;
  bool sinks = false;         ///< one learned logit per head (gpt-oss)
  bool output_gate = false;   ///< the query projection also yields a gate (Qwen3-Next)
  bool value_is_key = false;  ///< k and v are one projection (Gemma 4 global layers)
  bool shares_cache = false;  ///< uses an earlier layer's keys and values (Gemma 3n)
  bool has_kv = true;         ///< false: no k and v matrices of its own either (Gemma 4's sharing layers)
  bool causal = true;         ///< false in encoders: no cache
  bool softcap = false;       ///< tanh soft-capping of scores (Gemma 2)

  friend bool operator==(const Attention&, const Attention&) = default;
};

/// Multi-head latent attention (DeepSeek V2/V3): one compressed key/value vector per token.
struct LatentAttention {
  Count heads;
  Count q_rank;  ///< 0 = plain query projection
  Count kv_rank, nope_dim, rope_dim, value_dim;
  Count indexer_heads, indexer_dim;  ///< sparse attention's indexer (DeepSeek V3.2); 0 = none

  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// Gated delta net (Qwen3-Next, Qwen3.5).
struct GatedDeltaNet {
  Count key_heads, value_heads, key_dim, value_dim, conv_kernel;

  friend bool operator==(const GatedDeltaNet&, const GatedDeltaNet&) = default;
};

/// Kimi delta attention.
struct KimiDelta {
  Count heads, head_dim, conv_kernel;

  friend bool operator==(const KimiDelta&, const KimiDelta&) = default;
};

struct Mamba1 {
  Count inner, state, dt_rank, conv_kernel;
  bool inner_norms = false;  ///< normalises dt, B and C (Jamba)

  friend bool operator==(const Mamba1&, const Mamba1&) = default;
};

struct Mamba2 {
  Count heads, head_dim, groups, state, conv_kernel;
  bool gated_norm = true;  ///< a normalisation of width inner() before the output projection
  [[nodiscard]] constexpr Count inner() const { return heads * head_dim; }

  friend bool operator==(const Mamba2&, const Mamba2&) = default;
};

/// Gated short convolution (LFM2).
struct ShortConv {
  Count conv_kernel;

  friend bool operator==(const ShortConv&, const ShortConv&) = default;
};

/// Linear softmax-free attention with a matrix state per head (Lightning attention, MiniMax, Bailing).
struct LinearAttention {
  Count heads, head_dim;

  friend bool operator==(const LinearAttention&, const LinearAttention&) = default;
};

/// RWKV-7 time mixing; the channel mixing is the layer's plain MLP.
struct Rwkv {
  Count head_size;
  Count token_shifts = 2;
  Count decay_rank, rate_rank, value_rank, gate_rank;  ///< low-rank pairs; the first layer has no value pair (0)
  Count extra_parameters;                              ///< small tensors this description has no word for (per layer)

  friend bool operator==(const Rwkv&, const Rwkv&) = default;
};

using Mixer = std::variant<std::monostate, Attention, LatentAttention, GatedDeltaNet, KimiDelta, Mamba1, Mamba2,
                           ShortConv, LinearAttention, Rwkv>;

struct Mlp {
  Count size;
  bool gated = true;
  bool fused_gate_up = false;  ///< gate and up stored as one matrix (Phi-3, GLM-4)
  bool bias = false;
  Activation activation = Activation::silu;

  friend bool operator==(const Mlp&, const Mlp&) = default;
};

struct Experts {
  Count count, active, size;
  bool gated = true;
  bool bias = false;  ///< biases of the expert matrices (gpt-oss)
  bool router_bias = false;
  bool correction_bias = false;  ///< the router's score correction (DeepSeek V3)
  Count shared_size;             ///< total width of the shared experts; 0 = none
  bool shared_gate = false;      ///< sigmoid gate of the shared expert (Qwen)
  Count latent;                  ///< experts work on this width (Nemotron 3 Super); 0 = hidden
  Activation activation = Activation::silu;

  friend bool operator==(const Experts&, const Experts&) = default;
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
  std::uint8_t norms = 2;        ///< normalisations of width `hidden`
  bool prediction_head = false;  ///< a multi-token-prediction layer: its projection 2*hidden -> hidden and three norms
  Count extra_parameters;        ///< small tensors this description has no word for (per layer; 1-D)

  friend bool operator==(const Layer&, const Layer&) = default;
};

/// A linear layer (or `count` equal ones) between a tower and the language model.
struct Projection {
  Count in, out;
  bool bias = true;
  Count count = 1;

  friend bool operator==(const Projection&, const Projection&) = default;
};

/// An encoder beside the language model: vision or audio tower, text encoder.
struct Tower {
  enum class Kind : std::uint8_t { vision, audio, text } kind = Kind::vision;
  Count hidden, layers, heads, ffn;
  bool gated = false;    ///< MLP with gate
  bool bias = true;      ///< biases of the linear layers
  bool key_bias = true;  ///< Whisper's k projection has none
  NormKind norm = NormKind::layer;
  Count patch, image;  ///< patch edge and native image edge in pixels; 0 where meaningless
  Count channels = 3;
  Count frames = 1;  ///< frames merged by the patch convolution (Qwen-VL: 2)
  bool patch_bias = true;
  Count mel_bins;   ///< audio: two convolutions of width 3 over this many bins
  Count positions;  ///< learned positions; 0 = rotary
  bool class_token = false;
  bool input_norm = false;      ///< a normalisation before the first layer (CLIP, Pixtral)
  bool output_norm = true;      ///< and one behind the last
  bool attention_pool = false;  ///< SigLIP's pooling head: probe, attention, normalisation, MLP
  Count other_parameters;       ///< small tensors this description has no word for
  std::vector<Projection> projector;
  Count projector_norms;       ///< elements of the projector's normalisations
  Count tokens_per_image;      ///< tokens one native image becomes in the language model; 0 = by resolution
  Count merge = 1;             ///< patches per side merged into one token
  Count parameters;            ///< derived: of the tower alone
  Count projector_parameters;  ///< derived: between tower and language model

  friend bool operator==(const Tower&, const Tower&) = default;
};

struct Model {
  std::string id, name, family, license, source;
  std::vector<std::string> aliases;
  bool license_verified = false;
  bool unverified = false;  ///< the published total was not read at its source, or our count is an estimate
  ModelKind kind = ModelKind::language;

  Count hidden, vocab;
  Count embedding_dim;     ///< width of the token embedding where it differs from hidden (0 = hidden)
  bool tied = false;       ///< output matrix is the token embedding
  bool has_output = true;  ///< false: encoders and embedding models have no language-model head
  bool output_bias = false;
  Count positions;    ///< learned absolute positions; 0 = rotary or relative
  Count token_types;  ///< BERT segments
  NormKind norm = NormKind::rms;
  bool embedding_norm = false;  ///< BERT, BLOOM: a normalisation after the embedding
  bool final_norm = true;
  bool pooler = false;  ///< BERT pooler: hidden*hidden + hidden
  bool linear_bias = false;
  bool parallel_block = false;  ///< attention and MLP read the same normalised input
  bool post_norms = false;      ///< Gemma-style 1+w norms in fp32
  bool final_softcap = false;
  Count relative_biases;      ///< T5: parameters of the relative position biases, all stacks together
  Count relative_rows;        ///< DeBERTa: rows of the relative position embedding, which has a norm of its own
  Count context_max;          ///< trained context in tokens; 0 = unknown
  Count per_layer_embedding;  ///< parameters of Gemma 3n's per-layer embeddings, which engines keep off the GPU
  Count classes;              ///< classification head: classes*hidden + classes; 0 = none
  Count projection;           ///< CLIP, SigLIP: width of the text embedding's projection; 0 = none
  bool projection_bias = false;
  Count patch, image;   ///< vision models: patch edge and native image edge in pixels
  Count image_width;    ///< where it differs from `image`; 0 = square
  Count frames;         ///< of a native clip; 0 = still images
  Count frozen_stages;  ///< detectors: stages of a pretrained backbone that are usually not trained, the stem counted
  bool class_token = false;  ///< vision models: a learned token before the patches
  Count mel_bins;            ///< Whisper: two convolutions of width 3 before the encoder
  Count encoder_positions;   ///< learned positions of the encoder (Whisper, BART)
  Count extra_parameters;    ///< small tensors outside the layers this description has no word for

  std::shared_ptr<const vision::Program> program;    ///< vision models: the network as a graph, in place of layers
  std::shared_ptr<const vision::Pipeline> pipeline;  ///< diffusion models: text encoders, denoiser and autoencoder

  std::vector<Layer> kinds;            ///< the distinct layers
  std::vector<std::uint16_t> order;    ///< for each decoder (or only) layer its index in `kinds`
  std::vector<std::uint16_t> encoder;  ///< encoder layers of an encoder-decoder, first in execution
  std::vector<std::uint16_t> mtp;  ///< multi-token-prediction layers behind the last one; engines may leave them out

  std::vector<Tower> towers;

  Count parameters;            ///< counted by tensors, towers included, MTP excluded
  Count active_parameters;     ///< with the router's top-k instead of all experts; both embeddings counted, towers not
  Count published_parameters;  ///< 0 = none known
  std::shared_ptr<const FileWeights> file_weights;  ///< what the model's own file stores; null in the catalogue
  std::string definition;  ///< the JSON object it was read from, for merging changes over it; may be empty

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
