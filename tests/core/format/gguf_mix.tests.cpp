#include "core/format/gguf_mix.h"

#include <catch2/catch_test_macros.hpp>

#include "core/format/quantiser.h"

using namespace vram;

namespace {

using Role = TensorRole;
using Mix = GgufMix;
using Type = TensorType;
using P = LayerPlace;

Tensor matrix(Role role, Count cols = 4096) { return {role, kNoLayer, 1024, cols, 1}; }

/// A model of 32 layers with four query heads per kv head.
QuantiserContext grouped() {
  QuantiserContext context;
  context.layers = 32;
  context.value_tensors = 32;
  context.heads = 32;
  context.kv_heads = 8;
  return context;
}

QuantiserContext ungrouped() {
  QuantiserContext context = grouped();
  context.kv_heads = 32;
  return context;
}

struct Choice {
  Mix mix;
  Role role;
  std::uint16_t place;
  Type type;
};

void check_all(std::initializer_list<Choice> table, const QuantiserContext& context) {
  for (const Choice& row : table) {
    INFO(static_cast<int>(row.mix) << " role " << static_cast<int>(row.role) << " place " << row.place);
    CHECK(layout_of(gguf_type(row.mix, matrix(row.role), {row.place}, context)).name == layout_of(row.type).name);
  }
}

}  // namespace

TEST_CASE("mixes choose by tensor as llama.cpp does", "[format][gguf]") {
  check_all(
      {
          {Mix::q2_k, Role::attn_v, 0, Type::q4_k},
          {Mix::q2_k, Role::mlp_down, 0, Type::q3_k},
          {Mix::q2_k, Role::attn_output, 0, Type::q3_k},
          {Mix::q2_k, Role::mlp_up, 0, Type::q2_k},
          {Mix::q2_k_s, Role::attn_v, 0, Type::q4_k},
          {Mix::q2_k_s, Role::mlp_down, P::kFfnFirst8th, Type::q4_k},
          {Mix::q2_k_s, Role::mlp_down, 0, Type::q2_k},
          {Mix::q2_k_s, Role::attn_output, 0, Type::q2_k},
          {Mix::q3_k_s, Role::attn_v, 0, Type::q3_k},
          {Mix::q3_k_m, Role::attn_v, P::kValueFirst2, Type::q5_k},
          {Mix::q3_k_m, Role::attn_v, 0, Type::q4_k},
          {Mix::q3_k_m, Role::mlp_down, P::kFfnFirst16th, Type::q5_k},
          {Mix::q3_k_m, Role::mlp_down, 0, Type::q4_k},
          {Mix::q3_k_m, Role::attn_output, 0, Type::q4_k},
          {Mix::q3_k_m, Role::attn_qkv, 0, Type::q4_k},
          {Mix::q3_k_l, Role::attn_v, 0, Type::q5_k},
          {Mix::q3_k_l, Role::mlp_down, 0, Type::q5_k},
          {Mix::q3_k_l, Role::attn_output, 0, Type::q5_k},
          {Mix::q4_k_s, Role::attn_v, P::kValueFirst4, Type::q5_k},
          {Mix::q4_k_s, Role::attn_v, 0, Type::q4_k},
          {Mix::q4_k_s, Role::mlp_down, P::kFfnFirst8th, Type::q5_k},
          {Mix::q4_k_m, Role::attn_v, P::kValueMore, Type::q6_k},
          {Mix::q4_k_m, Role::attn_v, P::kFfnMore, Type::q4_k},
          {Mix::q4_k_m, Role::mlp_down, P::kFfnMore, Type::q6_k},
          {Mix::q4_k_m, Role::expert_down, P::kFfnMore, Type::q6_k},
          {Mix::q4_k_m, Role::shared_down, P::kFfnMore, Type::q6_k},
          {Mix::q4_k_m, Role::attn_qkv, P::kValueMore, Type::q5_k},
          {Mix::q4_k_m, Role::attn_output, P::kValueMore, Type::q4_k},
          {Mix::q5_k_m, Role::attn_v, P::kValueMore, Type::q6_k},
          {Mix::q5_k_m, Role::attn_qkv, 0, Type::q6_k},
          {Mix::q5_k_s, Role::attn_v, 0, Type::q5_k},
          {Mix::q6_k, Role::mlp_down, 0, Type::q6_k},
          {Mix::iq4_xs, Role::attn_v, 0, Type::q5_k},
          {Mix::iq4_xs, Role::mlp_down, P::kFfnFirst8th, Type::q5_k},
          {Mix::iq4_nl, Role::mlp_up, 0, Type::iq4_nl},
          {Mix::iq3_xxs, Role::attn_v, 0, Type::q4_k},
          {Mix::iq3_xxs, Role::attn_q, 0, Type::iq2_s},
          {Mix::iq3_xxs, Role::attn_k, 0, Type::iq2_s},
          {Mix::iq3_xxs, Role::attn_output, 0, Type::iq3_s},
          {Mix::iq3_xxs, Role::mlp_down, P::kFfnFirst8th, Type::q4_k},
          {Mix::iq3_xxs, Role::mlp_down, 0, Type::q3_k},
          {Mix::iq3_xs, Role::attn_q, 0, Type::iq3_xxs},
          {Mix::iq3_xs, Role::mlp_gate, P::kFfnMiddle, Type::iq3_xxs},
          {Mix::iq3_xs, Role::mlp_gate, 0, Type::iq3_s},
          {Mix::iq3_s, Role::attn_v, 0, Type::q4_k},
          {Mix::iq3_m, Role::attn_output, 0, Type::q4_k},
          {Mix::iq3_m, Role::mlp_down, P::kFfnFirst8th, Type::q4_k},
          {Mix::iq2_xxs, Role::attn_v, 0, Type::q4_k},
          {Mix::iq2_xxs, Role::mlp_down, P::kFfnFirst8th, Type::q2_k},
          {Mix::iq2_xxs, Role::mlp_down, 0, Type::iq2_xxs},
          {Mix::iq2_s, Role::mlp_up, 0, Type::iq2_xs},
          {Mix::iq2_m, Role::mlp_up, 0, Type::iq2_s},
          {Mix::iq2_m, Role::attn_output, 0, Type::iq3_s},
          {Mix::iq1_s, Role::attn_output, 0, Type::iq2_xxs},
          {Mix::tq1_0, Role::attn_v, 0, Type::tq1_0},
      },
      grouped());
  check_all(
      {
          {Mix::q2_k, Role::attn_v, 0, Type::q3_k},
          {Mix::q2_k_s, Role::attn_v, 0, Type::q2_k},
          {Mix::iq4_xs, Role::attn_v, 0, Type::iq4_xs},
          {Mix::iq3_xxs, Role::attn_v, 0, Type::iq3_s},
          {Mix::iq3_s, Role::attn_v, 0, Type::iq3_s},
          {Mix::iq3_m, Role::attn_v, 0, Type::q4_k},
          {Mix::iq2_xs, Role::attn_v, 0, Type::q2_k},
          {Mix::iq2_m, Role::attn_v, 0, Type::iq3_s},
      },
      ungrouped());
}

TEST_CASE("four experts do for attn_v what shared kv heads do, below three bits", "[format][gguf]") {
  QuantiserContext context = ungrouped();
  for (const std::uint64_t experts : {3U, 4U, 16U}) {
    context.experts = experts;
    CHECK(gguf_type(Mix::iq2_xs, matrix(Role::attn_v), {}, context) == (experts < 4 ? Type::q2_k : Type::q4_k));
    CHECK(gguf_type(Mix::iq2_s, matrix(Role::attn_v), {}, context) == (experts < 4 ? Type::iq3_s : Type::q4_k));
  }
}

TEST_CASE("the head and a tied embedding have rules of their own", "[format][gguf]") {
  struct Row {
    Mix mix;
    Type output, embedding;
  };
  const Row table[] = {{Mix::q4_k_m, Type::q6_k, Type::q4_k},   {Mix::q4_0, Type::q6_k, Type::q4_0},
                       {Mix::q8_0, Type::q8_0, Type::q8_0},     {Mix::f16, Type::f16, Type::f16},
                       {Mix::bf16, Type::bf16, Type::bf16},     {Mix::f32, Type::f32, Type::f32},
                       {Mix::iq2_xxs, Type::q5_k, Type::q2_k},  {Mix::iq1_m, Type::q5_k, Type::q2_k},
                       {Mix::iq2_m, Type::q5_k, Type::iq3_s},   {Mix::iq3_xxs, Type::q5_k, Type::iq3_s},
                       {Mix::iq3_xs, Type::q6_k, Type::iq3_s},  {Mix::tq2_0, Type::q6_k, Type::q4_k},
                       {Mix::mxfp4_moe, Type::q8_0, Type::q8_0}};
  for (const Row& row : table) {
    INFO(static_cast<int>(row.mix));
    QuantiserContext context = grouped();
    CHECK(gguf_type(row.mix, matrix(Role::output), {}, context) == row.output);
    CHECK(gguf_type(row.mix, matrix(Role::token_embedding), {}, context) == row.embedding);
    context.tied = true;
    CHECK(gguf_type(row.mix, matrix(Role::token_embedding), {}, context) == row.output);
  }
}

TEST_CASE("what llama.cpp does not quantise stays in fp32", "[format][gguf]") {
  for (const NamedFormat& row : named_formats()) {
    if (row.format.scheme != WeightScheme::gguf) continue;
    INFO(row.name);
    for (const Role role : {Role::position_embedding, Role::router, Role::shared_router, Role::mixer_conv,
                            Role::expert_bias, Role::norm}) {
      CHECK(gguf_type(row.format.mix, matrix(role), {}, grouped()) == Type::f32);
    }
    CHECK(gguf_type(row.format.mix, {Role::attn_q, kNoLayer, 1, 4096, 1}, {}, grouped()) == Type::f32);
  }
}

TEST_CASE("models of eight experts get better attention", "[format][gguf]") {
  QuantiserContext context = grouped();
  context.experts = 8;
  check_all({{Mix::q4_k_m, Role::attn_v, 0, Type::q8_0},
             {Mix::q4_k_m, Role::attn_k, 0, Type::q8_0},
             {Mix::q4_k_m, Role::attn_q, 0, Type::q4_k},
             {Mix::q4_k_m, Role::attn_output, 0, Type::q5_k},
             {Mix::q5_k_m, Role::attn_output, 0, Type::q5_k},
             {Mix::q3_k_l, Role::attn_output, 0, Type::q3_k},
             {Mix::iq2_xxs, Role::attn_k, 0, Type::q4_k},
             {Mix::iq2_xxs, Role::attn_output, 0, Type::q5_k},
             {Mix::iq3_m, Role::mlp_down, P::kFfnMore, Type::q4_k}},
            context);
}

TEST_CASE("large Llamas with shared kv heads get better values", "[format][gguf]") {
  QuantiserContext context = grouped();
  context.large_llama = true;
  check_all({{Mix::q4_k_m, Role::attn_v, 0, Type::q5_k},
             {Mix::q4_k_m, Role::attn_v, P::kValueMore, Type::q6_k},
             {Mix::q3_k_s, Role::attn_v, 0, Type::q5_k},
             {Mix::q4_k_s, Role::mlp_down, 0, Type::q4_k},
             {Mix::iq4_xs, Role::attn_v, 0, Type::q5_k}},
            context);
}

TEST_CASE("an importance matrix moves the care for the first layers", "[format][gguf]") {
  QuantiserContext context = grouped();
  const auto first_layer = [&context](Mix mix) { return MixPlaces(mix, context).at(0, 0, 0); };
  CHECK(gguf_type(Mix::iq4_xs, matrix(Role::mlp_down), first_layer(Mix::iq4_xs), context) == Type::q5_k);
  CHECK(gguf_type(Mix::q4_0, matrix(Role::mlp_down), first_layer(Mix::q4_0), context) == Type::q4_0);
  context.has_imatrix = true;
  CHECK(gguf_type(Mix::iq4_xs, matrix(Role::mlp_down), first_layer(Mix::iq4_xs), context) == Type::iq4_xs);
  CHECK(gguf_type(Mix::q4_0, matrix(Role::mlp_down), first_layer(Mix::q4_0), context) == Type::q4_1);
  CHECK(gguf_type(Mix::q5_0, matrix(Role::mlp_down), first_layer(Mix::q5_0), context) == Type::q5_1);
  CHECK(gguf_type(Mix::iq3_xxs, matrix(Role::mlp_down), first_layer(Mix::iq3_xxs), context) == Type::iq3_xxs);
}

TEST_CASE("Falcon's shape has rules of its own", "[format][gguf]") {
  QuantiserContext context = grouped();
  context.falcon = true;
  check_all({{Mix::q4_k_m, Role::output, 0, Type::q8_0},
             {Mix::q4_k_m, Role::mlp_down, P::kFfnFirst16th | P::kFfnMore, Type::q6_k},
             {Mix::q4_k_m, Role::mlp_down, P::kFfnMore, Type::q5_k},
             {Mix::q3_k_m, Role::mlp_down, 0, Type::q3_k},
             {Mix::q3_k_l, Role::mlp_down, 0, Type::q4_k},
             {Mix::q3_k_l, Role::attn_output, 0, Type::q4_k},
             {Mix::q4_k_s, Role::mlp_down, P::kFfnFirst8th, Type::q4_k}},
            context);
}

TEST_CASE("rows that do not fill blocks fall back to coarser blocks, then to 16 bit", "[format][gguf]") {
  struct Row {
    Mix mix;
    Count cols;
    Type type;
  };
  const Row table[] = {
      {Mix::q4_k_s, 2880, Type::q5_0},   {Mix::q5_k_s, 2880, Type::q5_1}, {Mix::q6_k, 2880, Type::q8_0},
      {Mix::q2_k, 2880, Type::q4_0},     {Mix::q3_k_s, 2880, Type::q4_0}, {Mix::iq2_xxs, 2880, Type::iq4_nl},
      {Mix::iq4_xs, 2880, Type::iq4_nl}, {Mix::tq1_0, 2880, Type::q4_0},  {Mix::q8_0, 2880, Type::q8_0},
      {Mix::q4_k_s, 2890, Type::f16},    {Mix::q8_0, 2890, Type::f16},    {Mix::q1_0, 2880, Type::q4_0},
      {Mix::q1_0, 3072, Type::q1_0},     {Mix::q4_k_s, 2816, Type::q4_k}};
  for (const Row& row : table) {
    INFO(static_cast<int>(row.mix) << ' ' << row.cols.value());
    CHECK(gguf_type(row.mix, matrix(Role::mlp_up, row.cols), {}, grouped()) == row.type);
  }
  // The head becomes Q8_0 when it does not fill the mix's own blocks, and by the fallback of Q6_K when it does.
  CHECK(gguf_type(Mix::iq2_xxs, matrix(Role::output, 2880), {}, grouped()) == Type::q8_0);
  CHECK(gguf_type(Mix::q4_0, matrix(Role::output, 2880), {}, grouped()) == Type::q8_0);
}

TEST_CASE("MLA's up-projection is stored in two parts, the keys' transposed", "[format][gguf]") {
  QuantiserContext context = grouped();
  context.latent_nope = 128;
  context.latent_value = 128;
  const Tensor up{Role::attn_kv_up, kNoLayer, 128 * (128 + 128), 512, 1};
  const WeightFormat format = *parse_weight_format("q4_k_s");
  const Bytes k = bytes_of(Type::q5_0, 128 * 512, 128);  // 128 columns fill no block of 256
  const Bytes v = bytes_of(Type::q4_k, 128 * 128, 512);
  CHECK(stored_bytes(format, up, {}, context) == k + v);
  CHECK(stored_bytes(*parse_weight_format("q8_0"), up, {}, context) == bytes_of(Type::q8_0, up.rows, up.cols));
  CHECK(stored_bytes(*parse_weight_format("mxfp4_moe"), up, {}, context) == bytes_of(Type::mxfp4, up.rows, up.cols));
}

TEST_CASE("more bits go to the first and last eighth and every third layer between", "[format][gguf]") {
  const MixPlaces places(Mix::q4_k_m, grouped());
  std::uint32_t more = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    const bool expected = i < 4 || i >= 28 || (i - 4) % 3 == 2;
    CHECK(places.at(i, 40, 0).has(P::kValueMore) == expected);
    CHECK(places.at(40, i, 0).has(P::kFfnMore) == expected);
    more += expected ? 1 : 0;
  }
  CHECK(more == 16);
}

TEST_CASE("a place answers only what its mix asks", "[format][gguf]") {
  CHECK(MixPlaces(Mix::q8_0, grouped()).uniform());
  CHECK(MixPlaces(Mix::q2_k, grouped()).uniform());
  CHECK(MixPlaces(Mix::q8_0, grouped()).at(0, 0, 0) == LayerPlace());
  CHECK(MixPlaces(Mix::q4_k_s, grouped()).at(0, 0, 0).bits == (P::kValueFirst4 | P::kFfnFirst8th));
  CHECK(MixPlaces(Mix::q3_k_m, grouped()).at(1, 2, 0).bits == P::kValueFirst2);
  CHECK(MixPlaces(Mix::iq3_xs, grouped()).at(0, 4, 0).bits == P::kFfnMiddle);
  CHECK(MixPlaces(Mix::iq2_m, grouped()).at(0, 3, 4).bits == P::kFfnFirst8th);
  CHECK(MixPlaces(Mix::q4_k_m, {}).at(0, 0, 0).bits == (P::kValueMore | P::kFfnMore));  // no layers at all
}

TEST_CASE("a list longer than any vector is matrices without a name", "[format][gguf]") {
  const WeightFormat format = *parse_weight_format("q4_k_m");
  const Tensor shorter{Role::attn_other, kNoLayer, 1, 1U << 18U, 1};
  CHECK(stored_bytes(format, shorter, {}, grouped()) == Bytes(4U << 18U));
  const Tensor longer{Role::attn_other, kNoLayer, 1, (1U << 18U) + 1, 1};
  CHECK(stored_bytes(format, longer, {}, grouped()) == Bytes(1025 * 144));
  CHECK_FALSE(is_quantised(*parse_weight_format("nf4"), longer, {}, {}));
}

TEST_CASE("delta nets' input projection counts as attn_v", "[format][gguf]") {
  check_all({{Mix::q4_k_m, Role::mixer_in, P::kDeltaNet | P::kValueMore, Type::q6_k},
             {Mix::q4_k_m, Role::mixer_in, P::kDeltaNet, Type::q4_k},
             {Mix::q4_k_m, Role::mixer_in, P::kValueMore, Type::q4_k},
             {Mix::q4_k_m, Role::mixer_out, P::kDeltaNet | P::kValueMore, Type::q4_k}},
            grouped());
}
