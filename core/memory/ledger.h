// The ledger: what each GPU must hold, item by item and phase by phase. Nothing else adds up memory.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/base/count.h"

namespace vram {

enum class Phase : std::uint8_t {
  load,
  prefill,
  decode,
  forward,
  loss,
  backward,
  optimizer_step,
  encode_text,
  denoise,
  vae_decode,
  vae_encode,
  validate,
};
inline constexpr std::size_t kPhaseCount = 12;
inline constexpr std::array<std::string_view, kPhaseCount> kPhaseNames = {
    "load",           "prefill",     "decode",  "forward",    "loss",       "backward",
    "optimizer_step", "encode_text", "denoise", "vae_decode", "vae_encode", "validate"};

/// A set of phases.
class Phases {
 public:
  constexpr Phases() = default;
  constexpr Phases(Phase phase) : bits_(bit(phase)) {}
  constexpr Phases(std::initializer_list<Phase> phases) {
    for (const Phase phase : phases) bits_ = static_cast<std::uint16_t>(bits_ | bit(phase));
  }
  [[nodiscard]] constexpr bool has(Phase phase) const { return (bits_ & bit(phase)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  friend constexpr Phases operator|(Phases a, Phases b) {
    Phases both;
    both.bits_ = static_cast<std::uint16_t>(a.bits_ | b.bits_);
    return both;
  }
  friend constexpr bool operator==(Phases, Phases) = default;

 private:
  static constexpr std::uint16_t bit(Phase phase) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(phase));
  }
  std::uint16_t bits_ = 0;
};
inline constexpr Phases kRunning = {Phase::load, Phase::prefill, Phase::decode};
inline constexpr Phases kTrainingStep = {Phase::forward, Phase::loss, Phase::backward, Phase::optimizer_step};

/// The colour and legend row an item belongs to.
enum class Group : std::uint8_t {
  weights,
  master_weights,
  gradients,
  optimizer,
  activations,
  logits,
  kv_cache,
  state,
  temporary,
  communication,
  fragmentation,
  cached,
  runtime,
};
inline constexpr std::size_t kGroupCount = 13;
inline constexpr std::array<std::string_view, kGroupCount> kGroupNames = {
    "weights", "master_weights", "gradients",     "optimizer",     "activations", "logits", "kv_cache",
    "state",   "temporary",      "communication", "fragmentation", "cached",      "runtime"};

/// The reading an item first shows up in: torch allocated, torch reserved (llama.cpp: the sum of its buffers), or only the
/// driver's figure.
enum class Level : std::uint8_t { allocated, reserved, device };
inline constexpr std::array<std::string_view, 3> kLevelNames = {"allocated", "reserved", "device"};

/// A factor of an item's formula with the number filled in.
struct Term {
  const char* name = nullptr;
  std::uint64_t value = 0;
};

/// Terms without allocation: an estimate fills dozens of these in microseconds.
struct Terms {
  static constexpr std::size_t kCapacity = 8;
  std::array<Term, kCapacity> terms{};
  std::uint8_t size = 0;

  constexpr Terms() = default;
  struct Named {
    const char* name;
    Count value;
  };
  constexpr Terms(std::initializer_list<Named> named) {
    for (const Named& term : named) {
      if (size == kCapacity) break;
      terms[size++] = {term.name, term.value.value()};
    }
  }
  [[nodiscard]] constexpr const Term* begin() const { return terms.data(); }
  [[nodiscard]] constexpr const Term* end() const { return terms.data() + size; }
};

struct Item {
  const char* id = "";  ///< stable: "kv_cache.k"; its label is i18n "item.<id>"
  Group group = Group::weights;
  Level level = Level::allocated;
  Phases phases;
  Band bytes;
  const char* formula = "";  ///< "F-4.1": expression and source in catalog/formulas.json
  Terms terms;
  const char* source = "";  ///< where constants came from, when the formula's own source does not say it
};

/// The four readings of api.md.
struct Memory {
  Band allocated, reserved, device, need;
};

/// One kind of GPU load: GPUs that hold the same share one entry.
struct DeviceLedger {
  std::vector<std::uint32_t> gpus;  ///< indexes into Scenario::gpus
  std::vector<Item> items;
  std::uint32_t first_layer = 0, layer_end = 0;  ///< decoder layers [first, end)
};

/// What a preallocating server takes, and what that leaves.
struct Reservation {
  bool applies = false;
  Bytes bytes;         ///< per busiest GPU
  Count cache_tokens;  ///< over the whole group of GPUs that hold one copy of the model
  Count sequences;     ///< full-length sequences (context) that fit
};

/// What lives in system memory, over the whole machine.
struct HostMemory {
  Band ram;
  Bytes checkpoint, disk;
};

struct Ledger {
  std::vector<DeviceLedger> devices;
  Reservation reservation;
  HostMemory host;
};

/// Sum of the items of one phase. need = everything but group `cached`.
Memory memory_in_phase(const DeviceLedger& device, Phase phase);
/// Each reading at its own largest phase.
Memory peak_memory(const DeviceLedger& device);
/// The phase with the largest expected need; the earliest on ties.
Phase peak_phase(const DeviceLedger& device);
/// Phases that any item of the device mentions.
Phases phases_of(const DeviceLedger& device);
/// Index of the device ledger with the largest expected need.
std::size_t busiest(const Ledger& ledger);

}  // namespace vram
