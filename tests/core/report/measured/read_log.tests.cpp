#include "core/report/measured/read_log.h"

#include <catch2/catch_test_macros.hpp>

#include "core/report/measured/comparison.h"
#include "tests/core/report/measured/logs.h"
#include "tests/core/shipped.h"

using namespace vram;
using namespace vram::measured;
using namespace vram::testing;

namespace {

Bytes mib(double value) { return scaled(1, value * 1048576); }
Bytes gib_of(double value) { return scaled(1, value * 1073741824); }

std::string settings_of(const LogReading& reading) {
  std::string text;
  for (const Setting& setting : reading.settings) {
    text += std::string(row_of(setting.field).name) + "=" + setting.value + " ";
  }
  return text;
}

Bytes bytes_of(const LogReading& reading, Quantity quantity) {
  const Measurement* measurement = reading.find(quantity);
  return measurement == nullptr ? Bytes() : measurement->bytes;
}

}  // namespace

TEST_CASE("llama.cpp's load log gives its buffers and its configuration", "[measured]") {
  const LogReading reading = read_log(kLlamaLog);
  REQUIRE(reading.sources == std::vector<Source>{Source::llama_cpp});
  CHECK(bytes_of(reading, Quantity::weights) == mib(4403.49));
  CHECK(bytes_of(reading, Quantity::kv_cache) == mib(544));
  CHECK(bytes_of(reading, Quantity::buffers) == mib(258.5));
  CHECK(bytes_of(reading, Quantity::reserved) == mib(4403.49) + mib(544) + mib(258.5));
  CHECK(settings_of(reading) ==
        "gpu_layers=all batch=1 context=8192 ubatch=512 attention=flash kv_cache=q8_0 kv_cache_v=q8_0 "
        "framework=llama.cpp ");
  CHECK(reading.model_name == "Meta Llama 3.1 8B Instruct");
  CHECK(reading.weights_name == "q4_k_m");
}

TEST_CASE("buffers of several cards add up, the host's do not", "[measured]") {
  const LogReading reading = read_log(
      "load_tensors:        CUDA0 model buffer size =  2000.00 MiB\n"
      "load_tensors:        CUDA1 model buffer size =  2100.00 MiB\n"
      "load_tensors:   CPU_Mapped model buffer size =   281.81 MiB\n"
      "llama_context:  CUDA_Host  output buffer size =     0.49 MiB\n");
  REQUIRE(reading.find(Quantity::weights) != nullptr);
  CHECK(reading.find(Quantity::weights)->bytes == mib(4100));
  CHECK(reading.find(Quantity::weights)->gpus == 2);
  CHECK(reading.find(Quantity::reserved) == nullptr);
}

TEST_CASE("vLLM's start-up lines", "[measured]") {
  const LogReading reading = read_log(kVllmLog);
  REQUIRE(reading.sources == std::vector<Source>{Source::vllm});
  CHECK(bytes_of(reading, Quantity::weights) == gib_of(14.9889));
  CHECK(bytes_of(reading, Quantity::kv_cache) == gib_of(55.51));
  CHECK(bytes_of(reading, Quantity::cuda_graphs) == gib_of(0.51));
  CHECK(reading.cache_tokens == 454736);
  CHECK(reading.model_name == "meta-llama/Llama-3.1-8B-Instruct");
  CHECK(reading.weights_name == "bf16");
  CHECK(settings_of(reading) == "framework=vllm framework_version=0.10.0 context=8192 tensor_parallel=1 ");
}

TEST_CASE("SGLang's start-up lines", "[measured]") {
  const LogReading reading = read_log(kSglangLog);
  REQUIRE(reading.sources == std::vector<Source>{Source::sglang});
  CHECK(bytes_of(reading, Quantity::weights) == gib_of(15.05));
  CHECK(bytes_of(reading, Quantity::kv_cache) == gib_of(24.85) * 2);
  CHECK(bytes_of(reading, Quantity::cuda_graphs) == gib_of(0.65));
  CHECK(reading.cache_tokens == 407131);
  CHECK(
      settings_of(reading) ==
      "framework=sglang memory_fraction=0.88 tensor_parallel=1 context=131072 prefill_tokens=8192 max_sequences=2048 ");
}

TEST_CASE("PyTorch's out-of-memory text, of today and of old", "[measured]") {
  const LogReading now = read_log(kOutOfMemory);
  REQUIRE(now.sources == std::vector<Source>{Source::torch_oom});
  CHECK(bytes_of(now, Quantity::failed) == gib_of(20.34) + gib_of(1.96));
  CHECK(bytes_of(now, Quantity::reserved) == gib_of(20.34) + gib_of(1.78));
  CHECK(bytes_of(now, Quantity::device) == gib_of(22.46));
  CHECK(now.card == gib_of(23.68));
  const LogReading old = read_log(
      "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 20.02 GiB "
      "already "
      "allocated; 1.06 GiB free; 21.05 GiB reserved in total by PyTorch)");
  CHECK(bytes_of(old, Quantity::failed) == gib_of(22.02));
  CHECK(bytes_of(old, Quantity::reserved) == gib_of(21.05));
  CHECK(old.card == gib_of(23.69));
}

TEST_CASE("torch.cuda.memory_summary gives its peaks", "[measured]") {
  const LogReading reading = read_log(kMemorySummary);
  REQUIRE(reading.sources == std::vector<Source>{Source::torch_summary});
  CHECK(bytes_of(reading, Quantity::allocated) == mib(20345));
  CHECK(bytes_of(reading, Quantity::reserved) == mib(22108));
}

TEST_CASE("nvidia-smi as table and as query", "[measured]") {
  const LogReading table = read_log(kNvidiaSmi);
  REQUIRE(table.sources == std::vector<Source>{Source::nvidia_smi});
  CHECK(bytes_of(table, Quantity::device) == mib(22450));
  CHECK(table.card == mib(24564));
  const LogReading query =
      read_log("index, memory.used [MiB], memory.total [MiB]\n0, 22456 MiB, 24564 MiB\n1, 300 MiB, 24564 MiB\n");
  CHECK(bytes_of(query, Quantity::device) == mib(22456));
  const LogReading bare = read_log("memory.used [MiB], memory.total [MiB]\n22456, 24564\n");
  CHECK(bytes_of(bare, Quantity::device) == mib(22456));
}

TEST_CASE("ollama ps counts in thousands and says what is on the card", "[measured]") {
  const LogReading reading = read_log(kOllama);
  REQUIRE(reading.sources == std::vector<Source>{Source::ollama});
  CHECK(bytes_of(reading, Quantity::reserved) == Count(6700000000));
  CHECK(settings_of(reading) == "framework=ollama context=8192 ");
  CHECK(reading.model_name == "llama3.1:8b");
  const LogReading split = read_log(
      "NAME ID SIZE PROCESSOR CONTEXT UNTIL\nqwen3:32b 46e0c10c039e 20 GB 25%/75% CPU/GPU 4096 2 minutes from now\n");
  CHECK(bytes_of(split, Quantity::reserved) == Count(15000000000));
}

TEST_CASE("a text of nothing known is not taken for a log", "[measured]") {
  CHECK(read_log("").sources.empty());
  CHECK(read_log("Hello world\nbuffer size of my thoughts = many MiB\n").sources.empty());
  CHECK(read_log("CUDA out of memory. Tried to allocate ").sources.empty());
}

TEST_CASE("a log cut off anywhere is read as far as it goes", "[measured][hostile]") {
  for (const std::string_view log :
       {kLlamaLog, kVllmLog, kSglangLog, kOutOfMemory, kMemorySummary, kNvidiaSmi, kOllama}) {
    for (std::size_t length = 0; length < log.size(); ++length) {
      const LogReading reading = read_log(log.substr(0, length));
      CHECK(reading.measurements.size() <= kQuantityNames.size());
    }
  }
}

TEST_CASE("a measurement stands beside ours, and calibrates buffers alone", "[measured]") {
  const Facts& facts = shipped_catalog().facts;
  const LogReading reading = read_log(kLlamaLog);
  const Request request = request_of_log(reading, Request(), facts);
  CHECK(request.text(Field::model) == "llama-3.1-8b");
  const auto scenario = resolve(request, facts);
  REQUIRE(scenario);
  const Evaluation before = assess(request, *scenario);
  const Comparison comparison = compare(reading, before);
  REQUIRE(comparison.items.size() == 4);
  // The file's tensors on the card: 4403.49 MiB, ours to the last digit of the log.
  CHECK(comparison.items[0].quantity == Quantity::weights);
  CHECK(comparison.items[0].measured.as_double() / comparison.items[0].ours.expected.as_double() > 0.9999);
  CHECK(comparison.items[0].measured.as_double() / comparison.items[0].ours.expected.as_double() < 1.0001);
  CHECK(comparison.items[1].measured == comparison.items[1].ours.expected);
  REQUIRE(comparison.largest < comparison.items.size());
  CHECK_FALSE(comparison.causes.empty());

  // With the calibration the buffers are the measured ones and nothing else has moved.
  LogReading doubled = reading;
  for (Measurement& measurement : doubled.measurements) {
    if (measurement.quantity == Quantity::buffers) measurement.bytes = measurement.bytes * 2;
  }
  const Comparison worse = compare(doubled, before);
  REQUIRE(worse.calibration);
  Request calibrated = request;
  calibrated.set(Field::calibration, FieldValue(*worse.calibration));
  const auto again = resolve(calibrated, facts);
  REQUIRE(again);
  const Evaluation after = assess(calibrated, *again);
  const Comparison now = compare(doubled, after);
  for (std::size_t i = 0; i < now.items.size(); ++i) {
    if (now.items[i].quantity == Quantity::buffers) {
      CHECK(now.items[i].measured.as_double() / now.items[i].ours.expected.as_double() > 0.998);
      CHECK(now.items[i].measured.as_double() / now.items[i].ours.expected.as_double() < 1.002);
    } else if (now.items[i].quantity != Quantity::reserved) {
      CHECK(now.items[i].ours.expected == worse.items[i].ours.expected);
    }
  }
}

TEST_CASE("a failed run calibrates nothing", "[measured]") {
  const Request request = request_of("task=qlora model=llama-3.1-8b context=2048");
  const auto scenario = resolve(request, shipped_catalog().facts);
  REQUIRE(scenario);
  CHECK_FALSE(compare(read_log(kOutOfMemory), assess(request, *scenario)).calibration);
}
