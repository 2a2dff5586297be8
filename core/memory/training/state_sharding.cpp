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

void gather(const Scenario& scenario, const StageWeights& stage, const TrainingProfile& profile, Bytes whole,
            DividedStates& states) {
  const TrainingSettings& training = scenario.training;
  if (states.ranks == Count(1) || !divides_weights(training.sharding)) return;
  const bool plain = scenario.weights.scheme == WeightScheme::plain;
  const auto bytes_of_unit = [&](Stored unit) { return plain ? training.compute_bytes * unit.elements : unit.bytes; };
  if (training.sharding == Sharding::zero3) {
    const Count live = min(kMaxLiveElements, max(stage.layer.elements, stage.root.elements));
    states.gathered = 2 * min(live + kPrefetchElements, stage.all.elements);
    return;
  }
  if (has_frozen_base(scenario.task)) {
    states.gathered = bytes_of_unit(stage.layer) + (profile.keeps_frozen_gathered ? whole : bytes_of_unit(stage.root));
    return;
  }
  states.gathered = 2 * bytes_of_unit(stage.layer) + bytes_of_unit(stage.root);
  const Count reduced = profile.reduces_in_fp32 ? 4 : 0;
  states.gathered_gradients = (training.compute_bytes + reduced) * stage.layer.elements;
  states.root_gradients = training.compute_bytes * stage.root.elements;
  states.root_reduction = reduced * stage.root.elements;
}

void add_buckets(const Scenario& scenario, const TrainingProfile& profile, const TrainedParameters& trained,
                 DividedStates& states) {
  const Sharding sharding = scenario.training.sharding;
  if (states.ranks == Count(1) && !is_zero(sharding)) return;  // DeepSpeed's engine fills its buckets alone as well
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

DividedStates divide_states(const Scenario& scenario, const TrainingProfile& profile, const StageWeights& stage,
                            const TrainedParameters& trained) {
  const TrainingSettings& training = scenario.training;
  const Division division(scenario, trained.elements, trained.expert_elements);
  const auto share = [&](bool divided, Bytes bytes) { return divided ? division(bytes) : bytes; };
  const bool by_weights = divides_weights(training.sharding);
  const bool by_gradients = divides_gradients(training.sharding);
  const bool by_states = divides_states(training.sharding);

  DividedStates states;
  states.ranks = division.ranks();
  const Bytes whole =
      has_frozen_base(scenario.task) ? stage.all.bytes : trained_sizes(scenario, profile).weight * stage.all.elements;
  states.base = by_weights ? (has_frozen_base(scenario.task) ? ceil_div(whole, states.ranks) : division(whole)) : whole;
  if (training.kbit_upcast) states.upcast = 2 * stage.unquantised_elements();
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
  gather(scenario, stage, profile, whole, states);
  add_buckets(scenario, profile, trained, states);
  offload(scenario, states);
  return states;
}

}  // namespace vram
