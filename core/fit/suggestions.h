// What one changed field would bring, asked of the estimator and never guessed.
#pragma once

#include <vector>

#include "core/fit/evaluate.h"

namespace vram {

inline constexpr std::size_t kMostSuggestions = 6;

/// Changes of one field that make the job fit or save at least 5 % of the busiest GPU's need; best first: those that make
/// it fit, then the cheapest in speed and quality, then the largest saving. A field with steps (formats, context, batch,
/// users, cards) goes as far down as is needed to fit, otherwise one step. Where no single change is enough, pairs that are. More cards are proposed only where the job does
/// not fit.
std::vector<Suggestion> suggest(const Evaluation& evaluation, const Facts& facts);

}  // namespace vram
