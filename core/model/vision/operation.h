// The vocabulary of graph descriptions: every operation with its parameters, and the flat graph made of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vram::vision {

enum class Op : std::uint8_t {
  conv,
  transposed_conv,
  linear,
  batch_norm,
  layer_norm,
  group_norm,
  instance_norm,
  rms_norm,
  relu,
  relu6,
  leaky_relu,
  silu,
  gelu,
  hardswish,
  hardsigmoid,
  sigmoid,
  tanh,
  mish,
  softmax,
  max_pool,
  average_pool,
  global_pool,
  adaptive_pool,
  flatten,
  upsample,
  resize,
  add,
  multiply,
  scale,
  layer_scale,
  dropout,
  drop_path,
  concatenate,
  chunk,
  shuffle,
  copy,
  space_to_depth,
  pixel_shuffle,
  tokens,
  first,
  positions,
  grid,
  frames,
  patch_merge,
  attention,
  cross_attention,
  window_attention,
  relative_attention,
  deformable_attention,
  reduced_attention,
  non_local,
  roi_align,
  queries,
  shift,
  hold,
  overlaps,
  loss,
  output,
  count_
};

/// Parameters are numbered in the order of the signature; flags are bits in the order of theirs.
struct Signature {
  std::string_view word;
  Op op;
  std::string_view parameters;  ///< "out k=1 s=1": positional or key=value, with defaults
  std::string_view flags;       ///< ".bias": words
  std::uint8_t values = 0;  ///< further values it reads, written "@name"; 255 = any number, the current one not counted
};

/// All operations, by word.
std::span<const Signature> signatures();
const Signature* find_signature(std::string_view word);
/// Number of a parameter of the signature, or -1.
int parameter_index(const Signature& signature, std::string_view name);
/// Bit of a flag of the signature, or -1.
int flag_index(const Signature& signature, std::string_view name);
/// Default of a parameter; `required` when it has none.
std::int64_t parameter_default(const Signature& signature, int index, bool& required);

inline constexpr std::size_t kParameters = 12;

/// One operation with numbers filled in.
struct Operation {
  Op op = Op::output;
  std::uint16_t flags = 0;
  std::uint8_t stage = 0;     ///< training may freeze the stages up to a number; see `Graph::head_stage`
  bool shared = false;        ///< uses the parameters of an earlier operation (heads over several levels)
  bool row = false;           ///< begins a row of a stage table
  bool rows_end = false;      ///< first behind a stage table
  bool checkpointed = false;  ///< begins a unit that activation checkpointing recomputes
  std::uint16_t inputs = 0;   ///< how many values it reads
  std::uint32_t first = 0;    ///< where they stand in Graph::operands
  std::uint32_t result = 0;   ///< the value it makes
  std::array<std::int32_t, kParameters> a{};

  [[nodiscard]] bool flag(unsigned bit) const { return (flags >> bit & 1U) != 0; }
};

/// A network in execution order, independent of resolution and batch: value 0 is the image.
struct Graph {
  std::vector<Operation> operations;
  std::vector<std::uint32_t> operands;
  std::vector<std::uint32_t> last_use;  ///< for each value, the operation after which nobody reads it
  std::uint32_t values = 1;
  std::uint32_t input_channels = 3;

  [[nodiscard]] std::span<const std::uint32_t> inputs_of(const Operation& operation) const {
    return {operands.data() + operation.first, operation.inputs};
  }
};

/// Stages from this number on are heads and never frozen with the backbone.
inline constexpr std::uint8_t kHeadStage = 90;

}  // namespace vram::vision
