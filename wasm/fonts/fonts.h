// Inter as OpenType files, compiled in: the page's characters only, digits of one width (see the script `subset`).
// Hand them to ImFontAtlas::AddFontFromMemoryTTF with FontDataOwnedByAtlas = false: they live as long as the program.
#pragma once

#include <span>

namespace vram::fonts {

std::span<const unsigned char> inter_regular();
std::span<const unsigned char> inter_semibold();

}  // namespace vram::fonts
