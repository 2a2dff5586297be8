#include "core/memory/training/layer_activations.h"

#include <catch2/catch_test_macros.hpp>

#include "core/memory/training/outer_activations.h"
#include "core/memory/training/weight_casts.h"
#include "tests/core/data_file.h"
#include "tests/core/memory/training/oracle_model.h"

namespace vram {
namespace {

/// Everything autograd saves for one forward pass without checkpointing, all parameters trained.
Bytes whole_model(const Model& model, const json::Value& config) {
  const ActivationRecipe recipe = oracle::recipe(config);
  const LossHead head = oracle::loss_head(config);
  LossRecipe loss{.head = head,
                  .batch = recipe.batch,
                  .sequence = recipe.sequence,
                  .hidden = model.hidden,
                  .vocab = model.vocab,
                  .compute = recipe.compute,
                  .autocast = recipe.autocast};
  loss.softcap = model.final_softcap;
  if (const json::Value* chunks = config.find("chunks")) loss.chunks = chunks->integer();
  const HeadInput input = head == LossHead::fused_linear ? HeadInput::fused : HeadInput::kept;
  Bytes bytes = embedding_activations(model, recipe).total() + head_activations(model, recipe, input).total();
  bytes += Count(model.layer_count()) * layer_activations(model, 0, recipe).total();
  return bytes + loss_memory(loss).kept;
}

}  // namespace

TEST_CASE("Saved activations equal PyTorch's to the byte in every oracle record", "[memory][training][oracle]") {
  const json::Value file = read_data_file("oracle_transformer.json");
  REQUIRE(file.find("records") != nullptr);
  int layers = 0, checkpointed = 0, totals = 0;
  for (const json::Value& record : file.find("records")->items()) {
    const json::Value& config = *record.find("config");
    const json::Value& expected = *record.find("expected");
    const Model model = oracle::model(config);
    const ActivationRecipe recipe = oracle::recipe(config);
    INFO(json::write(config));
    CHECK(has_exact_activations(model));
    if (const json::Value* layer = expected.find("layer")) {
      CHECK(layer_activations(model, 0, recipe).total().value() == layer->integer());
      ++layers;
    }
    if (const json::Value* layer = expected.find("checkpointed_layer")) {
      const Bytes kept = checkpoint_activations(model, recipe) + autocast_cache(model, 0, recipe);
      CHECK(kept.value() == layer->integer());
      ++checkpointed;
    }
    if (const json::Value* total = expected.find("total")) {
      CHECK(whole_model(model, config).value() == total->integer());
      ++totals;
    }
  }
  CHECK(layers == 237);
  CHECK(checkpointed == 132);
  CHECK(totals == 184);
}

}  // namespace vram
