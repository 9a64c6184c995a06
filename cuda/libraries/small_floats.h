// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 16 bits: IEEE 754's binary16, and bfloat16; and of 8 bits (OCP 8-bit Floating Point
// Specification, table 1).
#pragma once

#include <algorithm>
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

struct Float8 {
  int fraction, bias;    // bits; what is added to exponents
  float largest;         // finite
  std::uint8_t greatest; // its bits
};
inline constexpr Float8 kE4M3{3, 7, 448, 0x7e}, kE5M2{2, 15, 57344, 0x7b};
inline float of_float8(std::uint8_t bits, const Float8& format) {
  const int size = bits & 0x7f;
  if (size > format.greatest) // E4M3 has no infinity
    return format.fraction == 2 && size == 0x7c ? (bits & 0x80 ? -INFINITY : INFINITY) : NAN;
  const int exponent = size >> format.fraction, fraction = size & ((1 << format.fraction) - 1);
  const float value =
      exponent ? std::ldexp(static_cast<float>(fraction + (1 << format.fraction)),
                            exponent - format.bias - format.fraction)
               : std::ldexp(static_cast<float>(fraction), 1 - format.bias - format.fraction);
  return bits & 0x80 ? -value : value;
}
// Rounds to nearest, ties to even. What is too large becomes the largest finite number.
inline std::uint8_t float8_of(float value, const Float8& format) {
  const int sign = std::signbit(value) ? 0x80 : 0;
  const float size = std::fabs(value);
  if (std::isnan(value))
    return 0x7f;
  if (size >= format.largest)
    return static_cast<std::uint8_t>(sign | format.greatest);
  const int least = 1 - format.bias;
  const int exponent = size == 0 ? least : std::max(least, std::ilogb(size));
  // A fraction that rounds up to the next power of two carries into the exponent.
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(size, format.fraction - exponent)));
  const int bits = ((exponent - least) << format.fraction) + steps;
  return static_cast<std::uint8_t>(sign | std::min<int>(bits, format.greatest));
}

} // namespace gputest::cuda::libraries
