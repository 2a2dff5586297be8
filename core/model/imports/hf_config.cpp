#include "core/model/imports/hf_config.h"

#include <array>

#include "core/model/imports/hf_parts.h"
#include "core/model/limits.h"

namespace vram::imports {
namespace {

constexpr std::string_view kHidden = "hidden_size n_embd d_model dim model_dim";
constexpr std::string_view kLayers = "num_hidden_layers n_layer num_layers n_layers";
constexpr std::string_view kHeads = "num_attention_heads n_head n_heads num_heads decoder_attention_heads";
constexpr std::string_view kFfn = "intermediate_size n_inner ffn_dim d_ff ffn_hidden_size hidden_dim decoder_ffn_dim";
constexpr std::string_view kContext =
    "max_position_embeddings n_positions seq_length max_seq_len max_sequence_length n_ctx max_target_positions";

bool has_fact(const json::Value& facts, std::string_view key) { return facts.find(key) != nullptr; }

std::string_view activation_word(std::string_view word) {
  struct Row {
    std::string_view name, ours;
  };
  constexpr std::array kRows = {Row{"silu", "silu"},         Row{"swish", "silu"},
                                Row{"swiglu", "silu"},       Row{"gelu", "gelu"},
                                Row{"gelu_new", "gelu_new"}, Row{"gelu_fast", "gelu_new"},
                                Row{"relu", "relu"},         Row{"gelu_pytorch_tanh", "gelu_tanh"},
                                Row{"relu2", "relu2"},       Row{"quick_gelu", "gelu"},
                                Row{"gelu_python", "gelu"}};
  for (const Row& row : kRows) {
    if (row.name == word) return row.ours;
  }
  return {};
}

void add_attention(const ConfigView& config, const json::Value& facts, json::Value& entry) {
  const Count hidden = config.count(kHidden);
  const Count heads = config.count(kHeads);
  set_count(entry, "heads", heads);
  // Falcon and the first StarCoder: all heads share one key and value head unless the later shape is asked for.
  const bool one_head = config.flag("multi_query") && !config.flag("new_decoder_architecture");
  const Count kv =
      one_head ? Count(1)
               : config.count("num_key_value_heads num_kv_heads n_head_kv n_kv_heads multi_query_group_num", heads);
  if (config.count("kv_lora_rank")) {
    json::Value mla = json::Value::object();
    set_count(mla, "q_lora_rank", config.count("q_lora_rank"));
    set_count(mla, "kv_lora_rank", config.count("kv_lora_rank"));
    set_count(mla, "qk_nope", config.count("qk_nope_head_dim"));
    set_count(mla, "qk_rope", config.count("qk_rope_head_dim"));
    set_count(mla, "v", config.count("v_head_dim"));
    entry.set("mla", std::move(mla));
    if (config.count("index_n_heads")) {
      json::Value indexer = json::Value::object();
      set_count(indexer, "heads", config.count("index_n_heads"));
      set_count(indexer, "head_dim", config.count("index_head_dim"));
      set_count(indexer, "topk", config.count("index_topk"));
      entry.set("dsa_indexer", std::move(indexer));
    }
    return;
  }
  if (kv && kv != heads) entry.set("kv_heads", kv);
  const Count head_dim = config.count("head_dim kv_channels d_kv attention_head_dim");
  if (heads && head_dim && head_dim * heads != hidden) entry.set("head_dim", head_dim);
  const bool bias = config.flag("attention_bias use_qkv_bias add_qkv_bias qkv_bias");
  if (bias && !has_fact(facts, "qkv_bias")) {
    entry.set("qkv_bias", true);
    if (!has_fact(facts, "o_bias") && config.flag("attention_bias")) entry.set("o_bias", true);
  }
  // GLM-4.5 norms per head, Command R+ over all heads.
  if (config.flag("use_qk_norm") && !has_fact(facts, "qk_norm")) {
    entry.set("qk_norm", has_fact(facts, "parallel_block") ? "full" : "head");
  }
  if (config.has("attn_logit_softcapping") && !has_fact(facts, "softcap")) entry.set("softcap", true);
}

void add_feed_forward(const ConfigView& config, const json::Value& facts, const Family* family, json::Value& entry) {
  Count ffn = config.count("intermediate_size_mlp", config.count(kFfn));
  const std::string_view norm = facts.find("norm") != nullptr ? facts.find("norm")->text() : std::string_view();
  if (!ffn && norm.starts_with("layernorm")) ffn = config.count(kHidden) * 4;
  // LFM2 rounds two thirds of the stated size up.
  if (config.flag("block_auto_adjust_ff_dim")) {
    const Count step = config.count("block_multiple_of", 256);
    ffn = pad(config.count("block_ff_dim intermediate_size") * 2 / 3, step);
  }
  if (!config.count("num_local_experts") && config.count("shared_intermediate_size")) {
    ffn = config.count("shared_intermediate_size");
  }
  // Mamba calls its mixer's width the intermediate size.
  if (family == nullptr || family->model_type != "mamba") set_count(entry, "ffn", ffn);
  if (config.flag("lm_head_bias")) entry.set("lm_head_bias", true);
  if (!has_fact(facts, "linear_bias")) {
    if (config.has("use_bias")) entry.set("linear_bias", config.flag("use_bias"));
    if (family != nullptr && family->model_type == "falcon") entry.set("linear_bias", config.flag("bias"));
    if (config.flag("mlp_bias")) entry.set("linear_bias", true).replace("qkv_bias", config.flag("attention_bias"));
    if (config.flag("no_bias")) entry.set("linear_bias", false);
  }
  const std::string_view act =
      activation_word(config.text("hidden_act hidden_activation activation_function activation"));
  if (!act.empty() && act != "silu" && !has_fact(facts, "activation")) entry.set("activation", act);
  if (family == nullptr && !config.has("rms_norm_eps") && config.has("layer_norm_eps layer_norm_epsilon")) {
    entry.set("norm", "layernorm");
  }
}

void add_positions(const ConfigView& config, const json::Value& facts, const Family* family, json::Value& entry) {
  const Count context = config.count(kContext);
  const bool embedding = facts.find("kind") != nullptr && facts.find("kind")->text() == "embedding";
  if (family != nullptr && family->position_offset >= 0) {
    entry.set("positions", context + Count(family->position_offset));
  }
  if (embedding) set_count(entry, "type_vocab", config.count("type_vocab_size"));
  set_count(entry, "context_max", context);
  if (!embedding) {
    const bool tied = config.flag("tie_word_embeddings", family != nullptr && family->tied_by_default);
    if (tied) entry.set("tied", true);
  }
}

/// T5, BART and Whisper: two stacks.
void add_stacks(const ConfigView& config, json::Value& entry) {
  const Count decoder = config.count("num_decoder_layers decoder_layers num_layers");
  entry.set("layers_encoder", config.count("encoder_layers num_layers"));
  entry.set("layers_decoder", decoder);
  set_count(entry, "relative_buckets", config.count("relative_attention_num_buckets"));
  if (config.has("relative_attention_num_buckets") && !config.text("feed_forward_proj").starts_with("gated")) {
    entry.replace("mlp", "plain");
    entry.replace("activation", "relu");
  } else if (config.has("relative_attention_num_buckets")) {
    entry.replace("activation", "gelu_new");
  }
  if (config.count("num_mel_bins")) {
    entry.set("positions_encoder", config.count("max_source_positions"));
    entry.set("positions_decoder", config.count("max_target_positions"));
    entry.set("mel_bins", config.count("num_mel_bins"));
  }
}

/// ModernBERT: the first layer has one normalisation less, so the layers are written one by one.
void add_modern_bert_layers(const ConfigView& config, json::Value& entry) {
  const Count layers = config.count(kLayers);
  const Count every = max(config.count("global_attn_every_n_layers", 3), 1);
  json::Value runs = json::Value::array();
  for (std::uint64_t i = 0; i < layers.value(); ++i) {
    json::Value attention = json::Value::object();
    attention.set("heads", config.count(kHeads)).set("fused_qkv", true).set("causal", false);
    if (i % every.value() != 0) attention.set("window", config.count("local_attention", 128));
    json::Value mlp = json::Value::object();
    mlp.set("size", config.count(kFfn)).set("fused_gate_up", true).set("activation", "gelu");
    json::Value run = json::Value::object();
    run.set("attention", std::move(attention)).set("mlp", std::move(mlp));
    if (i == 0) run.set("norms", 1);
    runs.push(std::move(run));
  }
  // Each layer says it all.
  json::Value layered = json::Value::object();
  for (const json::Member& member : entry.members()) {
    if (member.key != "heads" && member.key != "ffn" && member.key != "layers") layered.set(member.key, member.value);
  }
  layered.set("layers", std::move(runs));
  entry = std::move(layered);
}

std::string last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void add_name(const ConfigView& top, std::string_view model_type, json::Value& entry) {
  const std::string name = last_part(top.text("_name_or_path name_or_path"));
  entry.set("id", name.empty() ? std::string(model_type.empty() ? "imported" : model_type) : name);
  entry.set("name", name.empty() ? std::string(model_type.empty() ? "config.json" : model_type) : name);
}

}  // namespace

json::Value defaults_of(std::string_view model_type) {
  if (const auto parsed = json::parse(class_defaults(model_type))) return *parsed;
  return json::Value::object();
}

Result<ConfigReading> read_hf_config(const json::Value& config) {
  if (!config.is(json::Kind::object)) {
    return Error{ErrorCode::wrong_type, "config.json", json::brief(config), "object", config.line()};
  }
  const ConfigView outer(config);
  const json::Value* inner = outer.object("text_config language_config llm_config");
  const std::string_view outer_type = outer.text("model_type");
  std::string model_type(outer_type);
  if (inner != nullptr) {
    const std::string_view text = ConfigView(*inner).text("model_type");
    if (!text.empty()) model_type = text;
  }
  const Family* family = family_of_config(model_type);
  // A text part that does not say what it is has its parent's words: "gemma3" -> "gemma3_text".
  if (family == nullptr && (family = family_of_config(model_type + "_text")) != nullptr) model_type += "_text";

  ConfigReading reading;
  ConfigView text(inner != nullptr ? *inner : config, defaults_of(model_type));
  json::Value& entry = reading.entry;
  entry = json::Value::object();
  json::Value facts = json::Value::object();
  if (family != nullptr) {
    if (const auto parsed = json::parse(family->facts)) facts = *parsed;
  } else {
    reading.assumed.push_back({"architecture", model_type.empty() ? "?" : model_type});
  }

  const Count hidden = text.count(kHidden);
  const Count layers = text.count(kLayers, text.count("decoder_layers encoder_layers"));
  if (!hidden || !layers) {
    return Error{ErrorCode::missing_field, !hidden ? "hidden_size" : "num_hidden_layers", "",
                 "the config.json of a model", 0};
  }
  if (layers > limits::kLayers) {
    return Error{ErrorCode::out_of_range, "num_hidden_layers", std::to_string(layers.value()),
                 "at most " + std::to_string(limits::kLayers.value()), 0};
  }
  add_name(outer, outer_type, entry);
  entry.set("hidden", hidden);
  const bool stacks = text.has("num_decoder_layers decoder_layers") || text.has("relative_attention_num_buckets");
  if (stacks) {
    add_stacks(text, entry);
  } else {
    entry.set("layers", layers);
  }
  set_count(entry, "vocab", text.count("padded_vocab_size vocab_size"));
  add_attention(text, facts, entry);
  add_feed_forward(text, facts, family, entry);
  add_positions(text, facts, family, entry);
  add_experts(text, entry, reading.assumed);
  add_mixers(text, family, entry, reading.assumed);
  for (const json::Member& fact : facts.members()) entry.replace(fact.key, fact.value);
  if (text.has("global_attn_every_n_layers")) add_modern_bert_layers(text, entry);
  if (family != nullptr && family->model_type == "falcon" && !text.flag("new_decoder_architecture")) {
    entry.set("norms_per_layer", text.flag("parallel_attn", true) ? 1 : 2);
  }
  // The composed file may be the only one to say it.
  if (inner != nullptr && !ConfigView(*inner).has("tie_word_embeddings") && outer.has("tie_word_embeddings")) {
    entry.replace("tied", outer.flag("tie_word_embeddings"));
  }
  add_vision(outer, text, entry, reading.assumed);
  if (text.used_default()) reading.assumed.push_back({"class_defaults", model_type});
  reading.weights = weights_of_config(outer, reading.assumed);
  if (reading.weights.empty() && inner != nullptr) reading.weights = weights_of_config(text, reading.assumed);
  if (!reading.entry.find("context_max")) reading.assumed.push_back({"context", ""});
  return reading;
}

}  // namespace vram::imports
