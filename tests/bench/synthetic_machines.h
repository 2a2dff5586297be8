// A large shop's catalogue, made from the shipped one.
#pragma once

#include <cstddef>

#include "core/fit/evaluate.h"

namespace vram::bench {

/// The catalogue with up to `count` machines in place of its own: every shipped machine with each of the shipped machines'
/// cards, 1 to 8 of them, with as much RAM as they ask for, or more. All keep the rules of check_machine().
Catalog with_machines(const Catalog& shipped, std::size_t count);

}  // namespace vram::bench
