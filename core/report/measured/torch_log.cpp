// PyTorch's out-of-memory text (c10/cuda/CUDACachingAllocator.cpp) and torch.cuda.memory_summary() (torch/cuda/memory.py).
#include "core/report/measured/log_parts.h"
#include "core/report/measured/log_text.h"

namespace vram::measured {
namespace {

/// The bytes in front of `mark`: "20.34 GiB is allocated by PyTorch".
std::optional<Bytes> before(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view head = text.substr(0, at);
  while (head.ends_with(' ')) head.remove_suffix(1);
  const std::size_t unit = head.find_last_of(' ');
  if (unit == std::string_view::npos || unit == 0) return std::nullopt;
  const std::size_t number = head.find_last_of(" (", unit - 1);
  return leading_bytes(head.substr(number == std::string_view::npos ? 0 : number + 1));
}

void read_failure(std::string_view text, LogReading& reading) {
  const auto tried = after(text, "Tried to allocate ");
  if (!tried) return;
  const auto asked = leading_bytes(*tried);
  // Older texts: "20.02 GiB already allocated; ... 21.05 GiB reserved in total by PyTorch".
  auto allocated = before(*tried, "is allocated by PyTorch");
  if (!allocated) allocated = before(*tried, "already allocated");
  auto reserved = before(*tried, "reserved in total by PyTorch");
  if (const auto idle = before(*tried, "is reserved by PyTorch but unallocated"); idle && allocated) {
    reserved = *allocated + *idle;
  }
  if (!allocated || !asked) return;
  reading.sources.push_back(Source::torch_oom);
  reading.measure(Quantity::failed, *allocated + *asked);
  if (reserved) reading.measure(Quantity::reserved, *reserved);
  if (const auto device = before(*tried, "memory in use")) reading.measure(Quantity::device, *device);
  if (const auto card = after(*tried, "total capacity of ")) {
    reading.card = leading_bytes(*card).value_or(Bytes());
  } else if (const auto capacity = before(*tried, "total capacity")) {
    reading.card = *capacity;
  }
}

/// The second column of a row: "| Allocated memory |  1024 MiB |  20345 MiB |" -> its peak.
std::optional<Bytes> peak_of(std::string_view line) {
  for (int column = 0; column < 3; ++column) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) return std::nullopt;
    line.remove_prefix(bar + 1);
  }
  return leading_bytes(trimmed(line));
}

}  // namespace

void read_torch(std::string_view text, LogReading& reading) {
  read_failure(text, reading);
  if (!holds(text, "CUDA memory summary")) return;
  bool found = false;
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view row = trimmed(line);
    const bool allocated = row.starts_with("| Allocated memory"), reserved = row.starts_with("| GPU reserved memory");
    const auto peak = allocated || reserved ? peak_of(row) : std::nullopt;
    if (!peak) continue;
    found = true;
    reading.measure(allocated ? Quantity::allocated : Quantity::reserved, *peak);
  }
  if (found) reading.sources.push_back(Source::torch_summary);
}

}  // namespace vram::measured
