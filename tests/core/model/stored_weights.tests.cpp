#include "core/model/stored_weights.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "tests/core/model/hand_built.h"

using namespace vram;

namespace {

using Role = TensorRole;

WeightFormat format_of(std::string_view name) { return *parse_weight_format(name); }

StoredWeights stored(const Model& model, std::string_view format) {
  return store(model, format_of(format), quantiser_context(model));
}

std::uint64_t total(const Model& model, std::string_view format) { return stored(model, format).total.bytes.value(); }

Stored sum_of_layers(const StoredWeights& weights) {
  Stored sum;
  for (std::size_t i = 0; i < weights.order.size(); ++i) sum += weights.layer(i).total();
  return sum;
}

/// Small models of four kinds, and some whose rows fill no blocks.
std::vector<std::pair<const char*, Model>> small_models() {
  using hand_built::Shape;
  std::vector<std::pair<const char*, Model>> models;
  models.emplace_back("dense", hand_built::decoder({32000, 2048, 12, 16, 4, 128, 5632}));
  models.emplace_back("tied", hand_built::decoder({32000, 1024, 12, 16, 16, 64, 4096, true}));
  models.emplace_back("odd", hand_built::decoder({1000, 96, 3, 3, 1, 32, 200}));
  models.emplace_back("very odd", hand_built::decoder({1000, 50, 3, 5, 1, 10, 130}));
  Shape moe{32000, 1024, 8, 16, 2, 64, 2816};
  moe.experts = 16;
  moe.expert_ffn = 768;
  moe.shared_ffn = 768;
  moe.dense_layers = 1;
  models.emplace_back("experts", hand_built::decoder(moe));
  moe.experts = 8;
  models.emplace_back("eight experts", hand_built::decoder(moe));
  moe.q_rank = 768;
  moe.kv_rank = 512;
  moe.nope = moe.value = 128;
  moe.rope = 64;
  models.emplace_back("latent attention", hand_built::decoder(moe));
  models.emplace_back("hybrid", hand_built::hybrid());
  models.emplace_back("gpt-oss", hand_built::gpt_oss(4, 8));
  return models;
}

}  // namespace

TEST_CASE("nominal bits are those of Llama-3-8B's matrices", "[format]") {
  const Model model = hand_built::llama3_8b();
  for (const NamedFormat& row : named_formats()) {
    if (row.name == "mxfp4_moe") continue;  // its experts' rate; a dense model has none
    INFO(row.name);
    const StoredWeights weights = stored(model, row.name);
    Bytes bytes;
    Count elements;
    for (std::size_t i = 0; i < weights.order.size(); ++i) {
      bytes += weights.layer(i).quantised_bytes;
      elements += weights.layer(i).quantised_elements;
    }
    if (!elements) {  // plain floats
      bytes = sum_of_layers(weights).bytes;
      elements = sum_of_layers(weights).elements;
    }
    const double rate = bytes.as_double() * 800 / elements.as_double();
    CHECK(rate > row.nominal_bits_x100 - 0.75);
    CHECK(rate < row.nominal_bits_x100 + 0.75);
  }
}

TEST_CASE("more nominal bits of one family never take fewer bytes", "[format]") {
  const auto family_of = [](const WeightFormat& format) {
    switch (format.scheme) {
      case WeightScheme::gguf:
        switch (format.mix) {
          case GgufMix::tq1_0:
          case GgufMix::tq2_0: return 5;
          case GgufMix::q1_0:
          case GgufMix::q2_0: return 6;
          case GgufMix::mxfp4_moe: return 0;  // on a dense model it is Q8_0
          default: return 1;
        }
      case WeightScheme::gptq: return 2;
      case WeightScheme::bnb4: return 3;
      case WeightScheme::plain: return 4;
      default: return 0;
    }
  };
  for (const Model& model : {hand_built::llama3_8b(), hand_built::llama3_405b()}) {
    for (const NamedFormat& fewer : named_formats()) {
      for (const NamedFormat& more : named_formats()) {
        if (family_of(fewer.format) == 0 || family_of(fewer.format) != family_of(more.format)) continue;
        // Mixes closer than a tenth of a bit differ more by embedding and head.
        if (fewer.nominal_bits_x100 + 10 > more.nominal_bits_x100) continue;
        INFO(fewer.name << " and " << more.name);
        CHECK(total(model, fewer.name) < total(model, more.name));
      }
    }
  }
  const Model model = hand_built::llama3_8b();
  std::uint64_t before = 0;
  for (WeightFormat format = format_of("exl3-1"); format.bits_x100 <= 800; ++format.bits_x100) {
    const std::uint64_t bytes = store(model, format, quantiser_context(model)).total.bytes.value();
    CHECK(bytes > before);
    before = bytes;
  }
}

TEST_CASE("every format takes between one bit and fp32 for each parameter", "[format]") {
  for (const auto& [what, model] : small_models()) {
    const std::uint64_t fp32 = total(model, "fp32");
    for (const NamedFormat& row : named_formats()) {
      INFO(what << " in " << row.name);
      const StoredWeights weights = stored(model, row.name);
      CHECK(weights.total.bytes.value() * 8 >= weights.total.elements.value());
      CHECK(weights.total.bytes.value() <= fp32);
      CHECK(weights.total.elements.value() * 4 == fp32);
    }
    CHECK(total(model, "fp16") * 2 == fp32);
    CHECK(total(model, "bf16") * 2 == fp32);
  }
}

TEST_CASE("the parts of every format sum to its total", "[format]") {
  for (const auto& [what, model] : small_models()) {
    for (const NamedFormat& row : named_formats()) {
      INFO(what << " in " << row.name);
      const StoredWeights w = stored(model, row.name);
      const Stored sum = sum_of_layers(w) + w.token_embedding + w.output + w.other + w.towers + w.per_layer_embedding;
      CHECK(sum.bytes == w.total.bytes);
      CHECK(sum.elements == w.total.elements);
      CHECK(w.order.size() == model.order.size());
      for (const LayerWeights& kind : w.kinds) {
        CHECK(kind.quantised_bytes <= kind.total().bytes);
        CHECK(kind.quantised_elements <= kind.total().elements);
      }
      CHECK(w.largest_quantised_matrix <= w.largest_matrix);
    }
  }
}

TEST_CASE("layers of one kind and place share an entry, and entries are what the tensors take", "[format][gguf]") {
  for (const auto& [what, model] : small_models()) {
    const QuantiserContext context = quantiser_context(model);
    for (const NamedFormat& row : named_formats()) {
      if (row.format.scheme != WeightScheme::gguf) continue;
      INFO(what << " in " << row.name);
      const StoredWeights weights = store(model, row.format, context);
      CHECK(std::set<std::uint16_t>(weights.order.begin(), weights.order.end()).size() == weights.kinds.size());
      const MixPlaces places(row.format.mix, context);
      std::uint32_t values = 0, downs = 0;
      for (std::uint32_t i = 0; i < model.order.size(); ++i) {
        const std::vector<Tensor>& tensors = model.kind_tensors[model.order[i]];
        const std::uint32_t ffn = places.counts_ffn() ? downs : i;
        std::uint32_t downs_here = 0;
        for (const Tensor& tensor : tensors) {
          downs_here +=
              tensor.role == Role::mlp_down || tensor.role == Role::expert_down || tensor.role == Role::shared_down;
        }
        const std::uint32_t shared = places.counts_ffn() && downs_here > 1 ? ffn + 1 : ffn;
        Bytes bytes;
        for (const Tensor& tensor : tensors) {
          bytes += stored_bytes(row.format, tensor, places.at(values, ffn, shared), context);
          values += tensor.role == Role::attn_v || tensor.role == Role::attn_qkv;
        }
        downs += downs_here;
        CHECK(weights.layer(i).total().bytes == bytes);
      }
    }
  }
}

TEST_CASE("Q4_K_M gives half of Llama-3-8B's layers more bits", "[format][gguf]") {
  const StoredWeights weights = stored(hand_built::llama3_8b(), "q4_k_m");
  REQUIRE(weights.kinds.size() == 2);
  const Count larger_kind = weights.kinds[0].total().bytes > weights.kinds[1].total().bytes ? 0 : 1;
  std::size_t larger = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    const bool more = i < 4 || i >= 28 || (i - 4) % 3 == 2;
    const Count entry = weights.order[i];
    CHECK((entry == larger_kind) == more);
    larger += more ? 1 : 0;
  }
  CHECK(larger == 16);
}

TEST_CASE("experts count by their layer's index, and one by one in the 1- and 2-bit mixes", "[format][gguf]") {
  hand_built::Shape shape{32000, 1024, 16, 16, 2, 64, 2816};
  shape.experts = 16;
  shape.expert_ffn = shape.shared_ffn = 768;
  shape.dense_layers = 1;
  const Model model = hand_built::decoder(shape);
  const StoredWeights medium = stored(model, "q4_k_m");
  const StoredWeights small = stored(model, "iq2_xxs");
  const Bytes step = bytes_of(TensorType::q6_k, 1024, 768) - bytes_of(TensorType::q4_k, 1024, 768);
  const Bytes value_step = bytes_of(TensorType::q6_k, 128, 1024) - bytes_of(TensorType::q4_k, 128, 1024);
  const Bytes plain = medium.layer(2).total().bytes;
  for (std::size_t i = 1; i < 16; ++i) {
    const bool more = i < 2 || i >= 14 || (i - 2) % 3 == 2;
    INFO(i);
    CHECK(medium.layer(i).total().bytes == (more ? plain + step * 17 + value_step : plain));
  }
  // Of 16 layers the first two ffn_down tensors are better: the dense layer's and the next layer's experts, not the
  // shared expert behind them.
  const Bytes experts_step = (bytes_of(TensorType::q2_k, 1024, 768) - bytes_of(TensorType::iq2_xxs, 1024, 768)) * 16;
  CHECK(small.layer(1).experts.bytes == small.layer(2).experts.bytes + experts_step);
  CHECK(small.layer(1).split.bytes == small.layer(2).split.bytes);
  CHECK(small.layer(2).total().bytes == small.layer(15).total().bytes);
}

TEST_CASE("the shared expert counts after the experts of its layer", "[format][gguf]") {
  hand_built::Shape shape{32000, 1024, 16, 16, 2, 64, 0};
  shape.experts = 16;
  shape.expert_ffn = shape.shared_ffn = 768;
  const StoredWeights weights = stored(hand_built::decoder(shape), "iq2_m");
  const Bytes step = bytes_of(TensorType::iq3_s, 1024, 768) - bytes_of(TensorType::iq2_s, 1024, 768);
  CHECK(weights.layer(0).experts.bytes == weights.layer(1).experts.bytes + step * 16);
  CHECK(weights.layer(0).split.bytes == weights.layer(1).split.bytes + step);
  shape.layers = 8;  // an eighth is one tensor
  const StoredWeights fewer = stored(hand_built::decoder(shape), "iq2_m");
  CHECK(fewer.layer(0).experts.bytes == fewer.layer(1).experts.bytes + step * 16);
  CHECK(fewer.layer(0).split.bytes == fewer.layer(1).split.bytes);
}

TEST_CASE("tensors are grouped as parallelism divides them", "[format]") {
  const StoredWeights weights = stored(hand_built::deepseek_v3(), "bf16");
  const LayerWeights& dense = weights.layer(0);
  const LayerWeights& sparse = weights.layer(60);
  const std::uint64_t expert = 3ULL * 7168 * 2048, shared = expert;
  CHECK(sparse.experts.elements.value() == 256 * expert);
  CHECK(dense.experts.elements.value() == 0);
  // Down-projections of MLA with their norms, two norms of the layer; router with its correction.
  const std::uint64_t down = 7168ULL * 1536 + 1536 + 7168ULL * (512 + 64) + 512 + 2ULL * 7168;
  CHECK(dense.replicated.elements.value() == down);
  CHECK(sparse.replicated.elements.value() == down + 7168ULL * 256 + 256);
  const std::uint64_t attention = 1536ULL * 128 * 192 + 512ULL * 128 * 256 + 128ULL * 128 * 7168;
  CHECK(dense.split.elements.value() == attention + 3ULL * 7168 * 18432);
  CHECK(sparse.split.elements.value() == attention + shared);
  CHECK(weights.largest_matrix == Count(7168ULL * 18432));
  CHECK(weights.largest_quantised_matrix == Count(0));
}

TEST_CASE("what a quantiser must unpack at once is its largest matrix", "[format]") {
  CHECK(stored(hand_built::llama3_8b(), "nf4").largest_quantised_matrix == Count(14336ULL * 4096));  // T-3.21
  CHECK(stored(hand_built::llama3_8b(), "q4_k_m").largest_quantised_matrix == Count(14336ULL * 4096));
  const StoredWeights oss = stored(hand_built::gpt_oss(24, 32), "mxfp4");
  CHECK(oss.largest_quantised_matrix == Count(2880ULL * 2880));
  CHECK(oss.largest_matrix == Count(2880ULL * 4096));
}

TEST_CASE("a tied head costs nothing on disk and is the embedding again for who holds it twice", "[format]") {
  const StoredWeights tied = stored(hand_built::gemma3_1b(), "q4_k_m");
  CHECK(tied.output.bytes == Bytes(0));
  CHECK(tied.tied_output.bytes == tied.token_embedding.bytes);
  CHECK(tied.token_embedding.bytes == bytes_of(TensorType::q8_0, 262144, 1152));  // 1152 fills no block of 256
  CHECK(stored(hand_built::llama3_8b(), "q4_k_m").tied_output.bytes == Bytes(0));
}

TEST_CASE("an encoder without a head stores its embedding as llama.cpp stores a head", "[format][gguf]") {
  Model model = hand_built::decoder({30522, 768, 12, 12, 12, 64, 3072, true});
  model.tied = false;
  model.has_output = false;
  const StoredWeights weights = stored(model, "q4_k_m");
  CHECK(weights.token_embedding.bytes == bytes_of(TensorType::q6_k, 30522, 768));
  CHECK(weights.tied_output.bytes == Bytes(0));
}

TEST_CASE("prediction layers are stored beside the total", "[format]") {
  Model model = hand_built::llama3_8b();
  const StoredWeights without = stored(model, "q4_k_m");
  model.mtp = {0};
  const StoredWeights with = stored(model, "q4_k_m");
  CHECK(with.total.bytes == without.total.bytes);
  REQUIRE(with.mtp.size() == 1);
  CHECK(with.kinds[with.mtp[0]].total().bytes > Bytes(0));
}

TEST_CASE("encoder layers count to the total", "[format]") {
  Model model = hand_built::llama3_8b();
  model.encoder = {0, 0};
  const StoredWeights weights = stored(model, "bf16");
  REQUIRE(weights.encoder.size() == 2);
  CHECK(weights.total.bytes.value() ==
        total(hand_built::llama3_8b(), "bf16") + 2 * weights.kinds[weights.encoder[0]].total().bytes.value());
}

TEST_CASE("towers and per-layer embeddings have groups of their own", "[format]") {
  Model model = hand_built::llama3_8b();
  model.tower_tensors = {hand_built::matrix(Role::vision, 1152, 4304, 27),
                         hand_built::vector_of(Role::vision_small, 5000),
                         hand_built::matrix(Role::projector, 4096, 1152)};
  const std::uint64_t matrices = 1152ULL * 4304 * 27 + 4096ULL * 1152;
  CHECK(stored(model, "nf4").towers.bytes.value() == matrices * 2 + 10000);
  CHECK(stored(model, "fp32").towers.bytes.value() == matrices * 4 + 20000);
  CHECK(stored(model, "q4_k_m").towers.bytes.value() == matrices * 2 + 20000);  // mmproj: 1-D in fp32
  const StoredWeights plain = stored(hand_built::llama3_8b(), "q4_k_m");
  model.outer_tensors.push_back(hand_built::vector_of(Role::token_embedding, 128256ULL * 256 * 32));
  model.outer_tensors.push_back(hand_built::vector_of(Role::attn_other, 13762816));
  const StoredWeights layered = stored(model, "q4_k_m");
  CHECK(layered.other.bytes == plain.other.bytes + Bytes(2 * 13762816));  // per_layer_model_proj stays in 16 bit
  CHECK(layered.token_embedding.bytes == plain.token_embedding.bytes);
  CHECK(layered.per_layer_embedding.bytes == bytes_of(TensorType::q4_k, 128256, 256 * 32));
}

TEST_CASE("the quantisers' view of a model follows llama.cpp's", "[format][gguf]") {
  const QuantiserContext llama = quantiser_context(hand_built::llama3_70b());
  CHECK(llama.large_llama);
  CHECK(llama.layers == Count(80));
  CHECK(llama.value_tensors == Count(80));
  CHECK(llama.heads == Count(64));
  CHECK(llama.kv_heads == Count(8));
  CHECK_FALSE(quantiser_context(hand_built::llama3_8b()).large_llama);
  const QuantiserContext mixtral = quantiser_context(hand_built::mixtral_8x7b());
  CHECK(mixtral.experts == Count(8));
  CHECK_FALSE(mixtral.falcon);
  const QuantiserContext latent = quantiser_context(hand_built::deepseek_v3());
  CHECK(latent.latent_attention);
  CHECK(latent.value_tensors == Count(0));  // no attn_v, attn_qkv or attn_kv_b in its files
  CHECK(quantiser_context(hand_built::falcon_7b()).falcon);
  CHECK(quantiser_context(hand_built::hybrid()).kv_heads == Count(0));  // the first layer has no attention
  CHECK(quantiser_context(Model()).layers == Count(0));
}

TEST_CASE("the delta net's projections are divided as llama.cpp divides them", "[format][gguf]") {
  Model model = hand_built::decoder({32000, 2048, 8, 16, 2, 256, 4096});
  GatedDeltaNet delta;
  delta.key_heads = 16;
  delta.value_heads = 32;
  delta.key_dim = delta.value_dim = 128;
  model.kinds.emplace_back();
  model.kinds[1].mixer = delta;
  model.kind_tensors.push_back(
      {hand_built::matrix(Role::mixer_in, 2 * 2048 + 2 * 4096, 2048), hand_built::matrix(Role::mixer_in, 64, 2048)});
  model.order = {1, 1, 1, 0, 1, 1, 1, 0};
  const QuantiserContext context = quantiser_context(model);
  CHECK(context.value_tensors == Count(8));
  CHECK(context.heads == Count(16));
  const StoredWeights weights = store(model, format_of("q4_k_m"), context);
  const Bytes gate = bytes_of(TensorType::q4_k, 4096 + 64, 2048);
  CHECK(weights.layer(0).total().bytes == gate + bytes_of(TensorType::q6_k, 8192, 2048));  // i < 8/8
  CHECK(weights.layer(1).total().bytes == gate + bytes_of(TensorType::q4_k, 8192, 2048));
}

TEST_CASE("RWKV's low-rank matrices stay in fp32 in GGUF files", "[format][gguf]") {
  Model model;
  model.vocab = 65536;
  model.hidden = 1024;
  Layer layer;
  layer.mixer = Rwkv{};
  model.kinds = {layer};
  model.kind_tensors = {{hand_built::matrix(Role::mixer_in, 1024, 1024, 3),
                         hand_built::matrix(Role::mixer_in, 64, 1024),
                         hand_built::matrix(Role::mixer_out, 1024, 1024)}};
  model.order = {0};
  const Bytes expected = bytes_of(TensorType::q4_k, 4 * 1024, 1024) + bytes_of(TensorType::f32, 64, 1024);
  CHECK(stored(model, "q4_k_m").layer(0).total().bytes == expected);
}

TEST_CASE("a model without layers or derived tensors stores nothing and breaks nothing", "[format]") {
  Model model;
  for (const NamedFormat& row : named_formats()) CHECK(total(model, row.name) == 0);
  model.kinds.emplace_back();
  model.order = {0};
  for (const NamedFormat& row : named_formats()) CHECK(total(model, row.name) == 0);
}
