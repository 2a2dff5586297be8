#include "core/memory/training/loss_head.h"

#include <catch2/catch_test_macros.hpp>

namespace vram {
namespace {

LossRecipe llama_at_8192(LossHead head) {
  LossRecipe recipe;
  recipe.head = head;
  recipe.sequence = 8192;
  recipe.hidden = 4096;
  recipe.vocab = 128256;
  return recipe;
}

constexpr Bytes kPerByte = Bytes(8192) * 128256;
constexpr Bytes kLabels = 8 * 8192 + 4;

}  // namespace

TEST_CASE("Each loss holds its bytes per logit", "[memory][training][loss]") {
  struct Row {
    LossHead head;
    std::uint64_t batch, compute;
    bool autocast, held;
    std::uint64_t kept, forward, backward;  // per logit
  };
  const Row rows[] = {
      // F-7.9
      {LossHead::upcast, 1, 2, false, false, 4, 10, 12},         {LossHead::upcast, 1, 2, false, true, 4, 10, 14},
      {LossHead::upcast, 1, 4, false, false, 4, 8, 12},          {LossHead::upcast, 1, 4, false, true, 4, 8, 16},
      {LossHead::native, 1, 2, false, false, 2, 4, 6},           {LossHead::native, 1, 2, true, false, 6, 8, 10},
      {LossHead::native, 1, 4, false, false, 4, 8, 12},          {LossHead::fused_kernel, 1, 2, false, false, 0, 8, 8},
      {LossHead::vocab_parallel, 1, 2, false, false, 4, 10, 10}, {LossHead::compiled, 1, 2, false, false, 2, 5, 5},
  };
  for (const Row& row : rows) {
    INFO(static_cast<int>(row.head) << " " << row.compute);
    LossRecipe recipe = llama_at_8192(row.head);
    recipe.compute = row.compute;
    recipe.autocast = row.autocast;
    recipe.holds_logits = row.held;
    const LossMemory memory = loss_memory(recipe);
    CHECK(memory.kept / kPerByte == Count(row.kept));
    CHECK(memory.forward / kPerByte == Count(row.forward));
    CHECK(memory.backward / kPerByte == Count(row.backward));
  }
}

TEST_CASE("The loss of Llama-3.1-8B on 8,192 tokens", "[memory][training][loss]") {
  LossRecipe recipe = llama_at_8192(LossHead::upcast);
  CHECK(loss_memory(recipe).peak() == Bytes(12608077824) + kLabels);  // T-7.20
  recipe.holds_logits = true;
  CHECK(loss_memory(recipe).peak() == Bytes(14709424128) + kLabels);
  recipe = llama_at_8192(LossHead::upcast_shifted);
  recipe.batch = 2;
  recipe.sequence = 4096;
  CHECK(loss_memory(recipe).forward / kPerByte == Count(14));
  CHECK(loss_memory(llama_at_8192(LossHead::none)).peak() == Bytes(0));
}

TEST_CASE("Eight chunks shrink the loss", "[memory][training][loss]") {
  const LossMemory chunked = loss_memory(llama_at_8192(LossHead::chunked));
  CHECK(chunked.forward / kPerByte == Count(6));  // 6 + 4/8
  CHECK((chunked.forward - 6 * kPerByte) / (kPerByte / 2) == Count(1));
  CHECK(chunked.backward / kPerByte == Count(6));
  const LossMemory checkpointed = loss_memory(llama_at_8192(LossHead::chunked_checkpointed));
  CHECK(checkpointed.forward / kPerByte == Count(3));        // 2 + 8/8
  CHECK(2 * checkpointed.backward / kPerByte == Count(11));  // 4 + 12/8
}

TEST_CASE("Liger's fused head never builds the logits", "[memory][training][loss]") {  // T-7.21
  CHECK(liger_chunk_rows(8192, 128256, 4096) == Count(256));
  LossRecipe recipe = llama_at_8192(LossHead::fused_linear);
  const LossMemory memory = loss_memory(recipe);
  CHECK(memory.kept == Bytes(67108864) + 1050673152);
  CHECK(memory.forward - memory.kept == Bytes(65667072) + 4 * 8192);
  recipe.trains_head = false;
  CHECK(loss_memory(recipe).kept == Bytes(67108864));
}

TEST_CASE("Masked language models in fp32 hold twelve bytes a logit", "[memory][training][loss]") {
  LossRecipe recipe;
  recipe.batch = 32;
  recipe.sequence = 512;
  recipe.hidden = 768;
  recipe.vocab = 30522;
  recipe.compute = 4;
  CHECK(loss_memory(recipe).peak() == Bytes(6000869376) + 8 * 512 * 32 + 4);  // T-7.22
}

}  // namespace vram
