// Which layers of a config.json do what: patterns, state-space mixers, windows, experts.
#include <algorithm>

#include "core/model/imports/hf_parts.h"
#include "core/model/limits.h"

namespace vram::imports {
namespace {

Count layers_of(const ConfigView& config) {
  return min(config.count("num_hidden_layers n_layer num_layers n_layers"), limits::kLayers);
}

/// One letter a layer from `layer_types` and its like; '?' for a word nobody knows.
std::string letters_of_types(const std::vector<json::Value>& types) {
  std::string letters;
  for (const json::Value& type : types) {
    const std::string_view word = type.text();
    letters += word == "sliding_attention"                                   ? 'L'
               : word == "full_attention"                                    ? 'G'
               : word == "chunked_attention"                                 ? 'K'
               : word == "linear_attention"                                  ? 'D'
               : word == "mamba" || word == "mamba2"                         ? 'M'
               : word == "conv"                                              ? 'C'
               : word == "attention" || word == "hybrid" || word == "global" ? '*'
                                                                             : '?';
    if (Count(letters.size()) >= limits::kLayers) break;
  }
  return letters;
}

bool holds(std::string_view text, char letter) { return std::count(text.begin(), text.end(), letter) != 0; }

/// The mixers' letters of the flat form; empty when all layers are attention.
std::string mixer_letters(const ConfigView& config, const std::string& types) {
  const Count layers = layers_of(config);
  if (const std::string_view given = config.text("hybrid_override_pattern"); !given.empty()) return std::string(given);
  if (holds(types, 'D') || holds(types, 'M') || holds(types, 'C')) {
    std::string letters = types;
    const char attention = holds(types, 'D') ? 'F' : '*';
    for (char& letter : letters) {
      if (letter == 'G' || letter == '*' || letter == 'L') letter = attention;
    }
    return letters;
  }
  std::string letters;
  if (const Count every = config.count("full_attention_interval")) {
    for (Count i = 1; i <= layers; i += 1) letters += i.value() % every.value() == 0 ? 'F' : 'D';
  } else if (const Count period = config.count("attn_layer_period")) {
    const Count offset = config.count("attn_layer_offset");
    for (Count i = 0; i < layers; i += 1) letters += i.value() % period.value() == offset.value() ? '*' : 'M';
  }
  return letters;
}

void add_delta_net(const ConfigView& config, json::Value& entry) {
  json::Value gdn = json::Value::object();
  set_count(gdn, "key_heads", config.count("linear_num_key_heads"));
  set_count(gdn, "value_heads", config.count("linear_num_value_heads"));
  set_count(gdn, "key_head_dim", config.count("linear_key_head_dim"));
  set_count(gdn, "value_head_dim", config.count("linear_value_head_dim"));
  set_count(gdn, "conv_kernel", config.count("linear_conv_kernel_dim", 4));
  entry.set("gdn", std::move(gdn));
}

void add_mamba(const ConfigView& config, const Family* family, json::Value& entry) {
  const Count hidden = config.count("hidden_size d_model");
  const Count expand = config.count("mamba_expand expand", 2);
  const Count state = config.count("ssm_state_size mamba_d_state state_size");
  const Count conv = config.count("conv_kernel mamba_d_conv", 4);
  const bool plain = family != nullptr && family->model_type == "mamba2";
  Count heads = config.count("mamba_num_heads mamba_n_heads");
  if (!heads && plain) heads = config.count("num_heads");
  json::Value mamba = json::Value::object();
  if (heads) {
    Count head_dim = config.count("mamba_head_dim mamba_d_head");
    if (!head_dim && plain) head_dim = config.count("head_dim");
    if (!head_dim) head_dim = hidden * expand / heads;
    set_count(mamba, "heads", heads);
    set_count(mamba, "head_dim", head_dim);
    set_count(mamba, "groups", config.count("n_groups mamba_n_groups", 1));
    set_count(mamba, "state", state);
    set_count(mamba, "conv_kernel", conv);
    if (config.has("mamba_rms_norm") && !config.flag("mamba_rms_norm")) mamba.set("gated_norm", false);
    entry.set("mamba2", std::move(mamba));
    return;
  }
  const bool alone = family != nullptr && family->model_type == "mamba";
  set_count(mamba, "inner", alone ? config.count("intermediate_size", hidden * expand) : hidden * expand);
  set_count(mamba, "state", state);
  set_count(mamba, "dt_rank", config.count("time_step_rank mamba_dt_rank", ceil_div(hidden, 16)));
  set_count(mamba, "conv_kernel", conv);
  if (!alone) mamba.set("inner_norms", true);
  entry.set("mamba1", std::move(mamba));
}

/// 'L' and 'G', one a layer, from what the file says; empty when no layer has a window.
std::string window_letters(const ConfigView& config, const Family* family, const std::string& types) {
  if (holds(types, 'L')) return types;
  if (!types.empty()) return {};
  const Count layers = layers_of(config);
  if (const std::string_view given = config.text("sliding_window_pattern"); !given.empty()) return std::string(given);
  Count every = config.count("sliding_window_pattern");
  if (!every && family != nullptr) every = family->windows_every;
  std::string letters;
  if (every) {
    for (Count i = 1; i <= layers; i += 1) letters += i.value() % every.value() == 0 ? 'G' : 'L';
    return letters;
  }
  if (!config.flag("use_sliding_window", true)) return {};
  const Count first = config.count("max_window_layers");
  for (Count i = 0; i < layers; i += 1) letters += i < first ? 'G' : 'L';
  return letters;
}

void add_windows(const ConfigView& config, const Family* family, const std::string& types, json::Value& entry,
                 std::vector<Assumption>& assumed) {
  const Count window = config.count("sliding_window attention_window_size");
  const Count context = config.count("max_position_embeddings");
  if (config.has("attention_chunk_size")) set_count(entry, "attention_chunk", config.count("attention_chunk_size"));
  if (!window || (context && window >= context && family != nullptr && family->windows_every == 0)) return;
  std::string letters = window_letters(config, family, types);
  if (!holds(letters, 'L')) return;
  for (char& letter : letters) {
    if (letter != 'L') letter = 'G';
  }
  json::Value sliding = json::Value::object();
  sliding.set("window", window);
  letters = shortest_period(letters);
  if (letters != "L") sliding.set("per_layer", letters);
  entry.set("sliding_window", std::move(sliding));
  if (family == nullptr) assumed.push_back({"window", std::to_string(window.value())});
}

}  // namespace

std::string shortest_period(std::string_view letters) {
  for (std::size_t period = 1; period < letters.size(); ++period) {
    std::size_t i = period;
    while (i < letters.size() && letters[i] == letters[i - period]) ++i;
    if (i == letters.size()) return std::string(letters.substr(0, period));
  }
  return std::string(letters);
}

void add_mixers(const ConfigView& config, const Family* family, json::Value& entry, std::vector<Assumption>& assumed) {
  const std::string types = letters_of_types(config.list("layer_types layers_block_type"));
  if (holds(types, '?')) assumed.push_back({"layer_types", ""});
  const std::string letters = shortest_period(mixer_letters(config, types));
  if (!letters.empty()) entry.set("layer_pattern", letters);
  if (holds(letters, 'D') && config.has("linear_num_key_heads")) add_delta_net(config, entry);
  const bool pure = family != nullptr && family->model_type.starts_with("mamba");
  if (holds(letters, 'M') || pure || config.has("mamba_n_heads mamba_d_ssm")) add_mamba(config, family, entry);
  if (holds(letters, 'C')) set_count(entry, "conv_cache", config.count("conv_L_cache", 3));
  add_windows(config, family, types, entry, assumed);
  if (!config.list("cross_attention_layers").empty()) {
    entry.set("cross_attention_layers", *config.find("cross_attention_layers"));
    // Llama 3.2 Vision: eight rows beside the vocabulary, for the image's own tokens.
    entry.set("extra_params", config.count("hidden_size") * 8);
  }
  set_count(entry, "mtp_layers", config.count("num_nextn_predict_layers mtp_num_hidden_layers"));
}

void add_experts(const ConfigView& config, json::Value& entry, std::vector<Assumption>& assumed) {
  const Count experts = config.count("n_routed_experts num_local_experts num_experts moe_num_experts");
  if (experts <= Count(1)) return;
  entry.set("experts", experts);
  entry.set("experts_per_token",
            config.count("num_experts_per_tok num_experts_per_token moe_topk moe_k num_experts_per_topk", 1));
  const Count size = config.count("moe_intermediate_size expert_ffn_hidden_size", config.count("intermediate_size"));
  set_count(entry, "moe_ffn", size);
  const Count shared = config.count("n_shared_experts num_shared_experts moe_num_shared_experts");
  const Count shared_size = config.count("moe_shared_expert_intermediate_size") * max(shared, 1);
  if (shared_size) {
    entry.set("shared_expert_ffn", shared_size);
  } else if (config.count("shared_expert_intermediate_size shared_intermediate_size")) {
    entry.set("shared_expert_ffn", config.count("shared_expert_intermediate_size shared_intermediate_size"));
  } else if (config.has("interleave_moe_layer_step")) {
    entry.set("shared_expert_ffn", size);  // Llama 4: one beside the routed ones, of their size
  } else {
    set_count(entry, "shared_experts", shared);
  }
  Count dense = config.count("first_k_dense_replace moe_layer_start_index num_dense_layers");
  const std::vector<json::Value>& only = config.list("mlp_only_layers");
  for (std::size_t i = 0; i < only.size(); ++i) {
    if (only[i].integer() != i) {
      assumed.push_back({"dense_layers", ""});
      break;
    }
    dense = i + 1;
  }
  set_count(entry, "first_k_dense", dense);
  const Count step = config.count("decoder_sparse_step expert_layer_period interleave_moe_layer_step", 1);
  if (step > Count(1)) entry.set("moe_layer_step", step);
  if (config.has("expert_layer_offset") && config.count("expert_layer_offset") + 1 != step) {
    assumed.push_back({"dense_layers", ""});
  }
}

}  // namespace vram::imports
