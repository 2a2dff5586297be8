// "Measure it yourself": what to run for exactly this configuration, what to read, and what the next experiment adds.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/fit/evaluate.h"

namespace vram {

struct Recipe {
  std::string commands;     ///< for a shell, or a Python script of about twenty lines
  const char* read = "";    ///< what to read ("recipe.read.<id>"): buffers, startup, ollama, peak, driver
  const char* moment = "";  ///< when ("recipe.moment.<id>"): ready, third_step, longest_prompt
  struct Next {
    Field field = Field::context;
    std::uint64_t value = 0;
    Bytes adds;  ///< to the need of the busiest card
  };
  std::vector<Next> next;  ///< the experiments that usually follow: twice the context, batch or users, rank
};

Recipe recipe_for(const Evaluation& evaluation, const Facts& facts);
json::Value recipe_to_json(const Recipe& recipe);

/// A reference measurement in the form that tests/accuracy reads: one line for the issue "wrong estimate". `quantity` is
/// allocated, reserved, device or unspecified.
json::Value reference_measurement(const Request& request, std::string_view quantity, Bytes measured,
                                  std::string_view gpu);

}  // namespace vram
