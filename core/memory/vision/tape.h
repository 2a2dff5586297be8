// What autograd keeps and when it lets go: storages, their users, and the nodes of the backward pass.
//
// The tape mirrors PyTorch op by op (oracle section 7): tensors that share a storage count once, a storage lives while a
// value of the forward pass or a node of the backward pass needs it, gradients pass through additions and views without
// a copy.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/base/count.h"

namespace vram::vision {

/// Extents of a tensor: images (or regions), channels, frames, rows, columns. Tokens are rows of one column.
struct Shape {
  Count n = 1, c = 1, t = 1, h = 1, w = 1;
  [[nodiscard]] constexpr Count positions() const { return n * t * h * w; }
  [[nodiscard]] constexpr Count elements() const { return positions() * c; }
};

using StorageId = std::uint32_t;
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

/// A tensor: a view of a storage.
struct Value {
  StorageId storage = 0;
  NodeId node = kNoNode;   ///< that made it; kNoNode when no gradient is wanted
  std::uint8_t bytes = 4;  ///< of an element
  bool listed = false;     ///< channels or tokens last: kept for layout rules
  Shape shape;
  [[nodiscard]] bool grad() const { return node != kNoNode; }
  [[nodiscard]] Bytes size() const { return shape.elements() * bytes; }
};

/// How a gradient goes through a node.
enum class Pass : std::uint8_t {
  fresh,  ///< each input gets a new tensor
  alias,  ///< additions, views: inputs share the gradient of the output
};

struct TapeResult {
  Bytes saved;              ///< activations, statistics, indices and the input kept for the backward pass
  Bytes kept;               ///< everything alive when the forward pass ends: saved, casts, the batch, the result
  Bytes casts;              ///< 16-bit copies of weights kept from forward to backward
  Bytes forward_peak;       ///< without parameters
  Bytes backward_peak;      ///< without parameters; gradients of parameters included
  Bytes gradients;          ///< of parameters, all
  Bytes gradients_at_peak;  ///< that exist at the peak of the backward pass
};

class Tape {
 public:
  explicit Tape(bool training) : training_(training) {}
  void reserve(std::size_t operations);

  [[nodiscard]] bool training() const { return training_; }

  /// A new tensor, held until release().
  Value make(const Shape& shape, std::uint8_t bytes);
  /// Another tensor of the same storage.
  Value view(const Value& of);
  void hold(const Value& value) { ++storages_[value.storage].users; }
  void release(const Value& value);

  /// A node of the backward pass for `out`; nothing when no input wants a gradient and nothing is trained.
  /// `parameter_gradients`: bytes that stay; `temporary`: bytes beside the gradients while it runs.
  bool node(std::span<const Value* const> inputs, Value& out, Pass pass, Bytes parameter_gradients = 0,
            Bytes temporary = 0);
  bool node(std::initializer_list<const Value*> inputs, Value& out, Pass pass, Bytes parameter_gradients = 0,
            Bytes temporary = 0) {
    return node(std::span<const Value* const>(inputs.begin(), inputs.size()), out, pass, parameter_gradients,
                temporary);
  }
  /// The last node keeps this tensor's storage,
  void save(const Value& value);
  /// or so many bytes of its own (statistics, indices, masks),
  void save_bytes(Bytes bytes);
  /// or a 16-bit copy of weights.
  void save_cast(Bytes bytes);
  /// Memory for a moment of the forward pass.
  void flash(Bytes bytes) { note(live_ + bytes); }
  /// Memory that stays through forward and backward (targets, buffers).
  void keep(Bytes bytes);
  /// Checkpointing: everything the nodes since `from` keep is let go; `input` stays, and the recomputed set comes back for
  /// the time of their backward pass.
  void checkpoint(NodeId from, const Value& input);
  [[nodiscard]] NodeId next_node() const { return static_cast<NodeId>(nodes_.size()); }

  [[nodiscard]] Bytes saved() const { return saved_; }
  [[nodiscard]] Bytes live() const { return live_; }
  [[nodiscard]] Bytes forward_peak() const { return peak_; }
  /// Runs the backward pass from `last`. `accumulates`: gradients of parameters exist before and are added to.
  TapeResult finish(const Value& last, bool accumulates = false);

 private:
  struct Storage {
    Bytes bytes;
    std::uint32_t users = 0;
    bool saved = false;
  };
  struct Node {
    Bytes frees, frees_casts;  ///< let go behind it: what no earlier node keeps
    Bytes out;                 ///< size of the gradient of its output
    Bytes parameter_gradients, temporary;
    Bytes recomputed;  ///< comes back before it runs (checkpointing), let go with `frees` of the unit
    std::uint32_t first = 0;
    std::uint16_t inputs = 0;
    Pass pass = Pass::fresh;
  };
  void note(Bytes live) { peak_ = max(peak_, live); }

  bool training_;
  std::vector<Storage> storages_;
  std::vector<Node> nodes_;
  std::vector<NodeId> edges_;
  Bytes live_, peak_, saved_, casts_;
};

}  // namespace vram::vision
