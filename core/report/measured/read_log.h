// Measurements out of what engines and tools print: which numbers, at which level, and for which configuration.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/scenario/fields.h"

namespace vram::measured {

/// Who printed the text.
enum class Source : std::uint8_t { llama_cpp, vllm, sglang, torch_oom, torch_summary, nvidia_smi, ollama };
inline constexpr std::array<std::string_view, 7> kSourceNames = {"llama.cpp",     "vllm",       "sglang", "torch_oom",
                                                                 "torch_summary", "nvidia_smi", "ollama"};

/// What a number measures. The last four are whole readings, the others parts of one.
enum class Quantity : std::uint8_t {
  weights,
  kv_cache,
  state,
  buffers,  ///< compute buffers, activations, logits: what moves with the run
  cuda_graphs,
  allocated,
  reserved,
  device,
  failed,  ///< what a run that failed had allocated and asked for: it needs at least this
};
inline constexpr std::array<std::string_view, 9> kQuantityNames = {
    "weights", "kv_cache", "state", "buffers", "cuda_graphs", "allocated", "reserved", "device", "failed"};

struct Measurement {
  Quantity quantity = Quantity::device;
  Bytes bytes;
  std::uint32_t gpus = 1;  ///< summed over so many cards
};

/// A field that the text states, as text_of() writes it.
struct Setting {
  Field field = Field::context;
  std::string value;
};

struct LogReading {
  std::vector<Source> sources;
  std::vector<Measurement> measurements;
  std::vector<Setting> settings;
  std::string model_name;          ///< as the text calls it; empty when it does not
  std::string weights_name;        ///< the storage format as the text calls it
  Bytes card;                      ///< memory of the card; 0 when not stated
  std::uint64_t cache_tokens = 0;  ///< what a server's cache holds

  void measure(Quantity quantity, Bytes bytes, std::uint32_t gpus = 1);
  void set(Field field, std::string value);
  [[nodiscard]] const Measurement* find(Quantity quantity) const;
};

/// Reads a pasted text of any of the sources, several of them mixed if need be; texts beyond 4 MiB are read up to there.
/// Without `sources` nothing was recognised.
LogReading read_log(std::string_view text);

}  // namespace vram::measured
