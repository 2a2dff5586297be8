#include "core/scenario/resolve.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/shipped.h"

using namespace vram;
using vram::testing::request_of;
using vram::testing::shipped_catalog;

namespace {

Scenario resolved(std::string_view words) {
  auto scenario = resolve(request_of(words), shipped_catalog().facts);
  INFO(words);
  if (!scenario) FAIL(scenario.error().where << ": " << scenario.error().got << " / " << scenario.error().expected);
  return std::move(*scenario);
}

Error refused(std::string_view words) {
  const auto scenario = resolve(request_of(words), shipped_catalog().facts);
  INFO(words);
  REQUIRE_FALSE(scenario);
  return scenario.error();
}

bool warns(const Scenario& scenario, std::string_view id) {
  for (const Warning& warning : scenario.warnings) {
    if (warning.id == id) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a request needs a model and nothing else", "[scenario][resolve]") {
  const Error error = refused("task=inference");
  CHECK(error.code == ErrorCode::missing_field);
  CHECK(error.where == "model");
  const Scenario scenario = resolved("model=llama-3.1-8b");
  CHECK(scenario.task == Task::inference);
  CHECK(scenario.runtime == RuntimeId::transformers);
  CHECK(scenario.inference.context == Count(8192));
  CHECK(scenario.gpus.size() == 1);
}

TEST_CASE("contradictions name the field and the remedy", "[scenario][resolve]") {
  const struct {
    std::string_view words, field;
    ErrorCode code;
  } rows[] = {
      {"model=no-such-model", "model", ErrorCode::unknown_id},
      {"model=llama-3.1-8b gpu=no-such-card", "gpu", ErrorCode::unknown_id},
      {"model=llama-3.1-8b gpus=geforce-rtx-5090,nope", "gpus", ErrorCode::unknown_id},
      {"model=llama-3.1-8b gpus=geforce-rtx-5090,rtx-a6000 gpu_count=3", "gpu_count", ErrorCode::conflict},
      {"model=llama-3.1-8b task=qlora weights=bf16", "weights", ErrorCode::conflict},
      {"model=llama-3.1-8b task=full weights=nf4", "weights", ErrorCode::conflict},
      {"model=llama-3.1-8b task=full framework=vllm", "framework", ErrorCode::conflict},
      {"model=llama-3.1-8b task=inference framework=hf-trainer", "framework", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=transformers weights=q4_k_m", "weights", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=llama.cpp weights=nf4", "weights", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=vllm gpu_count=4 tensor_parallel=3", "gpu_count", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=vllm gpu_count=3", "tensor_parallel", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=llama.cpp cpu_experts=true", "cpu_experts", ErrorCode::conflict},
      {"model=llama-3.1-8b framework=llama.cpp attention=eager kv_cache=q8_0", "kv_cache_v", ErrorCode::conflict},
      {"model=llama-3.1-8b task=serving context=1024 context_average=4096", "context_average", ErrorCode::conflict},
      {"model=mixtral-8x7b task=full gpu_count=4 expert_parallel=3", "expert_parallel", ErrorCode::conflict},
  };
  for (const auto& row : rows) {
    const Error error = refused(row.words);
    CHECK(error.code == row.code);
    CHECK(error.where == row.field);
    CHECK_FALSE(error.expected.empty());
  }
}

TEST_CASE("degrees that are not given are derived by engine and job", "[scenario][resolve]") {
  CHECK(resolved("model=llama-3.1-70b framework=vllm gpu_count=4").parallel.tensor == Count(4));
  CHECK(resolved("model=llama-3.1-70b framework=vllm gpu_count=4 tensor_parallel=2").parallel.data == Count(2));
  CHECK(resolved("model=llama-3.1-70b framework=llama.cpp gpu_count=4").parallel.split_layers);
  const Scenario training = resolved("model=llama-3.1-70b task=full gpu_count=8 tensor_parallel=2");
  CHECK(training.parallel.data == Count(4));
  CHECK(training.parallel.tensor == Count(2));
}

TEST_CASE("the engine follows job, model and storage where none is named", "[scenario][resolve]") {
  const struct {
    std::string_view words;
    RuntimeId runtime;
  } rows[] = {
      {"model=llama-3.1-8b", RuntimeId::transformers},
      {"model=llama-3.1-8b weights=q4_k_m", RuntimeId::llama_cpp},
      {"model=llama-3.1-8b weights=exl3-4.00", RuntimeId::exllama},
      {"model=llama-3.1-8b task=serving", RuntimeId::vllm},
      {"model=deepseek-v3", RuntimeId::vllm},
      {"model=llama-3.1-8b task=lora", RuntimeId::hf_trainer},
      {"model=llama-3.1-8b task=pretrain", RuntimeId::pytorch},
  };
  for (const auto& row : rows) {
    INFO(row.words);
    CHECK(resolved(row.words).runtime == row.runtime);
  }
}

TEST_CASE("storage defaults follow the recipe", "[scenario][resolve]") {
  const struct {
    std::string_view words, weights;
  } rows[] = {
      {"model=llama-3.1-8b", "bf16"},
      {"model=llama-3.1-8b framework=ollama", "q4_k_m"},
      {"model=llama-3.1-8b framework=llama.cpp weights=bf16", "gguf_bf16"},
      {"model=gpt-oss-20b framework=llama.cpp weights=mxfp4", "mxfp4_moe"},
      {"model=llama-3.1-8b task=qlora", "nf4"},
      {"model=llama-3.1-8b task=lora", "bf16"},
      {"model=llama-3.1-8b task=full", "fp32"},
      {"model=llama-3.1-8b task=full precision=bf16", "bf16"},
      {"model=llama-3.1-8b task=pretrain precision=fp16_master", "fp16"},
  };
  for (const auto& row : rows) {
    INFO(row.words);
    CHECK(name_of(resolved(row.words).weights) == row.weights);
  }
}

TEST_CASE("bitsandbytes leaves fused experts in 16 bits from Transformers 5 on", "[scenario][resolve]") {
  const Scenario fused = resolved("model=mixtral-8x7b task=qlora");
  const Scenario separate = resolved("model=mixtral-8x7b task=qlora framework=hf-trainer framework_version=4.45.2");
  // 45,097,156,608 expert parameters: 2 bytes each, or 4.5 bits each.
  CHECK(fused.stored->total.bytes - separate.stored->total.bytes == Bytes(45097156608 * 2 - 45097156608 * 9 / 16));
}

TEST_CASE("servers schedule and sample more on large cards", "[scenario][resolve]") {
  const struct {
    std::string_view words;
    std::uint64_t prefill, sequences;
  } rows[] = {
      {"framework=vllm gpu=geforce-rtx-5090", 2048, 256},         {"framework=vllm gpu=h100-80gb-sxm5", 8192, 1024},
      {"framework=sglang gpu=geforce-rtx-5090", 2048, 24},        {"framework=sglang gpu=h100-80gb-sxm5", 8192, 256},
      {"framework=tensorrt-llm gpu=geforce-rtx-5090", 8192, 256},
  };
  for (const auto& row : rows) {
    const Scenario scenario = resolved("task=serving model=llama-3.1-8b weights=fp8 " + std::string(row.words));
    INFO(row.words);
    CHECK(scenario.inference.prefill_tokens == Count(row.prefill));
    CHECK(scenario.inference.max_sequences == Count(row.sequences));
  }
}

TEST_CASE("adapters train with rank 16 on sequences of 2,048 tokens unless told otherwise", "[scenario][resolve]") {
  const TrainingSettings training = resolved("model=llama-3.1-8b task=lora").training;
  CHECK(training.lora_rank == Count(16));
  CHECK(training.sequence == Count(2048));
  CHECK(training.batch == Count(1));
}

TEST_CASE("users grow over the planning period", "[scenario][resolve]") {
  CHECK(resolved("model=llama-3.1-8b task=serving users=10 growth_percent=25").inference.sequences == Count(13));
  CHECK(resolved("model=llama-3.1-8b task=serving users=10").inference.sequences == Count(10));
}

TEST_CASE("what has no effect is said, not hidden", "[scenario][resolve]") {
  CHECK(warns(resolved("model=llama-3.1-8b lora_rank=8"), "field_unused"));
  CHECK(warns(resolved("model=llama-3.1-8b context=1000000"), "context_beyond_training"));
  CHECK(warns(resolved("model=llama-3.1-8b framework=torchao"), "nearest_runtime"));
  CHECK(resolved("model=llama-3.1-8b context=4096 gpu=geforce-rtx-5090").warnings.empty());
}

TEST_CASE("the working margin follows the engine, the screen and the request", "[scenario][resolve]") {
  const Scenario plain = resolved("model=llama-3.1-8b gpu=geforce-rtx-5090");
  const Scenario desktop = resolved("model=llama-3.1-8b gpu=geforce-rtx-5090 display=desktop");
  const Scenario asked = resolved("model=llama-3.1-8b gpu=geforce-rtx-5090 margin_percent=10");
  const double share = plain.gpus[0].constants->factor(Constant::margin_share).expected;
  CHECK(plain.gpus[0].margin == scaled(plain.gpus[0].usable, share));
  CHECK(desktop.gpus[0].margin == scaled(plain.gpus[0].usable, share + 0.02));  // F-16.1
  const Scenario small = resolved("model=llama-3.2-1b gpu=geforce-rtx-4060");
  CHECK(small.gpus[0].margin == 512 * kMiB);  // Transformers' floor is more than its 4 % of 8 GB
  CHECK(desktop.gpus[0].display.expected > Bytes(0));
  CHECK(asked.gpus[0].margin == scaled(asked.gpus[0].usable, 0.1));
  const Scenario pair = resolved("model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=2 framework=vllm display=desktop");
  CHECK(pair.gpus[1].display.expected == 20 * kMiB);  // what the driver keeps
  CHECK(pair.gpus[0].drives_screen);
  CHECK_FALSE(pair.gpus[1].drives_screen);
  // On Windows every card keeps back 5 % of its memory from a program, or what the system and the screen take if that is
  // more: 0.4 + 6 GiB with rendering.
  const Scenario windows =
      resolved("model=llama-3.1-8b gpu=geforce-rtx-5090 gpu_count=2 framework=vllm display=render os=windows");
  CHECK(windows.gpus[0].display.expected == 6544 * kMiB);
  CHECK(windows.gpus[1].display.expected == scaled(windows.gpus[1].usable, 0.05));
  CHECK(resolved("model=llama-3.1-8b gpu=gb10-dgx-spark").gpus[0].display == Band{});
  CHECK(resolved("model=llama-3.1-8b mains=120v_15a").mains == Mains::v120_a15);
  CHECK(resolved("task=lora model=llama-3.1-8b checkpoints_kept=5").checkpoints_kept == Count(5));
}

TEST_CASE("an architecture alone or laid over a model is a model", "[scenario][resolve]") {
  Request request;
  REQUIRE_FALSE(
      set_from_text(request, "architecture",
                    R"({"kind":"llm","name":"tiny","hidden":256,"layers":2,"heads":4,"kv_heads":2,"head_dim":64,)"
                    R"("ffn":512,"vocab":1000,"tied":true,"mlp":"gated","norm":"rmsnorm"})"));
  const auto alone = resolve(request, shipped_catalog().facts);
  REQUIRE(alone);
  // 1000*256 + 2*(256*256 + 2*256*128 + 256*256 + 3*256*512 + 2*256) + 256 = 1,436,928
  CHECK(alone->model->parameters == Count(1436928));
  Request over = request_of("model=llama-3.2-1b");
  REQUIRE_FALSE(set_from_text(over, "architecture", R"({"vocab":1000})"));
  const auto merged = resolve(over, shipped_catalog().facts);
  REQUIRE(merged);
  CHECK(merged->model->vocab == Count(1000));
  CHECK(merged->model->hidden == Count(2048));
}

TEST_CASE("changing the cards equals asking for them", "[scenario][resolve]") {
  const Facts& facts = shipped_catalog().facts;
  const Request request = request_of("model=llama-3.1-70b framework=vllm weights=fp8");
  const auto base = resolve(request, facts);
  REQUIRE(base);
  const std::vector<std::shared_ptr<const Gpu>> cards(4, facts.gpus.find("rtx-a6000"));
  REQUIRE(cards[0]);
  const auto changed = with_gpus(request, *base, facts, cards);
  REQUIRE(changed);
  const auto asked =
      resolve(request_of("model=llama-3.1-70b framework=vllm weights=fp8 gpu=rtx-a6000 gpu_count=4"), facts);
  REQUIRE(asked);
  CHECK(changed->parallel.tensor == asked->parallel.tensor);
  CHECK(changed->gpus[3].margin == asked->gpus[3].margin);
  CHECK(changed->inference.prefill_tokens == asked->inference.prefill_tokens);
  CHECK(changed->inference.memory_fraction == asked->inference.memory_fraction);
}

TEST_CASE("every field shows what it comes to", "[scenario][resolve]") {
  const Request request = request_of("model=llama-3.1-8b task=qlora gpu_count=2");
  const auto scenario = resolve(request, shipped_catalog().facts);
  REQUIRE(scenario);
  for (const FieldRow& row : fields()) {
    if (!applies(row, *scenario) || row.kind == FieldKind::object || row.kind == FieldKind::gpu_list) continue;
    if (row.field == Field::framework_version || row.field == Field::trained_modules) continue;
    const std::string text = effective_text(request, *scenario, row.field);
    INFO(row.name << " = " << text);
    CHECK_FALSE(text.empty());
    Request again = request;
    CHECK_FALSE(set_from_text(again, row.name, text));
  }
}
