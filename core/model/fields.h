// The members of every part of a model's JSON, once: the same lists read and write, so that writing is the inverse of
// reading by construction.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/json.h"
#include "core/model/limits.h"
#include "core/model/model.h"
#include "core/model/object_reader.h"

namespace vram::model_fields {

/// Fills a structure from an object.
class FieldReader {
 public:
  explicit FieldReader(ObjectReader& object) : object_(&object) {}
  void required(std::string_view key, Count& out, Count most) {
    object_->require(key);
    object_->count(key, out, 0, most, 1);
  }
  void optional(std::string_view key, Count& out, Count fallback, Count most) {
    object_->count(key, out, fallback, most);
  }
  void flag(std::string_view key, bool& out, bool fallback) { object_->flag(key, out, fallback); }
  template <class Enum, std::size_t size>
  void word(std::string_view key, Enum& out, Enum fallback, const Word<Enum> (&words)[size]) {
    object_->word(key, out, fallback, words);
  }
  void text(std::string_view key, std::string& out) { object_->text(key, out); }
  /// A word of letters, each standing for one flag: "qkv".
  template <std::size_t size>
  void letters(std::string_view key, const char (&names)[size], bool* const (&flags)[size - 1]) {
    std::string given;
    object_->text(key, given);
    for (const char letter : given) {
      const std::size_t index = std::string_view(names).find(letter);
      if (index == std::string_view::npos) {
        object_->fail(ErrorCode::unknown_choice, key, object_->take(key), std::string("letters of ") + names);
        return;
      }
      *flags[index] = true;
    }
  }

 private:
  ObjectReader* object_;
};

/// Writes a structure as an object, leaving out what reading would assume anyway.
class FieldWriter {
 public:
  explicit FieldWriter(json::Value& object) : object_(&object) {}
  void required(std::string_view key, Count value, Count) { object_->set(key, value); }
  void optional(std::string_view key, Count value, Count fallback, Count) {
    if (value != fallback) object_->set(key, value);
  }
  void flag(std::string_view key, bool value, bool fallback) {
    if (value != fallback) object_->set(key, value);
  }
  template <class Enum, std::size_t size>
  void word(std::string_view key, Enum value, Enum fallback, const Word<Enum> (&words)[size]) {
    if (value == fallback) return;
    for (const Word<Enum>& candidate : words) {
      if (candidate.value == value) {
        object_->set(key, candidate.word);
        return;
      }
    }
  }
  void text(std::string_view key, const std::string& value) {
    if (!value.empty()) object_->set(key, value);
  }
  template <std::size_t size>
  void letters(std::string_view key, const char (&names)[size], const bool* const (&flags)[size - 1]) {
    std::string word;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      if (*flags[i]) word += names[i];
    }
    if (!word.empty()) object_->set(key, std::move(word));
  }

 private:
  json::Value* object_;
};

inline constexpr Word<NormKind> kNorms[] = {
    {"rmsnorm", NormKind::rms},
    {"layernorm", NormKind::layer},
    {"layernorm (weight only)", NormKind::layer_no_bias},
    {"none", NormKind::none},
};
inline constexpr Word<QkNorm> kQkNorms[] = {{"none", QkNorm::none}, {"head", QkNorm::per_head}, {"full", QkNorm::full}};
inline constexpr Word<Activation> kActivations[] = {
    {"silu", Activation::silu},         {"gelu", Activation::gelu}, {"gelu_tanh", Activation::gelu_tanh},
    {"gelu_new", Activation::gelu_new}, {"relu", Activation::relu}, {"relu2", Activation::relu2},
};
/// The second words are those of the flat form.
inline constexpr Word<ModelKind> kKinds[] = {
    {"language", ModelKind::language},   {"vision-language", ModelKind::vision_language},
    {"embedding", ModelKind::embedding}, {"encoder-decoder", ModelKind::encoder_decoder},
    {"vision", ModelKind::vision},       {"diffusion", ModelKind::diffusion},
    {"speech", ModelKind::speech},       {"llm", ModelKind::language},
    {"llm-hybrid", ModelKind::language}, {"ssm", ModelKind::language},
    {"vlm", ModelKind::vision_language}, {"vlm-hybrid", ModelKind::vision_language},
    {"encoder", ModelKind::embedding},   {"vision-language-encoder", ModelKind::embedding},
};
inline constexpr Word<Tower::Kind> kTowerKinds[] = {
    {"vision", Tower::Kind::vision}, {"audio", Tower::Kind::audio}, {"text", Tower::Kind::text}};

/// T itself or const T: reading fills, writing looks.
template <class T, class Plain>
concept Maybe = std::same_as<std::remove_const_t<T>, Plain>;

/// hidden / heads where that is a whole number, else 0: the usual head size.
constexpr Count usual_head_dim(Count hidden, Count heads) {
  return heads && heads * (hidden / heads) == hidden ? hidden / heads : Count();
}

template <class Fields, Maybe<Attention> A>
void describe(Fields&& fields, A& a, Count hidden) {
  fields.required("heads", a.heads, limits::kHeads);
  fields.optional("kv_heads", a.kv_heads, a.heads, limits::kHeads);
  fields.optional("head_dim", a.head_dim, usual_head_dim(hidden, a.heads), limits::kWidth);
  fields.optional("value_dim", a.value_dim, a.head_dim, limits::kWidth);
  fields.optional("window", a.window, 0, limits::kTokens);
  fields.optional("chunk", a.chunk, 0, limits::kTokens);
  fields.letters("bias", "qkvo", {&a.q_bias, &a.k_bias, &a.v_bias, &a.o_bias});
  fields.flag("fused_qkv", a.fused_qkv, false);
  fields.word("qk_norm", a.qk_norm, QkNorm::none, kQkNorms);
  fields.flag("sinks", a.sinks, false);
  fields.flag("output_gate", a.output_gate, false);
  fields.flag("value_is_key", a.value_is_key, false);
  fields.flag("shares_cache", a.shares_cache, false);
  fields.flag("has_kv", a.has_kv, true);
  fields.flag("causal", a.causal, true);
  fields.flag("softcap", a.softcap, false);
}

template <class Fields, Maybe<LatentAttention> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("heads", a.heads, limits::kHeads);
  fields.optional("q_lora_rank", a.q_rank, 0, limits::kWidth);
  fields.required("kv_lora_rank", a.kv_rank, limits::kWidth);
  fields.required("qk_nope", a.nope_dim, limits::kWidth);
  fields.required("qk_rope", a.rope_dim, limits::kWidth);
  fields.required("v", a.value_dim, limits::kWidth);
  fields.optional("indexer_heads", a.indexer_heads, 0, limits::kHeads);
  fields.optional("indexer_dim", a.indexer_dim, 0, limits::kWidth);
}

template <class Fields, Maybe<GatedDeltaNet> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("key_heads", a.key_heads, limits::kHeads);
  fields.required("value_heads", a.value_heads, limits::kHeads);
  fields.required("key_head_dim", a.key_dim, limits::kWidth);
  fields.required("value_head_dim", a.value_dim, limits::kWidth);
  fields.optional("conv_kernel", a.conv_kernel, 4, limits::kWidth);
}

template <class Fields, Maybe<KimiDelta> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("heads", a.heads, limits::kHeads);
  fields.required("head_dim", a.head_dim, limits::kWidth);
  fields.optional("conv_kernel", a.conv_kernel, 4, limits::kWidth);
}

template <class Fields, Maybe<Mamba1> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("inner", a.inner, limits::kWidth);
  fields.required("state", a.state, limits::kWidth);
  fields.required("dt_rank", a.dt_rank, limits::kWidth);
  fields.optional("conv_kernel", a.conv_kernel, 4, limits::kWidth);
  fields.flag("inner_norms", a.inner_norms, false);
}

template <class Fields, Maybe<Mamba2> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("heads", a.heads, limits::kHeads);
  fields.required("head_dim", a.head_dim, limits::kWidth);
  fields.optional("groups", a.groups, 1, limits::kHeads);
  fields.required("state", a.state, limits::kWidth);
  fields.optional("conv_kernel", a.conv_kernel, 4, limits::kWidth);
  fields.flag("gated_norm", a.gated_norm, true);
}

template <class Fields, Maybe<ShortConv> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("conv_kernel", a.conv_kernel, limits::kWidth);
}

template <class Fields, Maybe<LinearAttention> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("heads", a.heads, limits::kHeads);
  fields.required("head_dim", a.head_dim, limits::kWidth);
}

template <class Fields, Maybe<Rwkv> A>
void describe(Fields&& fields, A& a, Count) {
  fields.required("head_size", a.head_size, limits::kWidth);
  fields.optional("token_shifts", a.token_shifts, 2, 8);
  fields.optional("decay_rank", a.decay_rank, 0, limits::kWidth);
  fields.optional("rate_rank", a.rate_rank, 0, limits::kWidth);
  fields.optional("value_rank", a.value_rank, 0, limits::kWidth);
  fields.optional("gate_rank", a.gate_rank, 0, limits::kWidth);
  fields.optional("extra_params", a.extra_parameters, 0, limits::kParameters);
}

template <class Fields, Maybe<Mlp> M>
void describe(Fields&& fields, M& m, Count) {
  fields.required("size", m.size, limits::kWidth);
  fields.flag("gated", m.gated, true);
  fields.flag("fused_gate_up", m.fused_gate_up, false);
  fields.flag("bias", m.bias, false);
  fields.word("activation", m.activation, Activation::silu, kActivations);
}

template <class Fields, Maybe<Experts> E>
void describe(Fields&& fields, E& e, Count) {
  fields.required("count", e.count, limits::kExperts);
  fields.required("active", e.active, limits::kExperts);
  fields.required("size", e.size, limits::kWidth);
  fields.flag("gated", e.gated, true);
  fields.flag("bias", e.bias, false);
  fields.flag("router_bias", e.router_bias, false);
  fields.flag("correction_bias", e.correction_bias, false);
  fields.optional("shared_size", e.shared_size, 0, limits::kWidth);
  fields.flag("shared_gate", e.shared_gate, false);
  fields.optional("latent", e.latent, 0, limits::kWidth);
  fields.word("activation", e.activation, Activation::silu, kActivations);
}

template <class Fields, Maybe<Projection> P>
void describe(Fields&& fields, P& p) {
  fields.required("in", p.in, limits::kWidth);
  fields.required("out", p.out, limits::kWidth);
  fields.flag("bias", p.bias, true);
  fields.optional("count", p.count, 1, limits::kProjections);
}

/// A tower of another build than a transformer's has only `other_params`.
template <class Fields, Maybe<Tower> T>
void describe(Fields&& fields, T& t) {
  fields.optional("hidden", t.hidden, 0, limits::kWidth);
  fields.optional("layers", t.layers, 0, limits::kLayers);
  fields.optional("heads", t.heads, 0, limits::kHeads);
  fields.optional("ffn", t.ffn, 0, limits::kWidth);
  fields.flag("gated", t.gated, false);
  fields.flag("bias", t.bias, true);
  fields.flag("key_bias", t.key_bias, true);
  fields.word("norm", t.norm, NormKind::layer, kNorms);
  fields.optional("patch", t.patch, 0, limits::kPixels);
  fields.optional("image", t.image, 0, limits::kPixels);
  fields.optional("channels", t.channels, 3, limits::kPixels);
  fields.optional("temporal_patch", t.frames, 1, limits::kPixels);
  fields.flag("patch_bias", t.patch_bias, true);
  fields.optional("mel_bins", t.mel_bins, 0, limits::kWidth);
  fields.optional("positions", t.positions, 0, limits::kTokens);
  fields.flag("cls_token", t.class_token, false);
  fields.flag("input_norm", t.input_norm, false);
  fields.flag("output_norm", t.output_norm, true);
  fields.flag("attention_pool", t.attention_pool, false);
  fields.optional("other_params", t.other_parameters, 0, limits::kParameters);
  fields.optional("projector_norms", t.projector_norms, 0, limits::kParameters);
  fields.optional("image_tokens", t.tokens_per_image, 0, limits::kTokens);
  fields.optional("spatial_merge", t.merge, 1, limits::kPixels);
}

/// What both spellings of a model share: everything outside the layers.
template <class Fields, Maybe<Model> M>
void describe(Fields&& fields, M& m) {
  fields.text("id", m.id);
  fields.text("name", m.name);
  fields.text("family", m.family);
  fields.text("license", m.license);
  fields.flag("license_verified", m.license_verified, false);
  fields.text("source", m.source);
  fields.flag("unverified", m.unverified, false);
  fields.word("kind", m.kind, ModelKind::language, kKinds);
  fields.required("hidden", m.hidden, limits::kWidth);
  fields.optional("vocab", m.vocab, 0, limits::kVocab);
  fields.optional("embedding_dim", m.embedding_dim, 0, limits::kWidth);
  fields.flag("tied", m.tied, false);
  fields.flag("lm_head_bias", m.output_bias, false);
  fields.optional("positions", m.positions, 0, limits::kTokens);
  fields.optional("type_vocab", m.token_types, 0, limits::kVocab);
  fields.word("norm", m.norm, NormKind::rms, kNorms);
  // The BERT lineage normalises the embedding instead of the last layer's output, and predicts no tokens.
  const bool bert = m.kind == ModelKind::embedding && m.norm != NormKind::rms;
  fields.flag("embedding_norm", m.embedding_norm, bert);
  fields.flag("final_norm", m.final_norm, !bert);
  fields.flag("lm_head", m.has_output, m.kind != ModelKind::embedding && m.kind != ModelKind::vision);
  fields.flag("pooler", m.pooler, false);
  fields.flag("linear_bias", m.linear_bias, false);
  fields.flag("parallel_block", m.parallel_block, false);
  fields.flag("norm_plus_one", m.post_norms, false);
  fields.flag("logit_softcap", m.final_softcap, false);
  fields.optional("relative_biases", m.relative_biases, 0, limits::kParameters);
  fields.optional("relative_rows", m.relative_rows, 0, limits::kTokens);
  fields.optional("context_max", m.context_max, 0, limits::kTokens);
  fields.optional("classes", m.classes, 0, limits::kVocab);
  fields.optional("projection", m.projection, 0, limits::kWidth);
  fields.flag("projection_bias", m.projection_bias, false);
  fields.optional("patch", m.patch, 0, limits::kPixels);
  fields.optional("image", m.image, 0, limits::kPixels);
  fields.flag("cls_token", m.class_token, false);
  fields.optional("mel_bins", m.mel_bins, 0, limits::kWidth);
  fields.optional("positions_encoder", m.encoder_positions, 0, limits::kTokens);
  fields.optional("extra_params", m.extra_parameters, 0, limits::kParameters);
  fields.optional("params_total", m.published_parameters, 0, limits::kParameters);
}

/// A network as a graph: what stands beside its `graph` and `set`.
template <class Fields, Maybe<Model> M>
void describe_graph(Fields&& fields, M& m) {
  fields.text("id", m.id);
  fields.text("name", m.name);
  fields.text("family", m.family);
  fields.text("license", m.license);
  fields.flag("license_verified", m.license_verified, false);
  fields.text("source", m.source);
  fields.flag("unverified", m.unverified, false);
  fields.word("kind", m.kind, ModelKind::vision, kKinds);
  fields.optional("classes", m.classes, 0, limits::kVocab);
  fields.required("image", m.image, limits::kPixels);
  fields.optional("image_width", m.image_width, 0, limits::kPixels);
  fields.optional("frames", m.frames, 0, limits::kPixels);
  fields.optional("frozen", m.frozen_stages, 0, limits::kLayers);
  fields.optional("params_total", m.published_parameters, 0, limits::kParameters);
}

template <class Part>
inline constexpr std::string_view kKey = "";
template <>
inline constexpr std::string_view kKey<Attention> = "attention";
template <>
inline constexpr std::string_view kKey<LatentAttention> = "mla";
template <>
inline constexpr std::string_view kKey<GatedDeltaNet> = "gdn";
template <>
inline constexpr std::string_view kKey<KimiDelta> = "kda";
template <>
inline constexpr std::string_view kKey<Mamba1> = "mamba1";
template <>
inline constexpr std::string_view kKey<Mamba2> = "mamba2";
template <>
inline constexpr std::string_view kKey<ShortConv> = "short_conv";
template <>
inline constexpr std::string_view kKey<LinearAttention> = "linear_attention";
template <>
inline constexpr std::string_view kKey<Rwkv> = "rwkv";
template <>
inline constexpr std::string_view kKey<Mlp> = "mlp";
template <>
inline constexpr std::string_view kKey<Experts> = "experts";

}  // namespace vram::model_fields
