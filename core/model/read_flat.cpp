// The flat spelling: one set of numbers for all layers, with patterns for what differs between them.
#include <algorithm>

#include "core/model/fields.h"
#include "core/model/read_parts.h"

namespace vram {
namespace {

using model_fields::describe;
using model_fields::FieldReader;

enum class MlpWord : std::uint8_t { gated, plain, relu2_plain };
constexpr Word<MlpWord> kMlpWords[] = {
    {"gated", MlpWord::gated},  {"plain", MlpWord::plain},       {"relu2-plain", MlpWord::relu2_plain},
    {"swiglu", MlpWord::gated}, {"gated (GLU)", MlpWord::gated},
};

/// One letter per layer; a pattern shorter than the stack repeats.
struct Pattern {
  std::string letters;
  [[nodiscard]] char at(std::size_t index) const { return letters.empty() ? '\0' : letters[index % letters.size()]; }
  [[nodiscard]] bool holds(char letter) const { return letters.find(letter) != std::string::npos; }
};

Pattern read_pattern(ObjectReader& object, std::string_view key, std::string_view alphabet, Count layers) {
  Pattern pattern;
  object.text(key, pattern.letters);
  const json::Value* value = object.take(key);
  if (!object.ok() || value == nullptr) return pattern;
  if (pattern.letters.empty() || pattern.letters.find_first_not_of(alphabet) != std::string::npos) {
    object.fail(ErrorCode::unknown_choice, key, value, "letters of " + std::string(alphabet));
  } else if (Count(pattern.letters.size()) > layers) {
    object.fail(ErrorCode::out_of_range, key, value, "at most one letter a layer");
  }
  return pattern;
}

/// Everything the flat form says about layers.
struct Flat {
  Count layers;
  Attention attention;
  LatentAttention latent;
  GatedDeltaNet gdn;
  KimiDelta kda;
  Mamba1 mamba1;
  Mamba2 mamba2;
  ShortConv conv;
  Mlp mlp;
  Experts experts;
  bool has_attention = false, has_latent = false, has_gdn = false, has_kda = false, has_mamba1 = false,
       has_mamba2 = false;
  Count norms;
  Count first_dense, moe_step;
  Count window, chunk;
  Pattern windows, mixers;
  Count full_attention_layers;
  Count global_head_dim, global_kv_heads;
  bool global_value_is_key = false;
  Count sharing_layers;
  bool wide_sharing_mlp = false, sharing_keep_kv = false;
  std::vector<std::uint64_t> cross_layers;
  Count layer_extra;
};

template <class Part>
bool read_object(ObjectReader& object, std::string_view key, Part& part, Count hidden) {
  const json::Value* value = object.take(key);
  if (value == nullptr || !object.ok()) return false;
  ObjectReader inner(*value, object.path_of(key), object.state());
  describe(FieldReader(inner), part, hidden);
  inner.finish();
  return true;
}

void read_attention(ObjectReader& object, Model& model, Flat& flat) {
  Attention& attention = flat.attention;
  object.count("heads", attention.heads, 0, limits::kHeads);
  flat.has_attention = static_cast<bool>(attention.heads);
  object.count("kv_heads", attention.kv_heads, attention.heads, limits::kHeads);
  object.count("head_dim", attention.head_dim, model_fields::usual_head_dim(model.hidden, attention.heads),
               limits::kWidth);
  object.count("v_head_dim", attention.value_dim, attention.head_dim, limits::kWidth);

  bool qkv_bias = model.linear_bias;
  bool key_bias = true;
  if (const json::Value* value = object.take("qkv_bias"); value != nullptr && value->is(json::Kind::string)) {
    qkv_bias = true;
    key_bias = false;
    if (value->text() != "query and value only") {
      object.fail(ErrorCode::unknown_choice, "qkv_bias", value, "true, false, query and value only");
    }
  } else {
    object.flag("qkv_bias", qkv_bias, model.linear_bias);
  }
  attention.q_bias = attention.v_bias = qkv_bias;
  attention.k_bias = qkv_bias && key_bias;
  object.flag("o_bias", attention.o_bias, model.linear_bias);
  object.flag("fused_qkv", attention.fused_qkv, false);
  object.word("qk_norm", attention.qk_norm, QkNorm::none, model_fields::kQkNorms);
  object.flag("attention_sinks", attention.sinks, false);
  object.flag("attn_output_gate", attention.output_gate, false);
  object.flag("softcap", attention.softcap, false);
  const bool encoder =
      model.kind == ModelKind::vision || (model.kind == ModelKind::embedding && model.norm != NormKind::rms);
  object.flag("causal", attention.causal, !encoder);

  if (const json::Value* value = object.take("mla")) {
    ObjectReader inner(*value, object.path_of("mla"), object.state());
    flat.has_latent = true;
    flat.latent.heads = attention.heads;
    inner.count("q_lora_rank", flat.latent.q_rank, 0, limits::kWidth);
    FieldReader fields(inner);
    fields.required("kv_lora_rank", flat.latent.kv_rank, limits::kWidth);
    fields.required("qk_nope", flat.latent.nope_dim, limits::kWidth);
    fields.required("qk_rope", flat.latent.rope_dim, limits::kWidth);
    fields.required("v", flat.latent.value_dim, limits::kWidth);
    inner.finish();
    if (!attention.heads) object.fail(ErrorCode::missing_field, "heads", nullptr, "");
  }
  if (const json::Value* value = object.take("dsa_indexer")) {
    ObjectReader inner(*value, object.path_of("dsa_indexer"), object.state());
    inner.count("heads", flat.latent.indexer_heads, 0, limits::kHeads);
    inner.count("head_dim", flat.latent.indexer_dim, 0, limits::kWidth);
    Count top_k;
    inner.count("topk", top_k, 0, limits::kTokens);
    inner.finish();
  }
  if (flat.has_attention && !flat.has_latent) check_attention(object, attention);
}

/// Which layers see only a window, share caches or have another shape.
void read_attention_patterns(ObjectReader& object, Flat& flat) {
  if (const json::Value* value = object.take("sliding_window")) {
    ObjectReader inner(*value, object.path_of("sliding_window"), object.state());
    inner.require("window");
    inner.count("window", flat.window, 0, limits::kTokens, 1);
    flat.windows = read_pattern(inner, "per_layer", "LG", flat.layers);
    bool bidirectional = false;
    inner.flag("bidirectional", bidirectional, false);
    if (bidirectional) flat.attention.causal = false;
    inner.finish();
    if (flat.windows.letters.empty()) flat.windows.letters = "L";
  }
  object.count("attention_chunk", flat.chunk, 0, limits::kTokens);
  object.count("global_head_dim", flat.global_head_dim, 0, limits::kWidth);
  object.count("global_kv_heads", flat.global_kv_heads, 0, limits::kHeads);
  object.flag("attention_k_eq_v", flat.global_value_is_key, false);
  if (flat.global_kv_heads && flat.attention.heads.value() % flat.global_kv_heads.value() != 0) {
    object.fail(ErrorCode::conflict, "global_kv_heads", object.take("global_kv_heads"), "a divisor of heads");
  }
  object.count("num_kv_shared_layers", flat.sharing_layers, 0, flat.layers);
  object.flag("ffn_double_on_shared_layers", flat.wide_sharing_mlp, false);
  object.flag("shared_layers_keep_kv", flat.sharing_keep_kv, false);
  if (const json::Value* value = object.take("cross_attention_layers")) {
    if (Count(value->items().size()) > flat.layers) {
      object.fail(ErrorCode::too_large, "cross_attention_layers", nullptr, "each layer once");
    } else if (object.expect("cross_attention_layers", *value, json::Kind::array)) {
      for (const json::Value& item : value->items()) {
        Count index;
        if (!ObjectReader::read_count(item, object.path_of("cross_attention_layers"), index, flat.layers - 1, 0,
                                      object.state())) {
          return;
        }
        flat.cross_layers.push_back(index.value());
      }
    }
  }
}

void read_mixers(ObjectReader& object, Model& model, Flat& flat) {
  flat.has_gdn = read_object(object, "gdn", flat.gdn, model.hidden);
  flat.has_kda = read_object(object, "kda", flat.kda, model.hidden);
  flat.has_mamba1 = read_object(object, "mamba1", flat.mamba1, model.hidden);
  flat.has_mamba2 = read_object(object, "mamba2", flat.mamba2, model.hidden);
  object.count("conv_cache", flat.conv.conv_kernel, 0, limits::kWidth);
  object.count("full_attention_layers", flat.full_attention_layers, 0, flat.layers);
  flat.mixers = read_pattern(object, "layer_pattern", "DFM*-EC", flat.layers);
  const auto needs = [&](char letter, bool there, std::string_view key) {
    if (flat.mixers.holds(letter) && !there) object.fail(ErrorCode::missing_field, key, nullptr, "for layer_pattern");
  };
  needs('D', flat.has_gdn || flat.has_kda, "gdn");
  needs('M', flat.has_mamba1 || flat.has_mamba2, "mamba2");
  needs('C', static_cast<bool>(flat.conv.conv_kernel), "conv_cache");
  needs('F', flat.has_attention, "heads");
  needs('*', flat.has_attention, "heads");
  needs('-', static_cast<bool>(flat.mlp.size), "ffn");
  needs('E', static_cast<bool>(flat.experts.count), "experts");
}

void read_feed_forward(ObjectReader& object, Model& model, Flat& flat) {
  Mlp& mlp = flat.mlp;
  MlpWord word = MlpWord::gated;
  object.word("mlp", word, model.norm == NormKind::rms ? MlpWord::gated : MlpWord::plain, kMlpWords);
  mlp.gated = word == MlpWord::gated;
  // GPT-2, BERT and their descendants (plain MLP, normalisation with bias) have biases everywhere unless they say so.
  if (!object.has("linear_bias")) model.linear_bias = !mlp.gated && model.norm == NormKind::layer;
  object.count("ffn", mlp.size, 0, limits::kWidth);
  object.flag("fused_gate_up", mlp.fused_gate_up, false);
  mlp.bias = model.linear_bias;
  const Activation usual = mlp.gated                      ? Activation::silu
                           : word == MlpWord::relu2_plain ? Activation::relu2
                                                          : Activation::gelu;
  object.word("activation", mlp.activation, usual, model_fields::kActivations);

  Experts& experts = flat.experts;
  object.count("experts", experts.count, 0, limits::kExperts);
  object.count("experts_per_token", experts.active, min(experts.count, 1), max(experts.count, 1), 1);
  object.count("moe_ffn", experts.size, mlp.size, limits::kWidth);  // api.md: the experts' width is ffn otherwise
  object.flag("expert_bias", experts.bias, false);
  object.flag("router_bias", experts.router_bias, false);
  object.flag("router_bias_correction", experts.correction_bias, false);
  Count shared;
  object.count("shared_experts", shared, 0, 64);
  object.count("shared_expert_ffn", experts.shared_size, shared * experts.size, limits::kWidth);
  object.flag("shared_expert_gate", experts.shared_gate, false);
  object.count("moe_latent", experts.latent, 0, limits::kWidth);
  object.count("first_k_dense", flat.first_dense, 0, flat.layers);
  object.count("moe_layer_step", flat.moe_step, 1, limits::kLayers, 1);
  experts.gated = mlp.gated;
  experts.activation = mlp.activation;
  if (experts.count && !experts.size) object.fail(ErrorCode::missing_field, "moe_ffn", nullptr, "");
}

FeedForward feed_forward(const Flat& flat, std::size_t index) {
  const bool expert_layer = flat.experts.count && Count(index) >= flat.first_dense &&
                            (index + 1) % static_cast<std::size_t>(flat.moe_step.value()) == 0;
  if (expert_layer) return flat.experts;
  if (!flat.mlp.size) return std::monostate{};
  return flat.mlp;
}

Mixer attention_at(const Flat& flat, std::size_t index) {
  if (flat.has_latent) return flat.latent;
  Attention attention = flat.attention;
  const bool local = flat.windows.at(index) == 'L';
  if (local) attention.window = flat.window;
  if (!local && flat.global_head_dim) attention.head_dim = attention.value_dim = flat.global_head_dim;
  if (!local && flat.global_kv_heads) attention.kv_heads = flat.global_kv_heads;
  if (!local && flat.global_value_is_key) attention.value_is_key = true;
  // Llama 4: every fourth layer sees everything, the others their chunk.
  if (flat.chunk && (index + 1) % 4 != 0) attention.chunk = flat.chunk;
  if (Count(index) + flat.sharing_layers >= flat.layers) {
    attention.shares_cache = true;
    attention.has_kv = flat.sharing_keep_kv;
  }
  return attention;
}

/// The letter of a layer without `layer_pattern`.
char usual_letter(const Flat& flat, std::size_t index) {
  if (flat.has_gdn || flat.has_kda) {
    const Count every = flat.full_attention_layers ? flat.layers / flat.full_attention_layers : flat.layers + 1;
    return (Count(index + 1).value() % max(every, 1).value()) == 0 ? 'F' : 'D';
  }
  if (!flat.has_attention && (flat.has_mamba1 || flat.has_mamba2)) return 'M';
  return flat.has_attention ? 'F' : '\0';
}

Layer layer_at(const Flat& flat, std::size_t index) {
  Layer layer;
  layer.norms = static_cast<std::uint8_t>(flat.norms.value());
  layer.extra_parameters = flat.layer_extra;
  const char letter = flat.mixers.letters.empty() ? usual_letter(flat, index) : flat.mixers.at(index);
  switch (letter) {
    case 'F':
    case '*': layer.mixer = attention_at(flat, index); break;
    case 'D':
      if (flat.has_gdn) layer.mixer = flat.gdn;
      if (flat.has_kda) layer.mixer = flat.kda;
      break;
    case 'M':
      if (flat.has_mamba1) layer.mixer = flat.mamba1;
      if (flat.has_mamba2) layer.mixer = flat.mamba2;
      break;
    case 'C': layer.mixer = flat.conv; break;
    case '-': layer.feed_forward = flat.mlp; return layer;
    case 'E': layer.feed_forward = flat.experts; return layer;
    default: break;
  }
  // Attention and a state-space mixer without a pattern run beside each other in every layer (Falcon-H1).
  if (letter == 'F' && flat.mixers.letters.empty() && flat.has_mamba2) layer.parallel_mixer = flat.mamba2;
  const bool single_part = flat.mixers.holds('-') || flat.mixers.holds('E');
  if (!single_part) layer.feed_forward = feed_forward(flat, index);
  if (flat.wide_sharing_mlp && Count(index) + flat.sharing_layers >= flat.layers) {
    if (Mlp* mlp = std::get_if<Mlp>(&layer.feed_forward)) mlp->size = mlp->size * 2;
  }
  if (std::find(flat.cross_layers.begin(), flat.cross_layers.end(), index) != flat.cross_layers.end()) {
    // Llama 3.2 Vision: attends to the image instead of the text, with q/k norms and two gates.
    layer.mixer = std::monostate{};
    layer.cross_attention = flat.attention;
    layer.cross_attention.qk_norm = QkNorm::per_head;
    layer.cross_attention.causal = false;
    layer.extra_parameters += 2;
  }
  return layer;
}

void expand_encoder_decoder(Model& model, const Flat& flat, Count encoder_layers, Count decoder_layers) {
  Layer layer;
  Attention attention = flat.attention;
  layer.feed_forward = feed_forward(flat, 0);
  layer.extra_parameters = flat.layer_extra;
  layer.mixer = attention;
  layer.cross_attention = attention;
  layer.cross_attention.causal = false;
  layer.norms = 3;
  model.order.assign(static_cast<std::size_t>(decoder_layers.value()), intern(model, layer));
  attention.causal = false;
  layer.mixer = attention;
  layer.cross_attention = Attention{};
  layer.norms = 2;
  model.encoder.assign(static_cast<std::size_t>(encoder_layers.value()), intern(model, layer));
}

void read_vision_numbers(ObjectReader& object, Model& model, Flat& flat) {
  object.count("tokens", model.positions, model.positions, limits::kTokens);
  object.count("layer_extra_params", flat.layer_extra, 0, limits::kParameters);
  bool layer_scale = false;
  object.flag("layerscale", layer_scale, false);
  if (layer_scale) flat.layer_extra += model.hidden * 2;
}

}  // namespace

void read_flat(ObjectReader& object, Model& model) {
  Flat flat;
  Count encoder_layers;
  Count decoder_layers;
  Count mtp_layers;
  const bool two_stacks = object.has("layers_decoder");
  if (!two_stacks) object.require("layers");
  object.count("layers", flat.layers, 0, limits::kLayers, two_stacks ? 0 : 1);
  object.count("layers_encoder", encoder_layers, 0, limits::kLayers);
  object.count("layers_decoder", decoder_layers, 0, limits::kLayers, 1);
  object.count("mtp_layers", mtp_layers, 0, 64);
  if (two_stacks) flat.layers = decoder_layers;

  read_vision_numbers(object, model, flat);
  read_feed_forward(object, model, flat);
  read_attention(object, model, flat);
  read_attention_patterns(object, flat);
  read_mixers(object, model, flat);
  const bool single_part = flat.mixers.holds('-') || flat.mixers.holds('E');
  object.count("norms_per_layer", flat.norms, single_part ? 1 : 2, 8);
  Count buckets;
  object.count("relative_buckets", buckets, 0, limits::kTokens);
  // F-2.1: T5 holds 32 biases a head once in each stack.
  if (buckets) model.relative_biases = buckets * flat.attention.heads * (encoder_layers ? 2 : 1);
  Count decoder_positions;
  object.count("positions_decoder", decoder_positions, 0, limits::kTokens);
  if (decoder_positions) model.positions = decoder_positions;
  if (!flat.has_attention && !flat.has_mamba1 && !flat.has_mamba2) {
    object.fail(ErrorCode::missing_field, "heads", nullptr, "");
  }
  if (!object.ok()) return;

  if (two_stacks) {
    // One number of positions serves both stacks (BART); Whisper states each.
    if (!object.has("positions_encoder")) model.encoder_positions = model.positions;
    expand_encoder_decoder(model, flat, encoder_layers, decoder_layers);
    return;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(flat.layers.value()); ++i) {
    model.order.push_back(intern(model, layer_at(flat, i)));
  }
  if (mtp_layers) {
    Layer layer = model.kinds[model.order.back()];
    layer.prediction_head = true;
    model.mtp.assign(static_cast<std::size_t>(mtp_layers.value()), intern(model, layer));
  }
}

}  // namespace vram
