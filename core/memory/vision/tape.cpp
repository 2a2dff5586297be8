#include "core/memory/vision/tape.h"

namespace vram::vision {

void Tape::reserve(std::size_t operations) {
  storages_.reserve(operations * 2);
  nodes_.reserve(operations * 2);
  edges_.reserve(operations * 3);
}

Value Tape::make(const Shape& shape, std::uint8_t bytes) {
  Value value;
  value.storage = static_cast<StorageId>(storages_.size());
  value.bytes = bytes;
  value.shape = shape;
  storages_.push_back({value.size(), 1, false});
  live_ += value.size();
  note(live_);
  return value;
}

Value Tape::view(const Value& of) {
  hold(of);
  return of;
}

void Tape::release(const Value& value) {
  Storage& storage = storages_[value.storage];
  if (storage.users == 0 || --storage.users > 0 || storage.saved) return;
  live_ -= storage.bytes;
}

bool Tape::node(std::span<const Value* const> inputs, Value& out, Pass pass, Bytes parameter_gradients,
                Bytes temporary) {
  out.node = kNoNode;
  if (!training_) return false;
  bool wanted = static_cast<bool>(parameter_gradients);
  for (const Value* input : inputs) wanted = wanted || input->grad();
  if (!wanted) return false;
  Node& node = nodes_.emplace_back();
  node.out = out.size();
  node.pass = pass;
  node.parameter_gradients = parameter_gradients;
  node.temporary = temporary;
  node.first = static_cast<std::uint32_t>(edges_.size());
  for (const Value* input : inputs) {
    if (!input->grad()) continue;
    edges_.push_back(input->node);
    ++node.inputs;
  }
  out.node = static_cast<NodeId>(nodes_.size() - 1);
  return true;
}

void Tape::save(const Value& value) {
  Storage& storage = storages_[value.storage];
  // The earliest node that keeps a storage is the last to let it go.
  if (storage.saved) return;
  storage.saved = true;
  saved_ += storage.bytes;
  nodes_.back().frees += storage.bytes;
}

void Tape::save_bytes(Bytes bytes) {
  saved_ += bytes;
  nodes_.back().frees += bytes;
  live_ += bytes;
  note(live_);
}

void Tape::save_cast(Bytes bytes) {
  casts_ += bytes;
  nodes_.back().frees_casts += bytes;
  live_ += bytes;
  note(live_);
}

void Tape::keep(Bytes bytes) {
  live_ += bytes;
  note(live_);
}

void Tape::checkpoint(NodeId from, const Value& input) {
  if (!training_ || from >= nodes_.size()) return;
  Bytes all;
  for (std::size_t i = from; i < nodes_.size(); ++i) {
    all += nodes_[i].frees;
  }
  nodes_.back().recomputed = all;
  live_ -= all;
  saved_ -= all;
  Storage& storage = storages_[input.storage];
  if (storage.saved) return;
  storage.saved = true;
  saved_ += storage.bytes;
  nodes_[from].frees += storage.bytes;
}

TapeResult Tape::finish(const Value& last, bool accumulates) {
  TapeResult result;
  result.saved = saved_;
  result.kept = live_;
  result.casts = casts_;
  result.forward_peak = peak_;
  if (!training_ || !last.grad()) {
    result.backward_peak = peak_;
    return result;
  }
  struct Gradient {
    Bytes bytes;
    std::uint32_t users = 0;
  };
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<Gradient> gradients;
  gradients.reserve(nodes_.size());
  std::vector<std::uint32_t> of(nodes_.size(), kNone);
  Bytes live = live_, peak = live_, made;
  const auto note_peak = [&](Bytes now) {
    if (now <= peak) return;
    peak = now;
    result.gradients_at_peak = made;
  };
  const auto drop = [&](std::uint32_t gradient) {
    if (--gradients[gradient].users == 0) live -= gradients[gradient].bytes;
  };
  const auto fresh = [&](Bytes bytes) {
    gradients.push_back({bytes, 1});
    live += bytes;
    return static_cast<std::uint32_t>(gradients.size() - 1);
  };
  of[last.node] = fresh(nodes_[last.node].out);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    live += node.recomputed;
    if (of[i] == kNone) {
      live -= node.frees + node.frees_casts;
      continue;
    }
    const std::uint32_t own = of[i];
    result.gradients += node.parameter_gradients;
    // A 16-bit gradient is turned into the parameter's type behind the node.
    if (!node.temporary) {
      live += node.parameter_gradients;
      made += node.parameter_gradients;
    }
    for (std::size_t e = 0; e < node.inputs; ++e) {
      const NodeId target = edges_[node.first + e];
      std::uint32_t gradient = own;
      if (node.pass == Pass::alias)
        ++gradients[own].users;
      else
        gradient = fresh(nodes_[target].out);
      if (of[target] == kNone) {
        of[target] = gradient;
        continue;
      }
      // The second gradient of a value: added into the first one where nobody else uses that, else a third tensor.
      note_peak(live + node.temporary);
      const std::uint32_t first = of[target];
      if (gradients[first].users > 1) {
        const std::uint32_t sum = fresh(nodes_[target].out);
        note_peak(live + node.temporary);
        drop(first);
        of[target] = sum;
      }
      drop(gradient);
    }
    note_peak(live + node.temporary);
    drop(own);
    live -= node.frees + node.frees_casts;
    if (node.temporary) {
      live += node.parameter_gradients;
      made += node.parameter_gradients;
      note_peak(live + node.temporary);
    }
    if (accumulates) {
      live -= node.parameter_gradients;
      made -= node.parameter_gradients;
    }
  }
  result.backward_peak = peak;
  return result;
}

}  // namespace vram::vision
