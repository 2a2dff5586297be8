#include "core/memory/training/state_sharding.h"

namespace vram {
namespace {

/// DeepSpeed's defaults (zero/config.py), in elements.
constexpr Count kBucketElements = 500000000;
constexpr Count kPrefetchElements = 50000000;
constexpr Count kMaxLiveElements = 1000000000;

bool divides_states(Sharding sharding) { return is_zero(sharding) || sharding == Sharding::fsdp; }
bool divides_gradients(Sharding sharding) { return divides_states(sharding) && sharding != Sharding::zero1; }
bool divides_weights(Sharding sharding) { return sharding == Sharding::zero3 || sharding == Sharding::fsdp; }

/// Routed experts are divided among the ranks that hold the same experts only (F-9.7).
class Division {
 public:
  Division(const Scenario& scenario, Count elements, Count expert_elements)
      : elements_(elements), expert_elements_(expert_elements) {
    const Parallel& parallel = scenario.parallel;
    ranks_ = parallel.data * parallel.context;
    expert_ranks_ = parallel.expert > Count(1) ? max(1, ranks_ * parallel.tensor / parallel.expert) : ranks_;
  }
  [[nodiscard]] Bytes operator()(Bytes bytes) const {
    if (expert_ranks_ == ranks_) return ceil_div(bytes, ranks_);
    const Bytes experts = mul_div(bytes, expert_elements_, elements_);
    return ceil_div(bytes - experts, ranks_) + ceil_div(experts, expert_ranks_);
  }
  [[nodiscard]] Count ranks() const { return ranks_; }

 private:
  Count elements_, expert_elements_, ranks_, expert_ranks_;
};

/// Parts of a stage that are gathered one after the other.
struct Units {
  Stored layer;  ///< the largest layer
  Stored root;   ///< everything outside the layers
};

Units units_of(const Scenario& scenario, const Shard& shard) {
  const StoredWeights& stored = *scenario.stored;
  const Parallel& parallel = scenario.parallel;
  const Count expert_share = parallel.expert > Count(1) ? parallel.expert : parallel.tensor;
  const auto share = [](Stored part, Count parts) {
    return Stored{ceil_div(part.elements, parts), ceil_div(part.bytes, parts)};
  };
  Units units;
  Stored layers;
  std::uint16_t previous = 0xFFFF;
  Stored unit;
  for (std::uint32_t i = shard.first_layer; i < shard.layer_end; ++i) {
    if (stored.order[i] != previous) {
      previous = stored.order[i];
      const LayerWeights& weights = stored.kinds[previous];
      unit = share(weights.split, parallel.tensor) + weights.replicated + share(weights.experts, expert_share);
      if (unit.elements > units.layer.elements) units.layer = unit;
    }
    layers += unit;
  }
  const Stored all = shard_weights(scenario, shard);
  units.root = {all.elements - layers.elements, all.bytes - layers.bytes};
  return units;
}

/// Elements of the stage that the quantiser left in the base type.
Count unquantised_elements(const Scenario& scenario, const Shard& shard) {
  Count quantised;
  for (std::uint32_t i = shard.first_layer; i < shard.layer_end; ++i) {
    quantised += scenario.stored->layer(i).quantised_elements;
  }
  return shard_weights(scenario, shard).elements - ceil_div(quantised, scenario.parallel.tensor);
}

void gather(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile, Bytes whole,
            DividedStates& states) {
  const TrainingSettings& training = scenario.training;
  if (states.ranks == Count(1) || !divides_weights(training.sharding)) return;
  const Units units = units_of(scenario, shard);
  const bool plain = scenario.weights.scheme == WeightScheme::plain;
  const auto bytes_of_unit = [&](Stored unit) { return plain ? training.compute_bytes * unit.elements : unit.bytes; };
  if (training.sharding == Sharding::zero3) {
    const Count live = min(kMaxLiveElements, max(units.layer.elements, units.root.elements));
    const Count all = units.layer.elements * shard.layers() + units.root.elements;
    states.gathered = 2 * min(live + kPrefetchElements, all);
    return;
  }
  if (has_frozen_base(scenario.task)) {
    states.gathered = bytes_of_unit(units.layer) + (profile.keeps_frozen_gathered ? whole : bytes_of_unit(units.root));
    return;
  }
  states.gathered = 2 * bytes_of_unit(units.layer) + bytes_of_unit(units.root);
  states.gathered_gradients = training.compute_bytes * units.layer.elements;
}

void add_buckets(const Scenario& scenario, const TrainingProfile& profile, const TrainedParameters& trained,
                 DividedStates& states) {
  if (states.ranks == Count(1)) return;
  const Sharding sharding = scenario.training.sharding;
  const Bytes bucket = 2 * min(kBucketElements, trained.elements);
  if (is_zero(sharding)) {
    if (profile.main_gradients) return;  // gradients are a contiguous buffer already
    // Contiguous gradients fill one reduction bucket while the other travels; stages 1 and 2 gather parameters in a third.
    states.buckets = 2 * bucket + (sharding == Sharding::zero3 ? Bytes() : bucket);
  } else if (sharding != Sharding::fsdp && !profile.ddp_bucket_views) {
    states.buckets = trained.gradients;
  }
}

void offload(const Scenario& scenario, DividedStates& states) {
  const Offload offload = scenario.training.offload;
  const bool fsdp = scenario.training.sharding == Sharding::fsdp;
  const auto move = [&](Bytes& bytes) {
    states.host += bytes;
    bytes = 0;
  };
  // FSDP steps where the parameters are.
  const bool parameters = offload == Offload::parameters || offload == Offload::all;
  if (offload == Offload::optimizer || offload == Offload::all || (parameters && fsdp)) {
    move(states.masters);
    move(states.states);
    states.pageable_states = states.step = states.step_gradients = 0;
    if (divides_gradients(scenario.training.sharding)) {
      move(states.gradients);
      states.head_gradients = states.late_gradients = 0;
    }
  }
  if (!parameters) return;
  const Bytes whole = states.base;
  move(states.base);
  move(states.added);
  // Without sharding the layers come over one at a time as well: the present one and the next.
  if (!states.gathered) states.gathered = 2 * ceil_div(whole, max(1, scenario.model->layer_count()));
}

}  // namespace

DividedStates divide_states(const Scenario& scenario, const Shard& shard, const TrainingProfile& profile,
                            const TrainedParameters& trained) {
  const TrainingSettings& training = scenario.training;
  const Stored weights = shard_weights(scenario, shard);
  const Division division(scenario, trained.elements, trained.expert_elements);
  const auto share = [&](bool divided, Bytes bytes) { return divided ? division(bytes) : bytes; };
  const bool by_weights = divides_weights(training.sharding);
  const bool by_gradients = divides_gradients(training.sharding);
  const bool by_states = divides_states(training.sharding);

  DividedStates states;
  states.ranks = division.ranks();
  const Bytes whole =
      has_frozen_base(scenario.task) ? weights.bytes : trained_sizes(scenario, profile).weight * weights.elements;
  states.base = by_weights ? (has_frozen_base(scenario.task) ? ceil_div(whole, states.ranks) : division(whole)) : whole;
  const bool bitsandbytes =
      scenario.weights.scheme == WeightScheme::bnb4 || scenario.weights.scheme == WeightScheme::bnb8;
  if (has_frozen_base(scenario.task) && profile.upcasts_unquantised && bitsandbytes &&
      training.sharding != Sharding::fsdp) {
    states.upcast = 2 * unquantised_elements(scenario, shard);
  }
  states.added = share(by_weights, trained.added_weights);
  states.masters = share(by_states, trained.masters);
  states.states = share(by_states, trained.states);
  states.pageable_states = share(by_states, trained.pageable_states);
  states.step = share(by_states, trained.step);
  states.gradients = share(by_gradients, trained.gradients);
  states.head_gradients = share(by_gradients, trained.head_gradients);
  states.late_gradients = share(by_gradients, trained.late_gradients);
  if (is_zero(training.sharding) && trained.masters && !profile.main_gradients &&
      trained.gradients < 4 * trained.elements) {
    states.step_gradients = division(4 * trained.elements);
  }
  gather(scenario, shard, profile, whole, states);
  add_buckets(scenario, profile, trained, states);
  offload(scenario, states);
  return states;
}

}  // namespace vram
