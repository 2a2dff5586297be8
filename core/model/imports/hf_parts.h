// Parts of a catalogue entry read from config.json. Private to hf_config.cpp.
#pragma once

#include "core/model/imports/config_view.h"
#include "core/model/imports/families.h"

namespace vram::imports {

/// Layer patterns, state-space mixers, sliding windows.
void add_mixers(const ConfigView& config, const Family* family, json::Value& entry, std::vector<Assumption>& assumed);
/// Experts, shared experts and which layers have them.
void add_experts(const ConfigView& config, json::Value& entry, std::vector<Assumption>& assumed);
/// The vision tower and its projector; `top` is the whole file.
void add_vision(const ConfigView& top, const ConfigView& text, json::Value& entry, std::vector<Assumption>& assumed);

/// The class's defaults as an object.
json::Value defaults_of(std::string_view model_type);

/// Sets a number that is not 0.
inline void set_count(json::Value& entry, std::string_view key, Count value) {
  if (value) entry.replace(key, value);
}
/// The shortest piece that repeats to `letters`.
std::string shortest_period(std::string_view letters);

}  // namespace vram::imports
