#include "core/memory/ledger.h"

#include <catch2/catch_test_macros.hpp>

using namespace vram;

namespace {

DeviceLedger sample() {
  DeviceLedger device;
  device.gpus = {0};
  const auto add = [&](Group group, Level level, Phases phases, Band bytes) {
    Item item;
    item.group = group;
    item.level = level;
    item.phases = phases;
    item.bytes = bytes;
    device.items.push_back(item);
  };
  add(Group::weights, Level::allocated, kTrainingStep, Band::exact(100));
  add(Group::activations, Level::allocated, {Phase::forward, Phase::loss}, {40, 50, 60});
  add(Group::logits, Level::allocated, Phase::loss, Band::exact(30));
  add(Group::temporary, Level::allocated, Phase::optimizer_step, {70, 75, 200});
  add(Group::fragmentation, Level::reserved, kTrainingStep, {1, 2, 3});
  add(Group::cached, Level::reserved, kTrainingStep, {0, 20, 40});
  add(Group::runtime, Level::device, kTrainingStep, {5, 6, 7});
  return device;
}

}  // namespace

TEST_CASE("items of a level sum to its total within a phase", "[memory][ledger]") {
  const Memory loss = memory_in_phase(sample(), Phase::loss);
  CHECK(loss.allocated == Band{170, 180, 190});
  CHECK(loss.reserved == Band{171, 202, 233});
  CHECK(loss.device == Band{176, 208, 240});
  CHECK(loss.need == Band{176, 188, 200});
}

TEST_CASE("the peak is the largest phase, each end at its own", "[memory][ledger]") {
  const DeviceLedger device = sample();
  CHECK(peak_phase(device) == Phase::loss);
  const Memory peak = peak_memory(device);
  CHECK(peak.allocated == Band{170, 180, 300});
  CHECK(phases_of(device) == kTrainingStep);
}

TEST_CASE("of phases that need the same the earliest is the peak", "[memory][ledger]") {
  DeviceLedger device;
  for (const Phase phase : {Phase::optimizer_step, Phase::backward, Phase::forward}) {
    Item item;
    item.phases = phase;
    item.bytes = Band::exact(phase == Phase::forward ? 9 : 10);
    device.items.push_back(item);
  }
  CHECK(peak_phase(device) == Phase::backward);
}

TEST_CASE("an empty ledger needs nothing", "[memory][ledger]") {
  const DeviceLedger device;
  CHECK(peak_memory(device).need.expected == Bytes(0));
  CHECK(peak_phase(device) == Phase::load);
}

TEST_CASE("terms beyond the capacity are dropped, never written past it", "[memory][ledger]") {
  const Terms terms = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}, {"f", 6}, {"g", 7}, {"h", 8}, {"i", 9}};
  CHECK(terms.size == Terms::kCapacity);
  CHECK((terms.end() - 1)->value == 8);
}
