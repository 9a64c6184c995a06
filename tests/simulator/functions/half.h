// Numbers of 16 bits, for tests: values of bits, and the rounding of exact values by looking at all
// of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gputest::simulator::tests {

inline double value_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double mantissa = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31)
    return mantissa != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

// The bits of a positive or zero value in a rounding, "_rte", "_rtz", "_rtp" or "_rtn", for `Exact`
// that can be compared with, subtracted from and doubled. `scale`: 1.0 in Exact.
template <typename Exact>
std::uint16_t half_of_magnitude(Exact value, Exact unit, bool up, bool nearest) {
  // `unit` is 2^-24, the smallest half, so each half is a whole number of units.
  const auto units = [&](std::uint16_t bits) {
    const int exponent = bits >> 10;
    const Exact whole = unit * static_cast<Exact>((bits & 1023) + (exponent ? 1024 : 0));
    Exact result = whole;
    for (int i = 1; i < exponent; ++i)
      result = result + result;
    return result;
  };
  std::uint16_t low = 0, high = 0x7c00; // the latter would be 65536
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (units(middle) <= value ? low : high) = middle;
  }
  const Exact below = units(low);
  if (value >= units(0x7c00))
    return nearest || up ? 0x7c00 : 0x7bff;
  if (below == value)
    return low;
  if (!nearest)
    return up ? high : low;
  const Exact to_low = value - below, to_high = units(high) - value;
  return to_low < to_high || (to_low == to_high && low % 2 == 0) ? low : high;
}

template <typename Exact>
std::uint16_t half_of(Exact value, Exact unit, bool negative,
                      const std::string& rounding = "_rte") {
  const bool up = rounding == (negative ? "_rtn" : "_rtp");
  const std::uint16_t bits =
      half_of_magnitude(value, unit, up, rounding == "_rte" || rounding.empty());
  return static_cast<std::uint16_t>(bits | (negative ? 0x8000 : 0));
}

inline std::uint16_t half_of(double value, const std::string& rounding = "_rte") {
  if (std::isnan(value))
    return 0x7e00;
  if (std::isinf(value))
    return value < 0 ? 0xfc00 : 0x7c00;
  return half_of<double>(std::abs(value), std::ldexp(1, -24), std::signbit(value), rounding);
}

inline bool is_nan(std::uint16_t bits) {
  return (bits & 0x7fff) > 0x7c00;
}

// A distance in steps of half, 0 for two NaN.
inline int steps_between(std::uint16_t left, std::uint16_t right) {
  const auto number = [](std::uint16_t bits) { return bits >> 15 ? -(bits & 0x7fff) : bits; };
  const bool nan = is_nan(left), other = is_nan(right);
  return nan || other ? (nan && other ? 0 : 1 << 20) : std::abs(number(left) - number(right));
}

// Zeros, the least, the largest, infinities, NaN, halves around each power of two, and some of all.
inline std::vector<std::uint16_t> some_halves(unsigned step) {
  std::vector<std::uint16_t> all{0,      0x8000, 1,      0x8001, 0x3ff,
                                 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00};
  for (unsigned power = 1; power < 31; power += step > 500 ? 3 : 1)
    for (const unsigned by : {0u, 1u, 0x1ffu, 0x200u, 0x201u, 0x3ffu})
      for (const unsigned sign : {0u, 0x8000u})
        all.push_back(static_cast<std::uint16_t>(sign | power << 10 | by));
  for (unsigned bits = 7; bits < 0x7c00; bits += step)
    for (const unsigned sign : {0u, 0x8000u})
      all.push_back(static_cast<std::uint16_t>(bits | sign));
  return all;
}

} // namespace gputest::simulator::tests
