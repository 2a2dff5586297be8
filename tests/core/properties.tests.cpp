// What must hold for every request, tried on random valid ones with fixed seeds.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "core/fit/evaluate.h"
#include "core/memory/estimate.h"
#include "core/scenario/link.h"
#include "tests/core/shipped.h"

using namespace vram;
using vram::testing::request_of;
using vram::testing::shipped_catalog;

namespace {

/// A small generator of our own: the same numbers on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769U + 88172645463325252U) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 16U) % limit;
  }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(values.size()))];
  }

 private:
  std::uint64_t state_;
};

using Words = std::vector<std::string>;

const Words kModels = {"llama-3.1-8b",  "llama-3.2-1b", "qwen3-0.6b",      "gemma-3-27b",
                       "mixtral-8x7b",  "deepseek-v3",  "gpt-oss-20b",     "qwen3.5-27b",
                       "gpt2",          "phi-4",        "mistral-7b-v0.1", "bge-m3",
                       "qwen3-30b-a3b", "gemma-2-2b",   "llama-3.1-70b",   "deepseek-v2-lite"};

/// Words that may be added to a request; what does not apply to the job is a warning, what contradicts is an error.
const std::vector<Words> kOptions = {
    {"context=1", "context=100", "context=4096", "context=32768"},
    {"batch=1", "batch=2", "batch=7"},
    {"users=1", "users=3", "users=64"},
    {"growth_percent=50"},
    {"framework=transformers", "framework=vllm", "framework=llama.cpp", "framework=sglang", "framework=tensorrt-llm",
     "framework=hf-trainer", "framework=torchtune", "framework=pytorch", "framework=deepspeed", "framework=exllama"},
    {"weights=bf16", "weights=fp32", "weights=nf4", "weights=q4_k_m", "weights=q8_0", "weights=fp8", "weights=awq4",
     "weights=gptq4"},
    {"kv_cache=fp8", "kv_cache=q8_0", "kv_cache=bf16"},
    {"attention=eager", "attention=sdpa", "attention=flash"},
    {"gpu_layers=0", "gpu_layers=5", "gpu_layers=all"},
    {"cpu_experts=true"},
    {"precision=bf16", "precision=fp32", "precision=bf16_master", "precision=amp_fp16", "precision=fp8"},
    {"optimizer=sgd", "optimizer=adamw_8bit", "optimizer=adafactor", "optimizer=lion", "optimizer=muon",
     "optimizer=galore_adamw", "optimizer=paged_adamw"},
    {"optimizer_implementation=fused", "optimizer_implementation=loop"},
    {"checkpointing=full", "checkpointing=selective", "checkpointing=none"},
    {"loss=full", "loss=fused", "loss=chunked", "loss=fused_linear", "loss=classification"},
    {"accumulation=4"},
    {"compile=true"},
    {"lora_rank=1", "lora_rank=64"},
    {"lora_targets=q,v", "lora_targets=attention", "lora_targets=all_linear"},
    {"trained_modules=embed,lm_head"},
    {"sharding=zero1", "sharding=zero2", "sharding=zero3", "sharding=fsdp", "sharding=ddp"},
    {"offload=optimizer", "offload=all", "offload=activations"},
    {"gpu=geforce-rtx-4090", "gpu=rtx-a6000", "gpu=h100-80gb-sxm5"},
    {"gpu_count=2", "gpu_count=4", "gpu_count=8"},
    {"display=desktop", "display=cad"},
    {"os=windows"},
    {"margin_percent=0", "margin_percent=12.5"},
};

Request random_request(Random& random) {
  Request request = request_of("model=" + random.pick(kModels));
  request.set(Field::task, FieldValue(random.below(kTaskNames.size())));
  for (const Words& words : kOptions) {
    if (random.below(100) >= 25) continue;
    const std::string& word = random.pick(words);
    const std::size_t equals = word.find('=');
    REQUIRE_FALSE(set_from_text(request, word.substr(0, equals), word.substr(equals + 1)));
  }
  return request;
}

/// Resolved random requests; those that contradict themselves are left out.
struct Case {
  Request request;
  Scenario scenario;
};

std::vector<Case> random_cases(std::uint64_t seed, std::size_t wanted) {
  Random random(seed);
  std::vector<Case> cases;
  for (int tries = 0; cases.size() < wanted && tries < 20000; ++tries) {
    Request request = random_request(random);
    auto scenario = resolve(request, shipped_catalog().facts);
    if (scenario) {
      cases.push_back({std::move(request), std::move(*scenario)});
    } else {
      REQUIRE_FALSE(scenario.error().where.empty());
      REQUIRE_FALSE(scenario.error().expected.empty());
    }
  }
  REQUIRE(cases.size() == wanted);
  return cases;
}

Bytes need_of(const Scenario& scenario) {
  const Ledger ledger = estimate(scenario);
  return peak_memory(ledger.devices[busiest(ledger)]).need.expected;
}

/// The need of the request with one word changed; nothing where that contradicts.
std::optional<Bytes> need_with(Request request, std::string_view name, std::string_view value) {
  REQUIRE_FALSE(set_from_text(request, name, value));
  const auto scenario = resolve(request, shipped_catalog().facts);
  if (!scenario) return std::nullopt;
  return need_of(*scenario);
}

}  // namespace

TEST_CASE("JSON and links carry every request unchanged", "[properties]") {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Request request = random_request(random);
    const std::string link = request_to_link(request);
    INFO(link);
    const auto parsed = json::parse(json::write(request_to_json(request)));
    REQUIRE(parsed);
    const auto from_json = request_from_json(*parsed);
    REQUIRE(from_json);
    const LinkReading reading = request_from_link(request_to_link(*from_json));
    CHECK(reading.ignored.empty());
    CHECK(reading.request == request);
  }
}

TEST_CASE("every ledger is sound", "[properties]") {
  for (const Case& entry : random_cases(2, 400)) {
    INFO(request_to_link(entry.request));
    const Ledger ledger = estimate(entry.scenario);
    REQUIRE_FALSE(ledger.devices.empty());
    std::vector<int> holders(entry.scenario.gpus.size(), 0);
    for (const DeviceLedger& device : ledger.devices) {
      for (const std::uint32_t gpu : device.gpus) ++holders.at(gpu);
      for (const Item& item : device.items) {
        INFO(item.id);
        CHECK(item.bytes.low <= item.bytes.expected);
        CHECK(item.bytes.expected <= item.bytes.high);
        CHECK_FALSE(item.bytes.high.is_saturated());
        CHECK_FALSE(item.phases.empty());
        CHECK(std::string_view(item.formula).starts_with("F-"));
      }
      const Memory peak = peak_memory(device);
      Band largest{};
      for (std::size_t i = 0; i < kPhaseCount; ++i) {
        largest = max(largest, memory_in_phase(device, static_cast<Phase>(i)).allocated);
      }
      CHECK(peak.allocated == largest);
      CHECK(peak.allocated.expected <= peak.reserved.expected);
      CHECK(peak.reserved.expected <= peak.device.expected);
      CHECK(peak.need.expected <= peak.device.expected);
    }
    for (const int count : holders) CHECK(count == 1);
  }
}

TEST_CASE("asking for more never needs less", "[properties]") {
  const struct {
    Field field;
    const char* larger;
  } growths[] = {{Field::context, "48000"}, {Field::batch, "9"}, {Field::users, "80"}, {Field::lora_rank, "128"}};
  for (const Case& entry : random_cases(3, 300)) {
    const Bytes before = need_of(entry.scenario);
    for (const auto& growth : growths) {
      if (!applies(row_of(growth.field), entry.scenario)) continue;
      const auto after = need_with(entry.request, row_of(growth.field).name, growth.larger);
      if (!after) continue;
      INFO(request_to_link(entry.request) << " -> " << row_of(growth.field).name << "=" << growth.larger);
      CHECK(before <= *after);
    }
  }
}

TEST_CASE("more bits never need less", "[properties]") {
  const Words families[] = {{"q2_k", "q3_k_s", "q3_k_m", "q4_k_s", "q4_k_m", "q5_k_m", "q6_k", "q8_0"},
                            {"nf4_dq", "nf4", "int8", "bf16", "fp32"}};
  for (const std::string& model : kModels) {
    for (const Words& formats : families) {
      Bytes before = 0;
      for (const std::string& format : formats) {
        const auto scenario =
            resolve(request_of("context=4096 model=" + model + " weights=" + format), shipped_catalog().facts);
        INFO(model << " " << format);
        REQUIRE(scenario);
        // llama.cpp stores rows that K-quants cannot divide in other types, and Q2_K's then exceed Q3_K_S's.
        if (scenario->model->hidden.value() % 256 != 0) break;
        const Bytes need = need_of(*scenario);
        CHECK(before <= need);
        before = need;
      }
    }
  }
}

TEST_CASE("more layers never need less", "[properties]") {
  for (const char* job : {"task=inference", "task=serving framework=vllm", "task=inference framework=llama.cpp",
                          "task=full", "task=lora", "task=qlora", "task=pretrain checkpointing=full"}) {
    Bytes before = 0;
    for (int layers = 1; layers <= 64; layers *= 2) {
      Request request = request_of(job);
      const std::string architecture =
          R"({"kind":"llm","hidden":1024,"heads":16,"kv_heads":4,"head_dim":64,"ffn":4096,)"
          R"("vocab":32000,"tied":false,"mlp":"gated","norm":"rmsnorm","layers":)" +
          std::to_string(layers) + "}";
      REQUIRE_FALSE(set_from_text(request, "architecture", architecture));
      const auto scenario = resolve(request, shipped_catalog().facts);
      INFO(job << " layers " << layers);
      REQUIRE(scenario);
      const Bytes need = need_of(*scenario);
      CHECK(before < need);
      before = need;
    }
  }
}

TEST_CASE("sharding never needs more than holding everything, but for its stated buffers", "[properties]") {
  for (const char* model : {"llama-3.1-8b", "mixtral-8x7b", "gemma-2-2b"}) {
    for (const char* job :
         {"task=full precision=bf16_master", "task=full", "task=lora", "task=pretrain checkpointing=full"}) {
      const std::string words = std::string("model=") + model + " context=2048 " + job;
      const auto alone = resolve(request_of(words), shipped_catalog().facts);
      REQUIRE(alone);
      const Bytes whole = need_of(*alone);
      for (const char* sharding : {"zero1", "zero2", "zero3", "fsdp"}) {
        for (const char* count : {"2", "4", "8"}) {
          const auto shared =
              resolve(request_of(words + " sharding=" + sharding + " gpu_count=" + count), shipped_catalog().facts);
          REQUIRE(shared);
          const Ledger ledger = estimate(*shared);
          Bytes buffers = 0;
          for (const Item& item : ledger.devices[0].items) {
            if (item.group == Group::communication) buffers += item.bytes.expected;
          }
          INFO(words << ' ' << sharding << " x " << count);
          CHECK(need_of(*shared) <= whole + buffers);
        }
      }
    }
  }
}
