#include "core/memory/recurrent_state.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/memory/cache_vectors.h"

namespace vram {
namespace {

using namespace testing;

/// Layers of one mixer alone.
Model model_of(const json::Value& row) {
  Model model;
  model.hidden = count_in(row, "hidden");
  Layer layer;
  if (text_in(row, "mixer") == "rwkv") {
    Rwkv rwkv;
    rwkv.head_size = 64;
    layer.mixer = rwkv;
  } else {
    layer.mixer = Mamba1{5120, 16, 160, 4};
  }
  model.kinds = {layer};
  model.order.assign(static_cast<std::size_t>(count_in(row, "layers").value()), 0);
  return model;
}

}  // namespace

TEST_CASE("recurrent states are exact to the byte", "[state][vectors]") {
  REQUIRE(cache_vectors("state").size() == 5);
  for (const json::Value& row : cache_vectors("state")) {
    INFO(text_in(row, "id"));
    Model by_hand;
    std::shared_ptr<const Model> shipped;
    if (row.find("model") != nullptr) {
      shipped = find_model(text_in(row, "model"));
      REQUIRE(shipped != nullptr);
    } else {
      by_hand = model_of(row);
    }
    const Model& model = shipped != nullptr ? *shipped : by_hand;
    const Count matrix = count_in(row, "matrix_bytes");
    const StateFormat format = {count_in(row, "conv_bytes"), matrix, matrix};
    CHECK(recurrent_state(model, all_layers(model), format, 1, 1).total() == count_in(row, "expected"));
    CHECK(recurrent_state(model, all_layers(model), format, 1, 7).total() == count_in(row, "expected") * 7);
  }
}

TEST_CASE("each kind of mixer keeps the state of its formula", "[state]") {
  // F-4.8, one layer, hidden 1024.
  const auto elements = [](Mixer mixer) { return state_elements(mixer, 1024, 1); };
  CHECK(elements(GatedDeltaNet{16, 32, 128, 128, 4}).conv == Count(3 * (2 * 2048 + 4096)));
  CHECK(elements(GatedDeltaNet{16, 32, 128, 128, 4}).matrix == Count(32 * 128 * 128));
  CHECK(elements(KimiDelta{32, 128, 4}).conv == Count(3 * 3 * 4096));
  CHECK(elements(KimiDelta{32, 128, 4}).matrix == Count(4096 * 128));
  CHECK(elements(Mamba1{2048, 16, 64, 4}).total() == Count(3 * 2048 + 2048 * 16));
  CHECK(elements(Mamba2{64, 64, 8, 128, 4}).total() == Count(3 * (4096 + 2048) + 4096 * 128));
  CHECK(elements(ShortConv{3}).total() == Count(2048));
  CHECK(elements(LinearAttention{64, 128}).total() == Count(64 * 128 * 128));
  CHECK(elements(Attention{}).total() == Count(0));
}

TEST_CASE("tensor parallelism divides states by heads and repeats Mamba's groups", "[state]") {
  const StateElements one = state_elements(Mamba2{64, 64, 8, 128, 4}, 1024, 1);
  const StateElements eight = state_elements(Mamba2{64, 64, 8, 128, 4}, 1024, 8);
  CHECK(eight.total() * 8 == one.total());
  // One group cannot be divided.
  const StateElements repeated = state_elements(Mamba2{64, 64, 1, 128, 4}, 1024, 8);
  CHECK(repeated.conv == Count(3 * (512 + 256)));
}

}  // namespace vram
