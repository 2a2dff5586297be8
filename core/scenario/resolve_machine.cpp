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

/// Tensor parallelism cuts attention heads; a head cannot be cut.
std::optional<Error> check_divisible(const Scenario& scenario) {
  const std::uint64_t tensor = scenario.parallel.tensor.value();
  if (tensor > 1) {
    for (const Layer& layer : scenario.model->kinds) {
      std::uint64_t heads = 0;
      if (const auto* attention = std::get_if<Attention>(&layer.mixer)) heads = attention->heads.value();
      if (const auto* latent = std::get_if<LatentAttention>(&layer.mixer)) heads = latent->heads.value();
      if (heads != 0 && heads % tensor != 0) {
        return conflict(Field::tensor_parallel, std::to_string(tensor),
                        "a divisor of " + std::to_string(heads) + " heads");
      }
    }
  }
  const std::uint64_t stages = scenario.parallel.pipeline.value();
  if (stages > 1 && stages > scenario.model->layer_count()) {
    return conflict(Field::pipeline_parallel, std::to_string(stages),
                    "at most " + std::to_string(scenario.model->layer_count()) + " layers");
  }
  return std::nullopt;
}

Band display_reserve(const Scenario& scenario, const ResolvedConstants& constants, bool drives_screen) {
  Band reserve{};
  const bool windows = scenario.os == Os::windows;
  if (windows) reserve += constants.band(Constant::os_reserve_windows);
  if (!drives_screen) return reserve;
  switch (scenario.display) {
    case Display::none: break;
    case Display::desktop:
      reserve += constants.band(windows ? Constant::display_desktop_windows : Constant::display_desktop_linux);
      break;
    case Display::cad: reserve += constants.band(Constant::display_cad); break;
    case Display::render: reserve += constants.band(Constant::display_render); break;
  }
  return reserve;
}

/// F-16.1: the engine's share with a floor, 2 % more where a desktop is attached; margin_percent replaces it.
Bytes margin_of(const Request& request, const GpuSlot& slot, bool drives_screen, const Scenario& scenario) {
  if (request.has(Field::margin_percent)) return scaled(slot.usable, request.number(Field::margin_percent) / 100);
  double share = slot.constants->factor(Constant::margin_share).expected;
  if (drives_screen && scenario.display != Display::none) share += 0.02;
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
  if (auto error = resolve_parallel(request, gpus.size(), scenario)) return error;
  if (auto error = check_divisible(scenario)) return error;

  // What a slot held before is of the same runtime and version: with_gpus() changes nothing but the cards.
  const std::vector<GpuSlot> before = std::exchange(scenario.gpus, {});
  scenario.gpus.reserve(gpus.size());
  for (const auto& gpu : gpus) {
    GpuSlot slot;
    slot.gpu = gpu;
    slot.usable = scenario.os == Os::windows && gpu->usable_windows ? gpu->usable_windows : gpu->usable;
    const bool drives_screen = scenario.gpus.empty();
    slot.constants = constants_for(gpu->generation, scenario.gpus, before);
    if (slot.constants == nullptr) {
      slot.constants = std::make_shared<ResolvedConstants>(
          facts.constants.resolve(scenario.runtime, scenario.version, gpu->generation));
    }
    slot.display = display_reserve(scenario, *slot.constants, drives_screen);
    slot.margin = margin_of(request, slot, drives_screen, scenario);
    scenario.gpus.push_back(std::move(slot));
  }
  return std::nullopt;
}

}  // namespace vram::steps
