#include <utility>

#include "core/scenario/resolve_steps.h"
#include "core/scenario/runtime_table.h"

namespace vram::steps {
namespace {

struct Degree {
  Field field;
  Count* value;
};

/// tensor * pipeline * context * data = number of GPUs; what the request leaves open is derived (api.md "Parallelism").
std::optional<Error> resolve_parallel(const Request& request, Count gpu_count, Scenario& scenario) {
  Parallel& parallel = scenario.parallel;
  parallel = {};
  const Degree degrees[] = {{Field::tensor_parallel, &parallel.tensor},
                            {Field::pipeline_parallel, &parallel.pipeline},
                            {Field::context_parallel, &parallel.context},
                            {Field::data_parallel, &parallel.data}};
  Count given = 1;
  bool any = false;
  std::string product;
  for (const Degree& degree : degrees) {
    if (!request.has(degree.field)) continue;
    *degree.value = request.integer(degree.field);
    given *= *degree.value;
    any = true;
    if (!product.empty()) product += " x ";
    product += row_of(degree.field).name;
  }
  parallel.expert = request.integer(Field::expert_parallel, 1);
  parallel.sequence = request.flag(Field::sequence_parallel);

  const Spread spread = is_training(scenario.task) ? Spread::data : runtime_row(scenario.runtime).spread;
  if (spread == Spread::layers && !any) {
    parallel.split_layers = gpu_count > Count(1);
    return std::nullopt;
  }
  if (given < gpu_count && gpu_count.value() % given.value() == 0) {
    const Count rest = gpu_count / given;
    if (spread == Spread::data && !request.has(Field::data_parallel)) {
      parallel.data = rest;
      given = gpu_count;
    } else if (spread == Spread::tensor && !request.has(Field::tensor_parallel)) {
      parallel.tensor = rest;
      given = gpu_count;
    } else if (spread == Spread::tensor && !request.has(Field::data_parallel)) {
      parallel.data = rest;
      given = gpu_count;
    }
  }
  if (given != gpu_count) {
    return conflict(Field::gpu_count, std::to_string(gpu_count.value()),
                    product + " = " + std::to_string(given.value()));
  }
  return std::nullopt;
}

Error not_divisible(std::uint64_t tensor, std::string_view part, std::uint64_t number) {
  return conflict(Field::tensor_parallel, std::to_string(tensor), std::string(part) + '=' + std::to_string(number));
}

/// Heads of keys and values are cut, or repeated where there are more GPUs than heads: one number divides the other.
bool shares_evenly(std::uint64_t heads, std::uint64_t tensor) {
  return heads == 0 || (heads >= tensor ? heads % tensor == 0 : tensor % heads == 0);
}

/// Tensor parallelism cuts attention heads and the feed-forward width; neither can be cut unevenly (vLLM's
/// ModelConfig.verify_with_parallel_config and divide(), F-9.4).
std::optional<Error> check_tensor(const Model& model, const Parallel& parallel) {
  const std::uint64_t tensor = parallel.tensor.value();
  for (const Layer& layer : model.kinds) {
    std::uint64_t heads = 0, kv_heads = 0, ffn = 0;
    if (const auto* attention = std::get_if<Attention>(&layer.mixer)) {
      heads = attention->heads.value();
      kv_heads = attention->kv_heads.value();
    }
    if (const auto* latent = std::get_if<LatentAttention>(&layer.mixer)) heads = latent->heads.value();
    if (const auto* mlp = std::get_if<Mlp>(&layer.feed_forward)) ffn = mlp->size.value();
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward); experts != nullptr) {
      if (parallel.expert <= Count(1)) ffn = experts->size.value();
    }
    if (heads % tensor != 0) return not_divisible(tensor, "heads", heads);
    if (!shares_evenly(kv_heads, tensor)) return not_divisible(tensor, "kv_heads", kv_heads);
    if (ffn % tensor != 0) return not_divisible(tensor, "ffn", ffn);
  }
  return std::nullopt;
}

std::optional<Error> check_divisible(const Scenario& scenario) {
  if (scenario.parallel.tensor > Count(1)) {
    if (auto error = check_tensor(*scenario.model, scenario.parallel)) return error;
  }
  const std::uint64_t stages = scenario.parallel.pipeline.value();
  if (stages > 1 && stages > scenario.model->layer_count()) {
    return conflict(Field::pipeline_parallel, std::to_string(stages),
                    "layers=" + std::to_string(scenario.model->layer_count()));
  }
  return std::nullopt;
}

Band screen_reserve(const Scenario& scenario, const ResolvedConstants& constants) {
  const bool windows = scenario.os == Os::windows;
  switch (scenario.display) {
    case Display::none: break;
    case Display::desktop:
      return constants.band(windows ? Constant::display_desktop_windows : Constant::display_desktop_linux);
    case Display::cad: return constants.band(Constant::display_cad);
    case Display::render: return constants.band(Constant::display_render);
  }
  return {};
}

/// What a card does not give to the job: the screen's part, the driver's, and on Windows at least the share that its
/// memory budget keeps back from one process (section 15). Unified memory has the system's part taken off already.
Band display_reserve(const Scenario& scenario, const GpuSlot& slot) {
  const ResolvedConstants& constants = *slot.constants;
  Band reserve = slot.drives_screen ? screen_reserve(scenario, constants) : Band{};
  if (slot.gpu->memory_kind == MemoryKind::unified) return reserve;
  if (scenario.os != Os::windows) return reserve + constants.band(Constant::driver_reserve);
  reserve += constants.band(Constant::os_reserve_windows);
  const Factor& budget = constants.factor(Constant::os_budget_windows);
  return max(reserve,
             {scaled(slot.usable, budget.low), scaled(slot.usable, budget.expected), scaled(slot.usable, budget.high)});
}

/// The screen hangs on the first card that has an output; a machine of cards without one shows it elsewhere.
std::size_t screen_card(std::span<const std::shared_ptr<const Gpu>> gpus) {
  std::size_t card = 0;
  while (card < gpus.size() && !gpus[card]->display_outputs) ++card;
  return card;
}

/// F-16.1: the engine's share with a floor, 2 % more where a desktop is attached; margin_percent replaces it.
Bytes margin_of(const Request& request, const GpuSlot& slot, const Scenario& scenario) {
  if (request.has(Field::margin_percent)) return scaled(slot.usable, request.number(Field::margin_percent) / 100);
  double share = slot.constants->factor(Constant::margin_share).expected;
  if (slot.drives_screen && scenario.display != Display::none) share += 0.02;
  return max(slot.constants->band(Constant::margin_floor).expected, scaled(slot.usable, share));
}

/// Constants depend on the card's generation alone once runtime and version are chosen; nullptr where no slot has them.
std::shared_ptr<const ResolvedConstants> constants_for(GpuGeneration generation, const std::vector<GpuSlot>& now,
                                                       const std::vector<GpuSlot>& before) {
  for (const std::vector<GpuSlot>* slots : {&now, &before}) {
    for (const GpuSlot& slot : *slots) {
      if (slot.gpu->generation == generation) return slot.constants;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Error> resolve_machine(const Request& request, const Facts& facts,
                                     std::span<const std::shared_ptr<const Gpu>> gpus, Scenario& scenario) {
  scenario.os = request.choice(Field::os, Os::linux_os);
  scenario.display = request.choice(Field::display, Display::none);
  scenario.mains = request.choice(Field::mains, Mains::v230_a16);
  scenario.checkpoints_kept = request.integer(Field::checkpoints_kept, 2);
  if (auto error = resolve_parallel(request, gpus.size(), scenario)) return error;
  if (auto error = check_divisible(scenario)) return error;

  // What a slot held before is of the same runtime and version: with_gpus() changes nothing but the cards.
  const std::vector<GpuSlot> before = std::exchange(scenario.gpus, {});
  scenario.gpus.reserve(gpus.size());
  const std::size_t screen = screen_card(gpus);
  for (const auto& gpu : gpus) {
    GpuSlot slot;
    slot.gpu = gpu;
    slot.usable = scenario.os == Os::windows && gpu->usable_windows ? gpu->usable_windows : gpu->usable;
    slot.drives_screen = scenario.gpus.size() == screen;
    slot.constants = constants_for(gpu->generation, scenario.gpus, before);
    if (slot.constants == nullptr) {
      slot.constants = std::make_shared<ResolvedConstants>(
          facts.constants.resolve(scenario.runtime, scenario.version, gpu->generation));
    }
    slot.display = display_reserve(scenario, slot);
    slot.margin = margin_of(request, slot, scenario);
    scenario.gpus.push_back(std::move(slot));
  }
  return std::nullopt;
}

}  // namespace vram::steps
