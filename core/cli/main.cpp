// vram: the calculator on the command line. Reading arguments and files happens here and nowhere else.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/commands.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  return vram::cli::run(arguments, std::cin, std::cout, std::cerr);
}
