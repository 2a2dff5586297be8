// Any text as a pasted log.
#include <cstdint>
#include <cstdlib>

#include "core/report/measured/read_log.h"
#include "core/scenario/request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vram::measured;
  const LogReading reading = read_log({reinterpret_cast<const char*>(data), size});
  if (reading.measurements.size() > kQuantityNames.size()) std::abort();
  vram::Request request;
  for (const Setting& setting : reading.settings) {
    (void)vram::set_from_text(request, vram::row_of(setting.field).name, setting.value);
  }
  return 0;
}
