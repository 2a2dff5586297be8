// The one field table: every input of a request is one row. JSON, links, the command line, the page's controls, the HTML
// form, the help texts and the property tests all walk it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vram {

/// Index of a row in fields().
enum class Field : std::uint8_t {
  task,
  model,
  architecture,
  parameters_b,
  framework,
  framework_version,
  weights,
  context,
  context_average,
  batch,
  users,
  growth_percent,
  growth_months,
  kv_cache,
  kv_cache_v,
  ubatch,
  prefill_tokens,
  max_sequences,
  attention,
  cuda_graphs,
  gpu_layers,
  cpu_experts,
  memory_fraction,
  prefix_share_percent,
  precision,
  optimizer,
  optimizer_implementation,
  optimizer_state,
  gradients,
  checkpointing,
  checkpoint_every,
  loss,
  compile,
  packing,
  accumulation,
  eval_batch,
  preference,
  generations,
  adapter,
  lora_rank,
  lora_targets,
  adapter_dtype,
  kbit_upcast,
  trained_modules,
  sharding,
  offload,
  tensor_parallel,
  sequence_parallel,
  pipeline_parallel,
  interleave,
  context_parallel,
  expert_parallel,
  data_parallel,
  image_height,
  image_width,
  frames,
  classes,
  text_encoder,
  vae_tiling,
  component_offload,
  encoder_weights,
  cached_latents,
  text_tokens,
  gpu,
  gpu_count,
  gpus,
  os,
  display,
  margin_percent,
  dataset_gb,
  checkpoints_kept,
  mains,
  calibration,
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::calibration) + 1;

enum class FieldKind : std::uint8_t {
  choice,       ///< one of `choices`
  choice_list,  ///< several of `choices`; a single word is accepted as well
  integer,
  integer_or_all,  ///< an integer or the word "all"
  number,
  boolean,
  text,
  weight_format,  ///< a word of named_formats() or exl2-/exl3- with a bit rate
  model_id,
  gpu_id,
  gpu_list,  ///< ids separated by commas in links and on the command line
  object,    ///< `architecture`
};

enum class FieldUnit : std::uint8_t {
  none,
  tokens,
  sequences,
  users,
  percent,
  months,
  billions,
  layers,
  share,
  pixels,
  frames,
  classes,
  gpus,
  gigabytes,
  steps,
  rank
};

enum class FieldScale : std::uint8_t { linear, logarithmic };

/// The part of the form a field belongs to.
enum class FieldSection : std::uint8_t {
  job,
  model,
  workload,
  inference,
  training,
  adapter,
  parallel,
  vision,
  machine
};

/// Jobs and model kinds for which a field can have an effect; the page shows it only then.
enum class Applies : std::uint8_t {
  always,
  language,
  running,
  serving,
  paged,
  llama_cpp,
  training,
  adapters,
  several_gpus,
  vision,
  diffusion,
  no_model
};

struct FieldRow {
  Field field;
  std::string_view name;  ///< api.md name; also the key of its label ("field.<name>") and help ("help.<name>")
  FieldKind kind;
  FieldSection section;
  Applies applies;
  FieldUnit unit = FieldUnit::none;
  double minimum = 0, maximum = 0;  ///< inclusive, for integer and number
  FieldScale scale = FieldScale::linear;
  std::span<const std::string_view> choices = {};
  /// Text of the default; empty where it depends on other fields (resolve() chooses it).
  std::string_view default_text = {};
  bool expert = false;  ///< folded away until asked for
};

/// All rows, in Field order.
std::span<const FieldRow> fields();
inline const FieldRow& row_of(Field field) { return fields()[static_cast<std::size_t>(field)]; }
std::optional<Field> field_by_name(std::string_view name);

}  // namespace vram
