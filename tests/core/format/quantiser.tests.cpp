#include "core/format/quantiser.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace vram;

namespace {

using Role = TensorRole;

constexpr auto kLastRole = Role::classifier;

WeightFormat format_of(const char* name) { return *parse_weight_format(name); }

Tensor square(Role role) { return {role, kNoLayer, 4096, 4096, 1}; }

/// A matrix where the role has matrices, a vector where it has 1-D parameters only.
Tensor typical(Role role) {
  const bool vector = role == Role::norm || role == Role::bias || role == Role::attn_other ||
                      role == Role::shared_router || role == Role::mixer_state || role == Role::vision_small;
  return {role, kNoLayer, vector ? 1 : 512, 1024, 1};
}

}  // namespace

TEST_CASE("a tensor counts as linear by its role, and never as a vector", "[format]") {
  for (int i = 0; i <= static_cast<int>(kLastRole); ++i) {
    const auto role = static_cast<Role>(i);
    Tensor tensor = typical(role);
    INFO(i);
    if (is_linear(tensor)) {
      tensor.rows = 1;
      CHECK_FALSE(is_linear(tensor));
    }
  }
  for (const Role role : {Role::token_embedding, Role::output, Role::norm, Role::router, Role::mixer_conv,
                          Role::expert_bias, Role::vision, Role::projector, Role::classifier}) {
    CHECK_FALSE(is_linear(square(role)));
  }
  for (const Role role : {Role::attn_q, Role::attn_qkv, Role::attn_kv_up, Role::mlp_down, Role::expert_up,
                          Role::shared_gate, Role::mixer_in, Role::cross_output}) {
    CHECK(is_linear(square(role)));
  }
}

TEST_CASE("quantisers leave embeddings, heads, norms, routers and towers alone", "[format]") {
  const Role alone[] = {Role::token_embedding, Role::position_embedding, Role::norm,       Role::bias,
                        Role::router,          Role::attn_other,         Role::mixer_conv, Role::mixer_state,
                        Role::expert_bias,     Role::shared_router};
  for (const NamedFormat& row : named_formats()) {
    if (row.format.scheme == WeightScheme::gguf) continue;
    INFO(row.name);
    for (const Role role : alone) {
      const StoredTensor stored = stored_tensor(row.format, typical(role), {}, {});
      CHECK_FALSE(stored.quantised);
      CHECK(stored.bytes == bytes_of(row.format.base, typical(role).rows, typical(role).cols));
    }
    CHECK_FALSE(is_quantised(row.format, typical(Role::output), {}, {}));
  }
}

TEST_CASE("towers stay in 16 bit except in plain fp32", "[format]") {
  for (const NamedFormat& row : named_formats()) {
    INFO(row.name);
    for (const Role role : {Role::vision, Role::projector}) {
      const Bytes bytes = stored_bytes(row.format, typical(role), {}, {});
      CHECK(bytes == typical(role).elements() * Count(row.name == "fp32" ? 4 : 2));
      CHECK_FALSE(is_quantised(row.format, typical(role), {}, {}));
    }
  }
}

TEST_CASE("only ExLlama quantises the head, to 6 bits", "[format]") {
  const Tensor head{Role::output, kNoLayer, 128256, 4096, 1};
  const StoredTensor stored = stored_tensor(format_of("exl3-4.25"), head, {}, {});
  CHECK(stored.quantised);
  CHECK(stored.bytes == Bytes(128256U * 4096U / 8 * 6 + 2 * (128256 + 4096)));  // F-3.11
  CHECK(stored_bytes(format_of("exl2-2.4"), head, {}, {}) == stored.bytes);
}

TEST_CASE("bitsandbytes quantises fused experts only where they are linear layers", "[format]") {
  const Tensor experts{Role::expert_up, kNoLayer, 768, 2048, 128};
  QuantiserContext context;
  context.experts = 128;
  for (const char* name : {"nf4", "nf4_dq", "fp4", "int8"}) {
    INFO(name);
    context.fused_experts_are_linear = false;
    CHECK(stored_bytes(format_of(name), experts, {}, context) == experts.elements() * Count(2));
    CHECK(is_quantised(format_of(name), square(Role::shared_up), {}, context));
    context.fused_experts_are_linear = true;
    CHECK(is_quantised(format_of(name), experts, {}, context));
    CHECK(stored_bytes(format_of(name), experts, {}, context) < experts.elements() * Count(2));
  }
}

TEST_CASE("MXFP4 takes the routed experts, or all linear layers of a model without", "[format]") {
  QuantiserContext moe;
  moe.experts = 32;
  const WeightFormat format = format_of("mxfp4");
  CHECK(is_quantised(format, {Role::expert_down, kNoLayer, 2880, 2880, 32}, {}, moe));
  CHECK_FALSE(is_quantised(format, square(Role::attn_q), {}, moe));
  CHECK_FALSE(is_quantised(format, square(Role::shared_up), {}, moe));
  CHECK(is_quantised(format, square(Role::attn_q), {}, {}));
}

TEST_CASE("NVFP4 leaves latent attention in 16 bit", "[format]") {
  QuantiserContext latent;
  latent.latent_attention = true;
  const WeightFormat format = format_of("nvfp4");
  for (const Role role : {Role::attn_q_down, Role::attn_q_up, Role::attn_kv_down, Role::attn_kv_up, Role::attn_output,
                          Role::attn_indexer}) {
    CHECK(is_quantised(format, square(role), {}, {}));
    CHECK_FALSE(is_quantised(format, square(role), {}, latent));
  }
  CHECK(is_quantised(format, square(Role::mlp_up), {}, latent));
}

TEST_CASE("scales follow groups, blocks and channels that do not come out even", "[format]") {
  const Tensor odd{Role::mlp_up, kNoLayer, 100, 200, 1};  // 20,000 elements
  QuantiserContext latent;
  latent.latent_attention = true;
  CHECK(stored_bytes(format_of("nf4"), odd, {}, {}) == Bytes(10000 + 313 * 4));
  CHECK(stored_bytes(format_of("nf4_dq"), odd, {}, {}) == Bytes(10000 + 313 + 2 * 4));
  CHECK(stored_bytes(format_of("int8"), odd, {}, {}) == Bytes(20000 + 400));
  CHECK(stored_bytes(format_of("gptq4"), odd, {}, {}) == Bytes(10000 + 100 + 400 + 800));
  CHECK(stored_bytes(format_of("gptq8"), odd, {}, {}) == Bytes(20000 + 200 + 400 + 800));
  CHECK(stored_bytes(format_of("awq4"), odd, {}, {}) == Bytes(10000 + 100 + 400));
  CHECK(stored_bytes(format_of("w4a16"), odd, {}, {}) == Bytes(10000 + 400));
  CHECK(stored_bytes(format_of("fp8"), odd, {}, {}) == Bytes(20000 + 400));
  CHECK(stored_bytes(format_of("fp8"), odd, {}, latent) == Bytes(20000 + 2 * 4));
  CHECK(stored_bytes(format_of("mxfp4"), odd, {}, {}) == Bytes(100 * 7 * 17));  // rows padded to 224
  CHECK(stored_bytes(format_of("nvfp4"), odd, {}, {}) == Bytes(100 * 4 * 36 + 8));
  CHECK(stored_bytes(format_of("exl3-3"), odd, {}, {}) == Bytes(7500 + 600));
}

TEST_CASE("a stack of experts takes as much as its matrices one by one", "[format]") {
  QuantiserContext context;
  context.experts = 7;
  context.fused_experts_are_linear = true;
  for (const NamedFormat& row : named_formats()) {
    INFO(row.name);
    const Tensor one{Role::expert_up, kNoLayer, 96, 300, 1};
    const Tensor seven{Role::expert_up, kNoLayer, 96, 300, 7};
    if (row.name == "mxfp4_moe") continue;  // a single matrix is no expert there
    CHECK(stored_bytes(row.format, seven, {}, context) == 7 * stored_bytes(row.format, one, {}, context));
  }
}
