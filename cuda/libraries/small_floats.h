// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 16 bits: IEEE 754's binary16, and bfloat16.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace gputest::cuda::libraries {

inline float of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(static_cast<float>(fraction + 1024), exponent - 25)
                                    : std::ldexp(static_cast<float>(fraction), -24);
  return bits & 0x8000 ? -size : size;
}
// Rounds to nearest, ties to even.
inline std::uint16_t half_of(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const float size = std::fabs(value);
  if (std::isnan(value))
    return 0x7fff;
  if (size >= 65520.0F)
    return sign | 0x7c00;
  if (size < 0x1p-14F)
    return static_cast<std::uint16_t>(sign |
                                      static_cast<int>(std::nearbyint(std::ldexp(size, 24))));
  int exponent = 0;
  const float fraction = std::frexp(size, &exponent); // 0.5 <= fraction < 1
  const int rounded = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11))); // 1024 to 2048
  return static_cast<std::uint16_t>(sign | (((exponent + 13) << 10) + rounded));
}
inline float of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
inline std::uint16_t bfloat16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value))
    return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

} // namespace gputest::cuda::libraries
