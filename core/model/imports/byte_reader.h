// Reading the first bytes of a file of which more may follow: never past the end, never on a length's word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/result.h"

namespace vram::imports {

/// The most of a file that a reader asks for. Headers of the largest published models take a tenth of it.
inline constexpr std::uint64_t kMostHeader = std::uint64_t{64} << 20U;

/// The bytes given are the file's beginning and too few: ask again with at least `up_to` of them.
struct NeedMore {
  std::uint64_t up_to = 0;
};

/// What a reader makes of a file's beginning.
template <class T>
using Reading = std::variant<T, NeedMore, Error>;

/// "byte 1234": where a file is damaged, why, and what was expected there.
inline Error damaged(std::uint64_t offset, std::string got, std::string expected) {
  return {ErrorCode::damaged_file, "byte " + std::to_string(offset), std::move(got), std::move(expected), 0};
}

/// Little-endian numbers and texts from a file's beginning. After the first failure everything reads as zero or empty and
/// ok() is false; the caller returns failure().
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, std::uint64_t file_size) : bytes_(bytes), file_size_(file_size) {}

  [[nodiscard]] bool ok() const { return !need_ && !error_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }

  /// `length` bytes as they are; the view lives as long as the bytes given.
  std::string_view text(std::uint64_t length) {
    if (!take(length)) return {};
    const auto from = static_cast<std::size_t>(at_ - length);
    return {reinterpret_cast<const char*>(bytes_.data()) + from, static_cast<std::size_t>(length)};
  }
  void skip(std::uint64_t length) { (void)take(length); }

  void fail(std::string got, std::string expected) {
    if (ok()) error_ = damaged(at_, std::move(got), std::move(expected));
  }

  /// Why ok() is false.
  template <class T>
  [[nodiscard]] Reading<T> failure() const {
    if (error_) return *error_;
    return NeedMore{*need_};
  }

 private:
  std::uint64_t number(unsigned width) {
    if (!take(width)) return 0;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
      value |= std::uint64_t{bytes_[static_cast<std::size_t>(at_ - width + i)]} << (8U * i);
    }
    return value;
  }

  /// Moves past `length` bytes if they are there.
  bool take(std::uint64_t length) {
    if (!ok()) return false;
    if (length > file_size_ || at_ > file_size_ - length) {
      fail("the file's end", std::to_string(length) + " more bytes");
      return false;
    }
    const std::uint64_t end = at_ + length;
    if (end > kMostHeader) {
      fail(std::to_string(end) + " bytes", "a header within " + std::to_string(kMostHeader) + " bytes");
      return false;
    }
    if (end > bytes_.size()) {
      need_ = end;
      return false;
    }
    at_ = end;
    return true;
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t file_size_;
  std::uint64_t at_ = 0;
  std::optional<std::uint64_t> need_;
  std::optional<Error> error_;
};

}  // namespace vram::imports
