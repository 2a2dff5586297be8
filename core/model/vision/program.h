// Graph descriptions as text, parsed: blocks with parameters, repeats, stage tables, residuals and branches.
//
//   conv 64 7 2; bn; relu .inplace; maxpool 3 2 1;
//   stages depths n { rep n { bottleneck 64 s=i?1:2 } }; gap; flatten; linear classes; output
//
// A word is an operation (operation.h), a block of the library, or one of: res {body} {shortcut}, cat {a} {b}..,
// rep N {..} (counts in `i`), stages TABLE names.. {..} (counts in `row`), if X {..} {..}, as @x, out @x (visible to the
// caller), from @x, each @x @y.. {..} (the same parameters on several values), stage N, unit {..} (recomputed under
// checkpointing), push and pop (concatenates with what was pushed last). `c` is the number of channels of the current value.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/vision/expression.h"
#include "core/model/vision/operation.h"

namespace vram::vision {

enum class Form : std::uint8_t {
  operation,
  block,
  residual,
  branches,
  repeat,
  stages,
  condition,
  name_value,
  export_value,
  take_value,
  each,
  stage,
  unit,
  push,
  pop
};

struct Argument {
  std::uint8_t parameter = 0;  ///< number of the operation's or block's parameter
  Expression value;
};

struct Statement {
  Form form = Form::operation;
  Op op = Op::output;
  std::uint16_t flags = 0;
  std::uint32_t target = 0;  ///< the block's or the table's name
  std::uint32_t line = 0;    ///< byte in the text, for errors
  std::vector<Argument> arguments;
  std::vector<std::uint32_t> values;  ///< names of values, or of the columns of a table
  std::vector<std::vector<Statement>> bodies;
};
using Body = std::vector<Statement>;

struct Block {
  std::uint32_t name = 0;
  std::vector<std::uint32_t> parameters;
  Body body;
};

/// Blocks that descriptions share.
struct Library {
  std::vector<Block> blocks;
  [[nodiscard]] const Block* find(std::uint32_t name) const;
};

/// A table of whole numbers: rows of equal or unequal width.
struct Table {
  std::uint32_t name = 0;
  std::vector<std::vector<std::int64_t>> rows;
};

/// A model's own text over a library.
struct Program {
  std::shared_ptr<const Library> library;
  Body body;
  Environment variables;
  std::vector<Table> tables;
  std::uint32_t input_channels = 3;
};

/// A text encoder of a pipeline, by its size: it runs once for each prompt.
struct TextEncoder {
  Count parameters;
  Count hidden, ffn;
  Count tokens;       ///< of a prompt, padded
  bool fp32 = false;  ///< kept in fp32 whatever the rest has
};

/// A diffusion model: text encoders, a denoiser over latents, an autoencoder.
struct Pipeline {
  std::vector<TextEncoder> encoders;
  std::shared_ptr<const Program> denoiser, decoder, vae_encoder;
  Count denoiser_parameters, vae_parameters;
  Count latent_channels = 4;
  Count shrink = 8;              ///< image edge over latent edge
  Count shrink_time = 1;         ///< frames over latent frames; the first frame stands alone
  Count second_denoiser;         ///< parameters of a second denoiser that takes over midway (Wan 2.2); 0 = none
  Count vision_encoder;          ///< parameters of an image encoder (image-to-video); 0 = none
  bool doubles_guidance = true;  ///< guidance runs conditional and unconditional together, as one batch
  bool vae_fp32 = false;         ///< the pipeline upcasts the autoencoder
};

/// The blocks that a model's graphs use; nullptr for a model of transformer layers.
std::shared_ptr<const Library> library_of(const Program* program, const Pipeline* pipeline);

/// Parses one text. Errors: syntax, unknown_choice (word), with the word as `got`.
Result<Body> parse_body(std::string_view text, const Library& library, std::string_view path);

/// Reads {"name": "w o s=1: text"} or lists of lines; blocks may use those that stand before them.
Result<std::shared_ptr<const Library>> read_library(const json::Value& blocks, std::string_view path);

/// Reads a model's "graph" (text or list of lines) and "set" ({"depths": [3,4,6,3], "w": 64}).
Result<std::shared_ptr<const Program>> read_program(const json::Value& graph, const json::Value* set,
                                                    std::shared_ptr<const Library> library, std::string_view path);

/// Fills in numbers: every block expanded, every repeat written out. `classes` is the number of classes of the heads.
Result<Graph> flatten(const Program& program, std::int64_t classes);

}  // namespace vram::vision
