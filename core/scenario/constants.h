// Calibrated constants: what only measurement can give (contexts, library workspaces, fragmentation). They live in
// catalog/runtimes.json with source, version range and band; this is their typed view.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/count.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/choices.h"
#include "core/scenario/gpu.h"

namespace vram {

/// A factor with its 90 % interval, e.g. reserved / allocated - 1.
struct Factor {
  double low = 0, expected = 0, high = 0;
  friend bool operator==(const Factor&, const Factor&) = default;
};

/// Every constant a rule may ask for. constants.cpp holds the names, which are the enumerators', and whether each is a byte
/// band or a factor. Add a row there and one entry for every runtime, generation and version in catalog/runtimes.json.
enum class Constant : std::uint8_t {
  context,                  ///< bytes: CUDA context and libraries beyond the allocator, one process
  context_bare,             ///< bytes: context of a runtime without PyTorch (llama.cpp)
  cublas_workspace,         ///< bytes: inside the allocator, one handle and stream (F-14.2)
  fragmentation_inference,  ///< factor on allocated (F-14.4)
  fragmentation_training,   ///< factor on allocated: unavoidable part
  cached_training,          ///< factor on allocated: cached blocks a full card gives back
  communicator,             ///< bytes outside the allocator per communicator (F-11.3)
  margin_share,             ///< factor: default working margin as a share of usable memory (F-16.1)
  margin_floor,             ///< bytes: the least default margin
  display_desktop_linux,    ///< bytes (section 15)
  display_desktop_windows,
  display_cad,
  display_render,
  os_reserve_windows,        ///< bytes
  activation_inference,      ///< factor band on an engine's derived activation peak
  compute_buffer,            ///< factor band on llama.cpp's derived compute buffer
  activation_training,       ///< factor band on derived saved activations
  compile_activations,       ///< factor: activations under torch.compile relative to eager
  cuda_graphs,               ///< bytes: fixed part of captured graphs
  cuda_graphs_per_layer,     ///< bytes
  non_torch,                 ///< bytes: engine memory outside the allocator beyond the context
  reserved_by_default,       ///< factor: share of the card a preallocating server takes
  cudnn_workspace,           ///< bytes
  sampler_per_logit,         ///< factor: bytes per logit of a serving engine's profile run, rows x vocabulary (F-5.2)
  sampler_fixed,             ///< bytes: fixed part of that profile run
  profile_activations,       ///< factor: a serving engine's peak over the live set of one layer (F-5.2: 1.1)
  cuda_graphs_experts,       ///< factor: captured graphs of expert models relative to dense ones
  communicator_forward,      ///< bytes: what collectives add with the first forward pass, beyond `communicator`
  compute_buffer_offloaded,  ///< factor: llama.cpp's compute buffer when layers or experts stay on the CPU
  kernel_pool,               ///< bytes: llama.cpp's CUDA pool and handles, which no log line names (F-5.5)
  driver_reserve,            ///< bytes that the driver itself holds on a card without a screen (F-14.6)
  os_budget_windows,         ///< factor: share that Windows keeps back from one process
  logits_training,           ///< factor band on the loss's logits (F-7.9): versions of a framework differ most here
  cached_sharded,           ///< factor on allocated: further cached blocks where parameters are gathered (FSDP, ZeRO-3)
  band_weights,             ///< factor band on plainly stored weights
  band_weights_quantised,   ///< factor band on quantised weights, whose recipes differ
  band_cache,               ///< factor band on keys, values and states
  stretch_allocated_below,  ///< factor on the lower half of the other allocated items' bands
  stretch_allocated_above,  ///< factor on the upper half
  stretch_outside_below,    ///< the same of items that only the allocator's or the driver's figure shows
  stretch_outside_above,
  count_  ///< number of constants
};

/// A runtime's version as the rules compare it: 0.19.1 -> {0, 19, 1}; "latest" when the request names none.
struct Version {
  std::uint32_t major = 0, minor = 0, patch = 0;
  bool latest = true;
  [[nodiscard]] constexpr std::uint64_t rank() const {
    return latest ? ~std::uint64_t{0} : (std::uint64_t{major} << 40U) | (std::uint64_t{minor} << 20U) | patch;
  }
  /// True for `latest` and for versions from major.minor(.patch) on.
  [[nodiscard]] constexpr bool at_least(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) const {
    return rank() >= ((std::uint64_t{a} << 40U) | (std::uint64_t{b} << 20U) | c);
  }
};
/// Reads "0.19.1", "v2.6", "b4567"; text without digits gives latest.
Version parse_version(std::string_view text);

/// Name of a constant in catalog/runtimes.json.
std::string_view name_of(Constant constant);
/// True for byte bands, false for factors.
bool is_bytes(Constant constant);

inline constexpr std::size_t kConstantCount = static_cast<std::size_t>(Constant::count_);
inline constexpr std::size_t kMaxConstants = 64;
static_assert(kConstantCount <= kMaxConstants);

struct ConstantEntry;

/// The constants that hold for one runtime, version and GPU generation.
struct ResolvedConstants {
  std::array<Band, kMaxConstants> bytes{};
  std::array<Factor, kMaxConstants> factors{};
  std::array<const char*, kMaxConstants> sources{};
  std::shared_ptr<const std::vector<ConstantEntry>> entries;  ///< keeps the texts of `sources` alive

  [[nodiscard]] const Band& band(Constant constant) const { return bytes[static_cast<std::size_t>(constant)]; }
  [[nodiscard]] const Factor& factor(Constant constant) const { return factors[static_cast<std::size_t>(constant)]; }
  [[nodiscard]] const char* source(Constant constant) const { return sources[static_cast<std::size_t>(constant)]; }
};

struct ConstantEntry {
  std::uint8_t constant = 0;
  bool any_runtime = true, any_generation = true;
  RuntimeId runtime = RuntimeId::transformers;
  GpuGeneration generation = GpuGeneration::unknown;
  std::uint64_t from_version = 0, to_version = ~std::uint64_t{0};  ///< Version::rank, inclusive
  Band bytes{};
  Factor factor{};
  std::string source;
};

struct ConstantTable {
  std::shared_ptr<const std::vector<ConstantEntry>> entries;
  /// The most specific entry wins: runtime before generation before version range. Among equals the later one does.
  [[nodiscard]] ResolvedConstants resolve(RuntimeId runtime, Version version, GpuGeneration generation) const;
};

/// Reads catalog/runtimes.json (catalog/schema/runtimes.schema.json describes it). Each bad entry goes to `faults` and the
/// rest lives; a constant without an entry that holds for every runtime, generation and version is a fault.
ConstantTable read_constants(const json::Value& file, std::vector<Error>& faults);

}  // namespace vram
