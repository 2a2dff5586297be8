#include "core/memory/training/optimizer.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/core/data_file.h"

namespace vram {
namespace {

Optimizer optimizer_of(const std::string& name) {
  if (name == "AdamW") return Optimizer::adamw;
  if (name == "SGD momentum") return Optimizer::sgd_momentum;
  if (name == "Lion") return Optimizer::lion;
  return name == "SGD" ? Optimizer::sgd : Optimizer::adafactor;
}

OptimizerRecipe in(Optimizer optimizer, Count bytes) {
  OptimizerRecipe recipe;
  recipe.optimizer = optimizer;
  recipe.parameter_bytes = recipe.state_bytes = recipe.gradient_bytes = bytes;
  return recipe;
}

}  // namespace

TEST_CASE("Optimizer states and step temporaries equal PyTorch's in every oracle record",
          "[memory][training][oracle]") {
  const json::Value file = read_data_file("oracle_optimizer.json");
  REQUIRE(file.find("records") != nullptr);
  int records = 0;
  for (const json::Value& record : file.find("records")->items()) {
    INFO(json::write(record));
    OptimizerRecipe recipe =
        in(optimizer_of(record.find("optimizer")->text()), record.find("dtype")->text() == "float32" ? 4 : 2);
    const std::string implementation = record.find("implementation")->text();
    recipe.implementation = implementation == "foreach" ? OptimizerImplementation::foreach
                            : implementation == "fused" ? OptimizerImplementation::fused
                                                        : OptimizerImplementation::loop;
    OptimizerTally tally(recipe);
    for (const json::Value& shape : file.find("tensors")->find(record.find("tensors")->text())->items()) {
      const auto& sizes = shape.items();
      tally.add({.rows = sizes[0].integer(), .cols = sizes[1].integer(), .copies = sizes[2].integer()});
    }
    CHECK(tally.needs().states.value() == record.find("states")->integer());
    CHECK(tally.needs().step.value() == record.find("step")->integer());
    ++records;
  }
  CHECK(records == 36);
}

TEST_CASE("Optimizer states follow the published block sizes", "[memory][training]") {
  const TrainedTensor square{.rows = 4096, .cols = 4096, .in_layer = true};
  const TrainedTensor wide{.rows = 4096, .cols = 14336, .in_layer = true};
  CHECK(state_bytes(in(Optimizer::adamw, 4), square) == Bytes(134217728));
  CHECK(state_bytes(in(Optimizer::adamw_8bit, 4), square) == Bytes(34078720));       // T-6.08
  CHECK(state_bytes(in(Optimizer::adamw_8bit, 4), {.cols = 4095}) == Bytes(32760));  // fp32 below 4096 elements
  CHECK(state_bytes(in(Optimizer::lion_8bit, 4), square) == Bytes(17039360));        // F-6.2: 1.015625 a parameter
  CHECK(state_bytes(in(Optimizer::adafactor, 4), wide) == Bytes(73728));             // F-6.2
  CHECK(state_bytes(in(Optimizer::galore_adamw, 2), wide) == Bytes(8388608));        // T-6.07
  CHECK(state_bytes(in(Optimizer::muon, 2), square) == Bytes(33554432));
  CHECK(state_bytes(in(Optimizer::muon, 2), {.rows = 4096, .cols = 4096}) == Bytes(67108864));  // embeddings: AdamW
  CHECK(soap_state_bytes(4096, 4096, 4) == Bytes(402653184));                                   // T-6.05
  CHECK(soap_state_bytes(4096, 14336, 4) == Bytes(603979776));                                  // T-6.06
}

TEST_CASE("Only large tensors of paged optimizers may leave the GPU", "[memory][training]") {
  OptimizerTally tally(in(Optimizer::paged_adamw, 4));
  tally.add({.cols = 99999});
  CHECK(tally.needs().pageable == Bytes(0));
  tally.add({.cols = 100000});
  CHECK(tally.needs().pageable == Bytes(800000));
  CHECK(tally.needs().states == Bytes(1599992));
}

TEST_CASE("A multi-tensor step holds a second copy of the parameters on torch 1", "[memory][training]") {
  OptimizerRecipe recipe = in(Optimizer::adamw, 4);
  recipe.torch_1 = true;
  OptimizerTally tally(recipe);
  tally.add({.rows = 10, .cols = 10});
  CHECK(tally.needs().step == Bytes(800));
}

}  // namespace vram
