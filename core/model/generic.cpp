// A dense language model of any size, between real families.
#include <array>

#include "core/model/read_model.h"
#include "core/model/tensors.h"

namespace vram {
namespace {

/// Shapes at which the interpolation passes. Widths and depths never shrink from one row to the next.
struct Anchor {
  double parameters;
  std::uint32_t hidden, layers, vocab;
};

constexpr Anchor kAnchors[] = {
    {1.0e7, 256, 6, 16000},         // smaller than any published family: SmolLM2's shape scaled down
    {1.9e7, 256, 10, 20000},        //
    {2.1e7, 384, 10, 20000},        //
    {4.0e7, 384, 12, 32000},        //
    {5.0e7, 512, 14, 34000},        //
    {1.35e8, 640, 18, 49152},       // SmolLM2-135M (576 wide, 30 layers), shortened so that depth can grow from here
    {3.6e8, 1024, 20, 64000},       // SmolLM2-360M (960, 32)
    {1.24e9, 1792, 22, 128256},     // Llama-3.2-1B (2048, 16), Qwen3-1.7B (2048, 28)
    {3.21e9, 3072, 28, 128256},     // Llama-3.2-3B
    {8.03e9, 4096, 32, 128256},     // Llama-3.1-8B
    {1.48e10, 5120, 40, 128256},    // Qwen3-14B
    {3.28e10, 5120, 64, 128256},    // Qwen3-32B
    {7.06e10, 8192, 80, 128256},    // Llama-3.1-70B
    {1.23e11, 12288, 88, 128256},   // Mistral-Large-2407
    {4.06e11, 16384, 126, 128256},  // Llama-3.1-405B
    {1.0e12, 22528, 150, 128256},   // beyond dense models: the same proportions go on
    {3.2e12, 32768, 216, 128256},   //
};

constexpr double kSmallest = 1.0e7;
constexpr double kLargest = 3.0e12;
constexpr double kTied = 5.0e9;         // Llama 3.2 and Qwen 3 tie the embeddings of their small sizes
constexpr double kNarrowHeads = 1.5e9;  // heads of 64 below, of 128 above
constexpr double kTwoKvHeads = 5.0e7;   // 2 key/value heads below,
constexpr double kFourKvHeads = 3.0e8;  // 4 between, 8 above
/// Sizes come in steps of 1.5 %: every size between two steps gets the model of the nearer one, so that a larger request
/// can never round to a smaller model.
constexpr double kStep = 1.015;

std::uint32_t between(std::uint32_t a, std::uint32_t b, double part, std::uint32_t multiple) {
  const double value = static_cast<double>(a) + (static_cast<double>(b) - static_cast<double>(a)) * part;
  const auto halves = static_cast<std::uint32_t>(value * 2 / multiple);  // rounds to the nearest multiple
  return (halves + 1) / 2 * multiple;
}

/// The largest step that is at most half a step above `wanted`.
double on_the_grid(double wanted) {
  if (wanted < kSmallest) wanted = kSmallest;
  if (wanted > kLargest) wanted = kLargest;
  double size = kSmallest;
  while (size * (1 + (kStep - 1) / 2) < wanted) size *= kStep;
  return size;
}

/// Chooses the MLP's width so that the count comes nearest to `size`.
void fit_mlp(Model& model, double size) {
  Mlp& mlp = std::get<Mlp>(model.kinds[0].feed_forward);
  const std::uint64_t step = model.hidden >= Count(4096) ? 128 : model.hidden >= Count(1024) ? 32 : 8;
  mlp.size = step;
  derive_tensors(model);
  const Count per_step = Count(step) * 3 * model.hidden * Count(model.order.size());
  const Count wanted = static_cast<std::uint64_t>(size);
  const Count steps = (wanted - model.parameters + per_step / 2) / per_step;
  mlp.size = Count(step) * (steps + 1);
  derive_tensors(model);
}

}  // namespace

Model generic_model(Count parameters) {
  const double size = on_the_grid(parameters.as_double());
  std::size_t upper = 1;
  while (upper + 1 < std::size(kAnchors) && kAnchors[upper].parameters < size) ++upper;
  const Anchor& a = kAnchors[upper - 1];
  const Anchor& b = kAnchors[upper];
  const double part = (size - a.parameters) / (b.parameters - a.parameters);

  Model model;
  model.id = "generic";
  model.name = "generic";
  model.unverified = true;
  const std::uint32_t hidden = between(a.hidden, b.hidden, part, 128);
  const std::uint32_t layers = between(a.layers, b.layers, part, 1);
  model.hidden = hidden;
  model.vocab = between(a.vocab, b.vocab, part, 64);
  model.tied = size < kTied;
  model.context_max = 131072;

  Attention attention;
  attention.head_dim = size < kNarrowHeads ? 64 : 128;
  attention.value_dim = attention.head_dim;
  attention.kv_heads = size < kTwoKvHeads ? 2 : size < kFourKvHeads ? 4 : 8;
  attention.heads = pad(ceil_div(hidden, attention.head_dim), attention.kv_heads);
  Layer layer;
  layer.mixer = attention;
  layer.feed_forward = Mlp{};
  model.kinds.push_back(layer);
  model.order.assign(layers, 0);
  fit_mlp(model, size);
  return model;
}

}  // namespace vram
