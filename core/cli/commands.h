// The commands of `vram`. Streams are passed in, so that tests can drive them.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

namespace vram::cli {

/// Runs one command line (without the program's name); returns the exit status: 0 done, 1 the request or a file has a
/// fault, 2 the command line is wrong.
int run(std::span<const std::string_view> arguments, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace vram::cli
