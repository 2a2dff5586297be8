// Counts and byte sizes: 64-bit everywhere, also on wasm32 where size_t has 32 bits.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace vram {

/// An amount of elements, tokens, parameters or bytes. Arithmetic saturates at both ends instead of wrapping, so that an
/// absurd request yields an absurdly large answer and never a small, plausible one.
class Count {
 public:
  constexpr Count() = default;

  /// Negative values become 0.
  template <std::integral T>
  constexpr Count(T value) : value_(value < T{0} ? 0 : static_cast<std::uint64_t>(value)) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }
  [[nodiscard]] constexpr double as_double() const { return static_cast<double>(value_); }
  explicit constexpr operator bool() const { return value_ != 0; }

  static constexpr Count max() { return Count(std::numeric_limits<std::uint64_t>::max()); }
  [[nodiscard]] constexpr bool is_saturated() const { return *this == max(); }

  friend constexpr Count operator+(Count a, Count b) {
    const std::uint64_t sum = a.value_ + b.value_;
    return sum < a.value_ ? max() : Count(sum);
  }

  /// Never goes below 0.
  friend constexpr Count operator-(Count a, Count b) {
    return a.value_ < b.value_ ? Count() : Count(a.value_ - b.value_);
  }

  friend constexpr Count operator*(Count a, Count b) {
    if (((a.value_ | b.value_) >> 32U) == 0) return Count(a.value_ * b.value_);
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? max() : Count(product);
  }

  /// Rounds down; division by 0 gives 0, since "shared among nobody" costs nobody anything.
  friend constexpr Count operator/(Count a, Count b) { return b.value_ == 0 ? Count() : Count(a.value_ / b.value_); }

  constexpr Count& operator+=(Count other) { return *this = *this + other; }
  constexpr Count& operator-=(Count other) { return *this = *this - other; }
  constexpr Count& operator*=(Count other) { return *this = *this * other; }

  friend constexpr auto operator<=>(Count, Count) = default;

 private:
  std::uint64_t value_ = 0;
};

using Bytes = Count;

inline constexpr Bytes kKiB = 1024;
inline constexpr Bytes kMiB = 1024 * kKiB;
inline constexpr Bytes kGiB = 1024 * kMiB;

constexpr Count ceil_div(Count amount, Count parts) {
  return parts.value() == 0 ? Count() : amount / parts + Count(amount.value() % parts.value() != 0 ? 1 : 0);
}

/// The smallest multiple of `step` that holds `amount`.
constexpr Count pad(Count amount, Count step) { return ceil_div(amount, step) * step; }

constexpr Count min(Count a, Count b) { return a < b ? a : b; }
constexpr Count max(Count a, Count b) { return a < b ? b : a; }

/// The smallest power of two that is at least `amount`; 1 for 0.
constexpr Count next_power_of_two(Count amount) {
  std::uint64_t power = 1;
  while (power < amount.value() && power < (std::uint64_t{1} << 63U)) power <<= 1U;
  return power;
}

/// `amount` times a factor such as a band's width; saturates, negative factors give 0.
constexpr Count scaled(Count amount, double factor) {
  const double product = amount.as_double() * factor;
  if (!(product > 0)) return {};
  if (product >= 18446744073709551615.0) return Count::max();
  return static_cast<std::uint64_t>(product + 0.5);
}

/// amount * numerator / denominator without losing the high bits in between.
constexpr Count mul_div(Count amount, Count numerator, Count denominator) {
  if (denominator.value() == 0) return {};
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(amount.value()) * numerator.value();
  const Wide quotient = product / denominator.value();
  return quotient > std::numeric_limits<std::uint64_t>::max() ? Count::max()
                                                              : Count(static_cast<std::uint64_t>(quotient));
}

/// A best estimate with the interval that holds 90 % of real measurements of its kind.
struct Band {
  Bytes low, expected, high;

  static constexpr Band exact(Bytes bytes) { return {bytes, bytes, bytes}; }
  static constexpr Band around(Bytes bytes, double low_factor, double high_factor) {
    return {scaled(bytes, low_factor), bytes, scaled(bytes, high_factor)};
  }
  friend constexpr Band operator+(Band a, Band b) { return {a.low + b.low, a.expected + b.expected, a.high + b.high}; }
  constexpr Band& operator+=(Band other) { return *this = *this + other; }
  friend constexpr bool operator==(Band, Band) = default;
};

constexpr Band max(Band a, Band b) { return {max(a.low, b.low), max(a.expected, b.expected), max(a.high, b.high)}; }

}  // namespace vram
