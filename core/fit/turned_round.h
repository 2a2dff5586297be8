// The question turned round: what fits on these cards, and on what does this job fit. Every answer is asked of the
// estimator; there is no second formula.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fit/evaluate.h"

namespace vram {

/// The largest value of a field with which the job fits.
struct LargestValue {
  Field field = Field::context;
  std::uint64_t value = 0;  ///< 0: not even the smallest fits
  const char* limit = "";   ///< "memory", "trained" (the model knows no longer context) or "range" (the field's end)
  Group grows = Group::kv_cache;  ///< what takes most of the memory that a larger value would need
};

/// A catalogue model under the job's other settings.
struct ModelFit {
  std::shared_ptr<const Model> model;
  Verdict verdict = Verdict::no;
  Bytes need, usable;           ///< of the busiest card, display and margin included
  Group most = Group::weights;  ///< what takes most of it
  std::string weights;          ///< the storage format it was asked in
};

/// The fields that can be turned round for this job: context, batch or users, rank, image edge.
std::vector<Field> turnable_fields(const Scenario& scenario);

/// By bisection: on one card memory never falls as one of these fields grows (tests/core/properties.tests.cpp). Where whole
/// layers are shared out over several cards a value in between may fall out worse; the answer then fits and the next value
/// does not. An image's edge stands for both edges. `evaluation` is the job on its own cards; nullopt when the field means nothing for it.
std::optional<LargestValue> largest_value(const Evaluation& evaluation, const Facts& facts, Field field);

/// The storage format of at most 16 bits with the most bits per weight with which the job fits; empty when none does.
std::string best_weights(const Evaluation& evaluation, const Facts& facts);

/// The models of the catalogue from index `first` on, at most `count` of them, put to the job on its own cards, those that
/// fit alone. A whole catalogue takes several frames: call it piece by piece until `first` reaches its end.
std::vector<ModelFit> models_that_fit(const Evaluation& evaluation, const Facts& facts, std::size_t first,
                                      std::size_t count);
/// The largest first, by parameters; at most `most` of them.
void keep_largest(std::vector<ModelFit>& models, std::size_t most);

/// The smallest tier and machine on which the evaluated job fits; nullptr where there is none.
const TierFit* smallest_tier(const Evaluation& evaluation);
const ConfigurationFit* smallest_machine(const Evaluation& evaluation);

}  // namespace vram
