#include "core/fit/verdict.h"

namespace vram {

Verdict verdict_of(const Band& need, const Band& display, Bytes margin, Bytes usable) {
  if (need.high + display.high + margin <= usable) return Verdict::comfortable;
  if (need.expected + display.expected + margin <= usable) return Verdict::fits;
  return need.expected + display.expected <= usable ? Verdict::tight : Verdict::no;
}

}  // namespace vram
