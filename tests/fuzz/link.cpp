// Any text as a page's link: what is kept must come back from the link written of it.
#include <cstdint>
#include <cstdlib>

#include "core/scenario/link.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const vram::LinkReading reading = vram::request_from_link({reinterpret_cast<const char*>(data), size});
  const std::string link = vram::request_to_link(reading.request);
  if (link.size() < 65536 && !(vram::request_from_link(link).request == reading.request)) std::abort();
  return 0;
}
