#include "core/model/imports/families.h"

#include <array>

namespace vram::imports {
namespace {

constexpr bool kTied = true;

// Read in Transformers' modeling_*.py and configuration_*.py and llama.cpp's llama-arch.cpp and llama-model.cpp; the
// facts are what these classes do whatever the file's numbers say. What both leave open is a member of the file.
constexpr std::array kFamilies = {
    Family{"llama", "llama", "{}"},
    Family{"mistral", "mistral3", "{}"},
    Family{"ministral3", "", "{}"},
    Family{"mixtral", "", "{}"},
    Family{"smollm3", "smollm3", "{}"},
    Family{"qwen2", "qwen2 qwen2vl dream", R"j({"qkv_bias":true,"o_bias":false})j"},
    Family{"qwen2_vl", "", R"j({"qkv_bias":true,"o_bias":false})j"},
    Family{"qwen2_5_vl", "", R"j({"qkv_bias":true,"o_bias":false})j"},
    Family{"qwen2_moe", "qwen2moe", R"j({"qkv_bias":true,"o_bias":false,"shared_expert_gate":true})j"},
    Family{"qwen3", "qwen3 qwen3vl", R"j({"qk_norm":"head"})j"},
    Family{"qwen3_moe", "qwen3moe qwen3vlmoe", R"j({"qk_norm":"head"})j"},
    Family{"qwen3_vl_text", "", R"j({"qk_norm":"head"})j"},
    Family{"qwen3_vl_moe_text", "", R"j({"qk_norm":"head"})j"},
    Family{"qwen3_next", "qwen3next",
           R"j({"qk_norm":"head","norm_plus_one":true,"attn_output_gate":true,"shared_expert_gate":true})j"},
    Family{"qwen3_5_text", "qwen35", R"j({"qk_norm":"head","norm_plus_one":true,"attn_output_gate":true})j"},
    Family{"qwen3_5_moe_text", "qwen35moe",
           R"j({"qk_norm":"head","norm_plus_one":true,"attn_output_gate":true,"shared_expert_gate":true})j"},
    Family{"gemma", "gemma", R"j({"norm_plus_one":true,"activation":"gelu_tanh"})j", kTied},
    Family{
        "gemma2", "gemma2",
        R"j({"norms_per_layer":4,"norm_plus_one":true,"activation":"gelu_tanh","softcap":true,"logit_softcap":true})j",
        kTied, 2},
    Family{"gemma3_text", "gemma3",
           R"j({"norms_per_layer":4,"norm_plus_one":true,"activation":"gelu_tanh","qk_norm":"head"})j", kTied, 6},
    Family{"gemma3n_text", "gemma3n", R"j({"norms_per_layer":4,"activation":"gelu_tanh","qk_norm":"head"})j", kTied, 5},
    Family{
        "phi", "phi2",
        R"j({"norm":"layernorm","norms_per_layer":1,"activation":"gelu_new","parallel_block":true,"lm_head_bias":true})j"},
    Family{"phi3", "phi3", R"j({"fused_qkv":true,"fused_gate_up":true})j"},
    Family{"phimoe", "phimoe", R"j({"norm":"layernorm","mlp":"gated"})j"},
    Family{"deepseek", "deepseek", "{}"},
    Family{"deepseek_v2", "deepseek2", "{}"},
    Family{"deepseek_v3", "", R"j({"router_bias_correction":true})j"},
    Family{"deepseek_v32", "", R"j({"router_bias_correction":true})j"},
    Family{"kimi_k2", "", R"j({"router_bias_correction":true})j"},
    Family{"glm_moe_dsa", "", R"j({"router_bias_correction":true})j"},
    Family{"gpt_oss", "gpt-oss",
           R"j({"qkv_bias":true,"o_bias":true,"attention_sinks":true,"expert_bias":true,"router_bias":true})j", false,
           2},
    Family{"chatglm", "chatglm", R"j({"qkv_bias":true,"o_bias":false,"fused_qkv":true,"fused_gate_up":true})j"},
    Family{"glm", "", R"j({"qkv_bias":true,"o_bias":false,"fused_gate_up":true})j"},
    Family{"glm4", "glm4", R"j({"qkv_bias":true,"o_bias":false,"fused_gate_up":true,"norms_per_layer":4})j"},
    Family{"glm4_moe", "glm4moe", R"j({"o_bias":false,"router_bias_correction":true})j"},
    Family{"cohere", "command-r",
           R"j({"norm":"layernorm (weight only)","norms_per_layer":1,"mlp":"gated","parallel_block":true})j", kTied},
    Family{"cohere2", "cohere2",
           R"j({"norm":"layernorm (weight only)","norms_per_layer":1,"mlp":"gated","parallel_block":true})j", kTied, 4},
    Family{"falcon", "falcon",
           R"j({"norm":"layernorm","mlp":"plain","activation":"gelu","parallel_block":true,"fused_qkv":true})j", kTied},
    Family{"gpt2", "gpt2", R"j({"norm":"layernorm","activation":"gelu_new","fused_qkv":true})j", kTied, 0, 0},
    Family{"gpt_bigcode", "starcoder", R"j({"norm":"layernorm","activation":"gelu_tanh","fused_qkv":true})j", kTied, 0,
           0},
    Family{"gpt_neox", "gptneox", R"j({"norm":"layernorm","parallel_block":true,"fused_qkv":true})j"},
    Family{
        "gptj", "gptj",
        R"j({"norm":"layernorm","norms_per_layer":1,"activation":"gelu_new","parallel_block":true,"qkv_bias":false,)j"
        R"j("o_bias":false,"lm_head_bias":true})j"},
    Family{"opt", "", R"j({"norm":"layernorm","activation":"relu"})j", kTied, 0, 2},
    Family{"bloom", "bloom",
           R"j({"norm":"layernorm","activation":"gelu_tanh","fused_qkv":true,"embedding_norm":true})j", kTied},
    Family{"mpt", "mpt", R"j({"norm":"layernorm (weight only)","mlp":"plain","fused_qkv":true})j", kTied},
    Family{"mamba", "mamba", R"j({"norms_per_layer":1,"layer_pattern":"M"})j", kTied},
    Family{"mamba2", "mamba2", R"j({"norms_per_layer":1,"layer_pattern":"M"})j", kTied},
    Family{"jamba", "jamba", "{}"},
    Family{"nemotron", "nemotron", R"j({"norm":"layernorm","activation":"relu2","linear_bias":false})j"},
    Family{"nemotron_h", "nemotron_h nemotron_h_moe", R"j({"mlp":"relu2-plain","router_bias_correction":true})j"},
    Family{"olmo", "olmo", R"j({"norm":"none"})j"},
    Family{"olmo2", "olmo2", R"j({"qk_norm":"full"})j"},
    Family{"olmo3", "", R"j({"qk_norm":"full"})j", false, 4},
    Family{"olmoe", "olmoe", R"j({"qk_norm":"full"})j"},
    Family{"granite", "granite", "{}"},
    Family{"granitemoe", "granitemoe", "{}"},
    Family{"granitemoeshared", "", "{}"},
    Family{"granitemoehybrid", "granitehybrid", "{}"},
    Family{"starcoder2", "starcoder2", R"j({"norm":"layernorm","mlp":"plain","activation":"gelu_tanh"})j", kTied},
    Family{"stablelm", "stablelm", R"j({"norm":"layernorm","mlp":"gated"})j"},
    Family{"exaone4", "exaone4", R"j({"qk_norm":"head"})j", false, 4},
    Family{"internlm2", "internlm2", R"j({"fused_qkv":true})j"},
    Family{"seed_oss", "seed_oss", R"j({"qkv_bias":true,"o_bias":false})j"},
    Family{"apertus", "apertus", R"j({"mlp":"plain","activation":"gelu","qk_norm":"head","layer_extra_params":2})j"},
    Family{"ernie4_5_moe", "ernie4_5-moe", R"j({"router_bias_correction":true})j", kTied},
    Family{"ernie4_5", "ernie4_5", "{}", kTied},
    Family{"lfm2", "lfm2", R"j({"qk_norm":"head"})j", kTied},
    Family{"falcon_h1", "falcon-h1", "{}"},
    Family{"minimax_m2", "minimax-m2", R"j({"qk_norm":"full","router_bias_correction":true})j"},
    Family{"llama4_text", "llama4", "{}"},
    Family{"mllama_text_model", "mllama", "{}"},
    Family{"bert", "bert", R"j({"kind":"embedding","norm":"layernorm","mlp":"plain","pooler":true})j", false, 0, 0},
    Family{"roberta", "", R"j({"kind":"embedding","norm":"layernorm","mlp":"plain","pooler":true})j", false, 0, 0},
    Family{"xlm-roberta", "", R"j({"kind":"embedding","norm":"layernorm","mlp":"plain","pooler":true})j", false, 0, 0},
    Family{"camembert", "", R"j({"kind":"embedding","norm":"layernorm","mlp":"plain","pooler":true})j", false, 0, 0},
    Family{"distilbert", "", R"j({"kind":"embedding","norm":"layernorm","mlp":"plain"})j", false, 0, 0},
    Family{"nomic_bert", "nomic-bert", R"j({"kind":"embedding","norm":"layernorm","mlp":"gated","fused_qkv":true})j"},
    Family{"modernbert", "modern-bert", R"j({"kind":"embedding","norm":"layernorm (weight only)","final_norm":true})j"},
    Family{"t5", "t5", R"j({"kind":"encoder-decoder"})j", kTied},
    Family{"mt5", "", R"j({"kind":"encoder-decoder"})j"},
    Family{"bart", "",
           R"j({"kind":"encoder-decoder","norm":"layernorm","mlp":"plain","embedding_norm":true,"final_norm":false})j",
           kTied, 0, 2},
    Family{"whisper", "", R"j({"kind":"speech","norm":"layernorm","mlp":"plain","qkv_bias":"query and value only"})j",
           kTied},
};

struct Defaults {
  std::string_view model_type, members;
};

// Transformers' configuration_*.py: published files of composed models list only what differs from these.
constexpr std::array kDefaults = {
    Defaults{"llama", R"j({"vocab_size":32000,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,)j"
                      R"j("num_attention_heads":32,"max_position_embeddings":2048})j"},
    Defaults{"mistral", R"j({"vocab_size":32000,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,)j"
                        R"j("num_attention_heads":32,"num_key_value_heads":8})j"},
    Defaults{"qwen2", R"j({"vocab_size":151936,"hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,)j"
                      R"j("num_attention_heads":32,"num_key_value_heads":32,"max_position_embeddings":32768})j"},
    Defaults{"gemma2", R"j({"vocab_size":256000,"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,)j"
                       R"j("num_attention_heads":8,"num_key_value_heads":4,"head_dim":256,"sliding_window":4096,)j"
                       R"j("max_position_embeddings":8192})j"},
    Defaults{"gemma3_text",
             R"j({"vocab_size":262208,"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,)j"
             R"j("num_attention_heads":8,"num_key_value_heads":4,"head_dim":256,"sliding_window":4096,)j"
             R"j("max_position_embeddings":131072})j"},
    Defaults{"clip_vision_model", R"j({"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,)j"
                                  R"j("num_attention_heads":12,"image_size":224,"patch_size":32})j"},
    Defaults{"siglip_vision_model", R"j({"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,)j"
                                    R"j("num_attention_heads":12,"image_size":224,"patch_size":16})j"},
    Defaults{"pixtral", R"j({"hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,)j"
                        R"j("num_attention_heads":16,"image_size":1024,"patch_size":16})j"},
    Defaults{"qwen2_vl", R"j({"depth":32,"embed_dim":1280,"num_heads":16,"mlp_ratio":4,"patch_size":14,)j"
                         R"j("spatial_merge_size":2,"temporal_patch_size":2})j"},
};

}  // namespace

std::string_view class_defaults(std::string_view model_type) {
  for (const Defaults& row : kDefaults) {
    if (row.model_type == model_type) return row.members;
  }
  return {};
}

const Family* family_of_config(std::string_view model_type) {
  for (const Family& family : kFamilies) {
    if (family.model_type == model_type) return &family;
  }
  return nullptr;
}

const Family* family_of_gguf(std::string_view architecture) {
  for (const Family& family : kFamilies) {
    std::string_view names = family.gguf;
    while (!names.empty()) {
      const std::size_t space = names.find(' ');
      if (names.substr(0, space) == architecture) return &family;
      names.remove_prefix(space == std::string_view::npos ? names.size() : space + 1);
    }
  }
  return nullptr;
}

}  // namespace vram::imports
