#include <catch2/catch_test_macros.hpp>

#include "core/model/read_model.h"
#include "tests/core/model/shipped_models.h"

using namespace vram;
using namespace vram::testing;

namespace {

Count cache_elements(const Model& model) {
  const Attention& attention = std::get<Attention>(model.kinds[0].mixer);
  return Count(model.layer_count()) * attention.kv_heads * (attention.head_dim + attention.value_dim);
}

}  // namespace

TEST_CASE("the generic model has the size asked for and never shrinks as it grows", "[model][generic]") {
  Model last;
  for (double wanted = 1e7; wanted <= 3e12; wanted *= 1.0037) {
    const Model model = generic_model(static_cast<std::uint64_t>(wanted));
    INFO(wanted);
    const double error = model.parameters.as_double() / wanted - 1;
    REQUIRE(error < 0.03);
    REQUIRE(error > -0.03);
    REQUIRE(model.parameters >= last.parameters);
    REQUIRE(model.layer_count() >= last.layer_count());
    REQUIRE(model.hidden >= last.hidden);
    REQUIRE(model.vocab >= last.vocab);
    REQUIRE(model.hidden.value() % 128 == 0);
    const Attention& attention = std::get<Attention>(model.kinds[0].mixer);
    REQUIRE(attention.heads.value() % attention.kv_heads.value() == 0);
    REQUIRE(attention.heads * attention.head_dim >= model.hidden);
    REQUIRE(attention.head_dim == Count(wanted < 1.48e9 ? 64 : wanted > 1.52e9 ? 128 : attention.head_dim.value()));
    const Mlp& mlp = std::get<Mlp>(model.kinds[0].feed_forward);
    const double ratio = mlp.size.as_double() / model.hidden.as_double();
    REQUIRE(ratio > 1.5);
    REQUIRE(ratio < 7);
    if (last.layer_count() > 0) REQUIRE(cache_elements(model) >= cache_elements(last));
    last = model;
  }
}

TEST_CASE("the generic model stays inside its range", "[model][generic]") {
  CHECK(generic_model(0).parameters == generic_model(10'000'000).parameters);
  CHECK(generic_model(Count::max()).parameters == generic_model(3'000'000'000'000).parameters);
}

TEST_CASE("the generic model can be written and read", "[model][generic]") {
  const Model model = generic_model(8'000'000'000);
  const Result<Model> again = read_model(write_model(model), "m", true);
  REQUIRE(again);
  CHECK(same_model(*again, model));
  // Close to Llama-3.1-8B, after which it is shaped there.
  CHECK(model.hidden == Count(4096));
  CHECK(model.layer_count() == 32);
}
