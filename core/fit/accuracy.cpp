#include "core/fit/accuracy.h"

#include <algorithm>

#include "core/scenario/fact_reader.h"

namespace vram {
namespace {

constexpr std::uint32_t kEnough = 5;  ///< measurements that make an error "typical"

}  // namespace

std::vector<JobAccuracy> read_accuracy(const json::Value& file, std::vector<Error>& faults) {
  std::vector<JobAccuracy> jobs;
  for_each_entry(file, "jobs", faults, [&](const json::Value& entry, const std::string& path) {
    FactReader reader(entry, path, faults);
    JobAccuracy job;
    job.id = reader.id("id");
    job.rows = reader.integer("rows", 1, 1000000);
    job.sources = reader.integer("sources", 1, 10000);
    job.median = reader.number("median", 0, 100);
    job.p90 = reader.number("p90", 0, 100);
    reader.finish();
    if (reader.ok()) jobs.push_back(std::move(job));
  });
  return jobs;
}

std::string_view accuracy_job(const Scenario& scenario) {
  const bool trains = is_training(scenario.task);
  switch (scenario.model->kind) {
    case ModelKind::diffusion: return trains ? "diffusion-training" : "diffusion-inference";
    case ModelKind::vision: return trains ? "vision-training" : "vision-inference";
    default: break;
  }
  if (trains) return "training-allocated";
  switch (scenario.runtime) {
    case RuntimeId::llama_cpp:
    case RuntimeId::ollama:
    case RuntimeId::lm_studio: return "llama.cpp";
    case RuntimeId::ik_llama_cpp: return "llama.cpp-fork";
    case RuntimeId::vllm: return "vllm";
    case RuntimeId::sglang: return "sglang";
    case RuntimeId::tensorrt_llm: return "tensorrt-llm";
    case RuntimeId::transformers: return "transformers";
    default: return "other-inference";
  }
}

const JobAccuracy* find_accuracy(const std::vector<JobAccuracy>& jobs, const Scenario& scenario) {
  const std::string_view wanted = accuracy_job(scenario);
  const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const JobAccuracy& job) { return job.id == wanted; });
  return found == jobs.end() || found->rows < kEnough ? nullptr : &*found;
}

}  // namespace vram
