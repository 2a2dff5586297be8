#include "core/memory/recurrent_state.h"

#include <variant>

namespace vram {
namespace {

constexpr Count share(Count amount, Count tensor) { return ceil_div(amount, tensor); }

/// Elements by kind of mixer; F-4.8, from vLLM's MambaStateShapeCalculator and llama.cpp's llama-hparams.cpp.
struct ElementsOf {
  Count hidden, tensor;

  StateElements operator()(const GatedDeltaNet& net) const {
    const Count keys = share(net.key_heads, tensor) * net.key_dim;
    const Count values = share(net.value_heads, tensor) * net.value_dim;
    return {(net.conv_kernel - 1) * (2 * keys + values), values * net.key_dim};
  }
  StateElements operator()(const KimiDelta& net) const {
    const Count width = share(net.heads, tensor) * net.head_dim;
    return {(net.conv_kernel - 1) * 3 * width, width * net.head_dim};
  }
  StateElements operator()(const Mamba1& mamba) const {
    const Count inner = share(mamba.inner, tensor);
    return {(mamba.conv_kernel - 1) * inner, inner * mamba.state};
  }
  StateElements operator()(const Mamba2& mamba) const {
    const Count inner = share(mamba.heads, tensor) * mamba.head_dim;
    const Count groups = max(share(mamba.groups, tensor), 1);
    return {(mamba.conv_kernel - 1) * (inner + 2 * groups * mamba.state), inner * mamba.state};
  }
  StateElements operator()(const ShortConv& conv) const { return {share(hidden, tensor) * (conv.conv_kernel - 1), 0}; }
  StateElements operator()(const LinearAttention& attention) const {
    return {0, share(attention.heads, tensor) * attention.head_dim * attention.head_dim};
  }
  StateElements operator()(const Rwkv& rwkv) const {
    return {rwkv.token_shifts * hidden, share(hidden, tensor) * rwkv.head_size};
  }
  template <class Other>
  StateElements operator()(const Other&) const {
    return {};
  }
};

bool is_delta_net(const Mixer& mixer) {
  return std::holds_alternative<GatedDeltaNet>(mixer) || std::holds_alternative<KimiDelta>(mixer);
}

}  // namespace

StateElements state_elements(const Mixer& mixer, Count hidden, Count tensor) {
  return std::visit(ElementsOf{hidden, max(tensor, 1)}, mixer);
}

StateSize recurrent_state(const Model& model, LayerRange range, StateFormat format, Count tensor, Count sequences) {
  StateSize size;
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    const Layer& layer = model.kinds[kind];
    for (const Mixer* mixer : {&layer.mixer, &layer.parallel_mixer}) {
      const StateElements elements = state_elements(*mixer, model.hidden, tensor);
      if (!elements.total()) continue;
      const Count layers = occurrences(model, range, kind);
      const Count matrix_bytes = is_delta_net(*mixer) ? format.matrix_bytes : format.mamba_matrix_bytes;
      size.layers += layers;
      size.conv += layers * sequences * elements.conv * format.conv_bytes;
      size.matrix += layers * sequences * elements.matrix * matrix_bytes;
    }
  }
  return size;
}

}  // namespace vram
