// What is publicly known about models on machines, end to end.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/fit/evaluate.h"
#include "tests/core/shipped.h"

namespace vram {
namespace {

using testing::request_of;
using testing::shipped_catalog;

Evaluation evaluated(std::string_view words) {
  auto evaluation = evaluate(request_of(words), shipped_catalog());
  if (!evaluation) FAIL(words << ": " << evaluation.error().where << ' ' << evaluation.error().expected);
  return std::move(*evaluation);
}

const Advice* find(const Evaluation& evaluation, std::string_view id) {
  for (const Advice& advice : evaluation.advice) {
    if (id == advice.id) return &advice;
  }
  return nullptr;
}

std::uint64_t number(const Advice& advice, std::string_view name) {
  for (const RuleCheck::Value& value : advice.values) {
    if (name == value.name) return value.value;
  }
  return 0;
}

std::string words_of(const Advice& advice, std::string_view name) {
  for (const RuleCheck::Value& value : advice.values) {
    if (name == value.name) return value.text;
  }
  return {};
}

std::uint32_t layers_on(const Evaluation& evaluation, std::size_t gpu) {
  const DeviceLedger& device = evaluation.ledger.devices[evaluation.gpus[gpu].device];
  return device.layer_end - device.first_layer;
}

constexpr const char* kNemotron = "model=llama-3.3-nemotron-super-49b framework=llama.cpp weights=q5_k_m gpu_count=2 ";

}  // namespace

TEST_CASE("Llama 70B at 4 bits runs on 2 x 24 GB and not on 24 + 16 GB", "[facts]") {
  const char* const job = "model=llama-3.3-70b framework=llama.cpp weights=q4_k_m context=8192 ";
  const Evaluation alike = evaluated(std::string(job) + "gpu=geforce-rtx-3090 gpu_count=2");
  CHECK(alike.verdict <= Verdict::fits);
  CHECK(layers_on(alike, 0) == 41);  // 81 slots with the output, which lies on the second card
  CHECK(layers_on(alike, 1) == 39);
  const Evaluation unlike = evaluated(std::string(job) + "gpus=geforce-rtx-3090,geforce-rtx-4060-ti-16gb");
  CHECK(unlike.verdict == Verdict::no);
  CHECK(layers_on(unlike, 0) > layers_on(unlike, 1));  // the larger card takes more
  CHECK(layers_on(unlike, 0) + layers_on(unlike, 1) == 80);
  CHECK(find(unlike, "memory_does_not_add_up") != nullptr);
}

TEST_CASE("Nemotron Super 49B overfills the first of two cards when its layers are counted instead of weighed",
          "[facts]") {
  // github.com/ggml-org/llama.cpp issues 12654 and 14752: the first layers are far larger than the later ones.
  const std::string job = std::string(kNemotron) + "gpu=geforce-rtx-3090 context=16384 ";
  const Evaluation counted = evaluated(job + "framework_version=b5894");
  CHECK(layers_on(counted, 0) == 41);
  CHECK(counted.verdict == Verdict::no);
  CHECK(counted.gpus[1].verdict == Verdict::comfortable);
  const Bytes first = counted.gpus[0].memory.need.expected, second = counted.gpus[1].memory.need.expected;
  CHECK(first > second + second / 2);
  const Advice* const move = find(counted, "move_layers");
  REQUIRE(move != nullptr);
  CHECK(move->level == Advice::Level::must);
  CHECK(words_of(*move, "now") == "41 + 39");

  // From build 7400 on the engine weighs them itself (PR 16653), and comes to the split that was advised.
  const Evaluation weighed = evaluated(job);
  CHECK(weighed.verdict <= Verdict::fits);
  CHECK(layers_on(weighed, 0) + layers_on(weighed, 1) == 80);
  CHECK(layers_on(weighed, 0) < 35);
  REQUIRE(find(weighed, "layers_moved") != nullptr);
  CHECK(words_of(*find(weighed, "layers_moved"), "layers") == words_of(*move, "layers"));
  CHECK(find(weighed, "move_layers") == nullptr);
}

TEST_CASE("Two 48 GB cards are not one of 96 GB", "[facts]") {
  const char* const job = "model=llama-3.3-70b framework=transformers weights=int8 context=8192 ";
  const Evaluation one = evaluated(std::string(job) + "gpu=rtx-pro-6000-blackwell-workstation-edition");
  const Evaluation two = evaluated(std::string(job) + "gpu=rtx-pro-5000-blackwell-48gb gpu_count=2");
  CHECK(one.verdict <= Verdict::fits);
  // Both cards pay context and buffers: the two together hold more than the one.
  Bytes together;
  for (const GpuFit& fit : two.gpus) together += fit.memory.need.expected;
  CHECK(together > one.memory.need.expected);
  // Whole copies of a model of 75 GB fit on the one and on neither of the two.
  const char* const copies = "model=llama-3.3-70b framework=vllm weights=fp8 users=1 context=4096 ";
  CHECK(evaluated(std::string(copies) + "gpu=rtx-pro-6000-blackwell-workstation-edition").verdict <= Verdict::fits);
  const Evaluation copied =
      evaluated(std::string(copies) + "gpu=rtx-pro-5000-blackwell-48gb gpu_count=2 tensor_parallel=1 data_parallel=2");
  CHECK(copied.verdict == Verdict::no);
  REQUIRE(find(copied, "whole_copies") != nullptr);
  CHECK(number(*find(copied, "whole_copies"), "held_twice") > (60 * kGiB).value());
}

TEST_CASE("Four cards cannot share six key-value heads", "[facts]") {
  const std::string job =
      R"(framework=vllm architecture={"hidden":3072,"layers":28,"heads":24,"kv_heads":6,"head_dim":128,"ffn":8192,"vocab":128256} gpu=geforce-rtx-5080 gpu_count=)";
  const auto refused = evaluate(request_of(job + "4"), shipped_catalog());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::conflict);
  CHECK(refused.error().where == "tensor_parallel");
  CHECK(refused.error().got == "4");
  CHECK(refused.error().expected == "kv_heads=6");
  CHECK(evaluate(request_of(job + "2"), shipped_catalog()));
  // Fewer heads than cards are repeated: four heads on eight cards.
  CHECK(
      evaluate(request_of(R"(framework=vllm gpu=geforce-rtx-5080 gpu_count=8 architecture={"hidden":3072,"layers":28,)"
                          R"("heads":24,"kv_heads":4,"head_dim":128,"ffn":8192,"vocab":128256})"),
               shipped_catalog()));
}

TEST_CASE("QLoRA of a 70B model needs about 48 GB on one card", "[facts]") {
  // QLoRA (arXiv 2305.14314) fine-tunes 65B on one 48 GB card.
  const Evaluation one = evaluated(
      "task=qlora model=llama-3.1-70b context=512 batch=1 checkpointing=full optimizer=paged_adamw_8bit "
      "loss=fused_linear gpu=rtx-6000-ada");
  CHECK(one.memory.need.expected > 38 * kGiB);
  CHECK(one.memory.need.expected < 48 * kGiB);
  CHECK(one.verdict != Verdict::no);
  // Two of 24 GB do not replace it: each holds the whole base.
  const Evaluation two = evaluated(
      "task=qlora model=llama-3.1-70b context=512 batch=1 checkpointing=full optimizer=paged_adamw_8bit "
      "loss=fused_linear gpu=geforce-rtx-3090 gpu_count=2");
  CHECK(two.verdict == Verdict::no);
}

TEST_CASE("Four 600 W cards need 200-240 V and more than one circuit", "[facts]") {
  const char* const job =
      "model=llama-3.3-70b framework=vllm weights=fp8 gpu=rtx-pro-6000-blackwell-workstation-edition gpu_count=4 ";
  const Evaluation europe = evaluated(job);
  REQUIRE(find(europe, "needs_200v") != nullptr);
  REQUIRE(find(europe, "several_circuits") != nullptr);
  CHECK(number(*find(europe, "several_circuits"), "circuits") == 2);
  const Evaluation america = evaluated(std::string(job) + "mains=120v_20a");
  CHECK(find(america, "needs_200v")->level == Advice::Level::must);
  for (const ConfigurationFit& fit : america.configurations) {
    if (fit.configuration->needs_200v && std::string_view(fit.reason) != "memory" &&
        std::string_view(fit.reason) != "conflict") {
      INFO(fit.configuration->id);
      CHECK(std::string_view(fit.reason) == "wall");
    }
  }
  for (const ConfigurationFit& fit : europe.configurations) CHECK(std::string_view(fit.reason) != "wall");
}

TEST_CASE("GB10 offers what the system leaves of 128 GB, and its program lives in the same memory", "[facts]") {
  const Evaluation evaluation = evaluated("model=gpt-oss-120b framework=llama.cpp gpu=gb10-dgx-spark");
  CHECK(evaluation.scenario.gpus.front().usable == 115 * kGiB);
  CHECK(evaluation.scenario.gpus.front().display == Band{});
  CHECK(evaluation.verdict <= Verdict::fits);
  const Advice* const unified = find(evaluation, "unified_nvidia");
  REQUIRE(unified != nullptr);
  CHECK(number(*unified, "installed") == (128 * kGiB).value());
  CHECK(find(evaluation, "power_supply") == nullptr);
  CHECK(find(evaluation, "system_ram") == nullptr);
}

TEST_CASE("An RTX 5090 on Windows gives what the desktop, CAD and the memory budget leave", "[facts]") {
  // 32,607 MiB. Windows keeps 5 % from any one program; with CAD on the card it is 400 + 4,096 MiB.
  const char* const job = "model=qwen3-32b framework=llama.cpp weights=q4_k_m context=16384 gpu=geforce-rtx-5090 ";
  const Evaluation linux_alone = evaluated(job);
  const Evaluation windows = evaluated(std::string(job) + "os=windows");
  const Evaluation cad = evaluated(std::string(job) + "os=windows display=cad");
  CHECK(linux_alone.scenario.gpus.front().display.expected == 20 * kMiB);
  CHECK(windows.scenario.gpus.front().display.expected == scaled(32607 * kMiB, 0.05));
  CHECK(cad.scenario.gpus.front().display.expected == 4496 * kMiB);
  CHECK(linux_alone.verdict <= Verdict::fits);
  CHECK(cad.verdict > linux_alone.verdict);
  const Advice* const screen = find(cad, "screen_cad");
  REQUIRE(screen != nullptr);
  CHECK(screen->level == Advice::Level::advise);
  CHECK(number(*screen, "reserve") == (4496 * kMiB).value());
}

TEST_CASE("A server card drives no screen; the first card with an output does", "[facts]") {
  const Evaluation mixed = evaluated("model=llama-3.1-8b framework=llama.cpp gpus=l4,geforce-rtx-5090 display=cad");
  CHECK_FALSE(mixed.scenario.gpus[0].drives_screen);
  CHECK(mixed.scenario.gpus[1].drives_screen);
  CHECK(mixed.scenario.gpus[1].display.expected > 4 * kGiB);
  CHECK(find(mixed, "screen_elsewhere") == nullptr);
}

TEST_CASE("Where nothing fits, the nearest machine says what would have to change", "[facts]") {
  const Evaluation evaluation =
      evaluated("model=llama-3.1-405b framework=transformers weights=bf16 batch=64 context=65536");
  REQUIRE(evaluation.configurations.front().verdict == Verdict::no);
  for (const Suggestion& change : evaluation.nearest_changes) CHECK(change.verdict <= Verdict::tight);
  const Evaluation near_miss = evaluated("model=llama-3.1-405b framework=llama.cpp weights=q8_0 context=8192");
  if (near_miss.configurations.front().verdict == Verdict::no) CHECK_FALSE(near_miss.nearest_changes.empty());
}

TEST_CASE("The first machines that fit are told what more they take", "[facts]") {
  const Evaluation evaluation = evaluated("model=llama-3.1-8b framework=llama.cpp weights=q4_k_m context=8192");
  const ConfigurationFit& smallest = evaluation.configurations.front();
  REQUIRE(smallest.verdict == Verdict::comfortable);
  CHECK(smallest.most_context > Count(8192));
  const GpuSet& set = shipped_catalog().machines.gpu_sets[smallest.configuration->gpu_set];
  const std::string words = "model=llama-3.1-8b framework=llama.cpp weights=q4_k_m gpu=" + set.devices.front()->id +
                            " context=" + std::to_string(smallest.most_context.value());
  CHECK(evaluated(words).verdict <= Verdict::fits);
  CHECK(evaluation.configurations.back().most_context == Count(0));
}

}  // namespace vram
