// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions that libclc gets wrong at the limits of a type: from floating point to integers of 32 and 64 bits,
// saturated, and from integers to floating point in a chosen rounding. Compiled when a kernel calls one of them, and
// linked with it.

#define CONVERSION_WIDTH(n, to, from, mode)                                                                            \
  FUNCTION to##n convert_##to##n##mode(from##n x) {                                                                    \
    to##n r;                                                                                                           \
    AT_##n(OF_ONE, convert_##to##mode) return r;                                                                       \
  }
#define SATURATED(to, from, mode, rounding, least, most, below, above)                                                 \
  FUNCTION to convert_##to##_sat##mode(from x) {                                                                       \
    const from r = rounding(x);                                                                                        \
    return r != r ? 0 : r < (from)below ? least : r >= (from)above ? most : (to)r;                                     \
  }                                                                                                                    \
  WIDTHS(CONVERSION_WIDTH, to, from, _sat##mode)
#define ALL_SATURATED(to, from, least, most, below, above)                                                             \
  SATURATED(to, from, , trunc, least, most, below, above)                                                              \
  SATURATED(to, from, _rtz, trunc, least, most, below, above)                                                          \
  SATURATED(to, from, _rte, rint, least, most, below, above)                                                           \
  SATURATED(to, from, _rtp, ceil, least, most, below, above)                                                           \
  SATURATED(to, from, _rtn, floor, least, most, below, above)
#define FROM(from)                                                                                                     \
  ALL_SATURATED(int, from, INT_MIN, INT_MAX, -0x1p31, 0x1p31)                                                          \
  ALL_SATURATED(uint, from, 0, UINT_MAX, 0, 0x1p32)                                                                    \
  ALL_SATURATED(long, from, LONG_MIN, LONG_MAX, -0x1p63, 0x1p63)                                                       \
  ALL_SATURATED(ulong, from, 0, ULONG_MAX, 0, 0x1p64)
FROM(float)
FROM(double)

// The neighbour of the nearest number, if that is on the wrong side. `end`: the first number past the integer type.
#define ROUNDED(to, bits, from, end)                                                                                   \
  OWN bool above(to nearest, from x) { return nearest >= (to)end || (from)nearest > x; }                               \
  OWN bool below(to nearest, from x) { return nearest < (to)end && (from)nearest < x; }                                \
  FUNCTION to convert_##to##_rtn(from x) {                                                                             \
    const to nearest = (to)x;                                                                                          \
    return above(nearest, x) ? as_##to(as_##bits(nearest) + (nearest < 0 ? 1 : -1)) : nearest;                         \
  }                                                                                                                    \
  FUNCTION to convert_##to##_rtp(from x) {                                                                             \
    const to nearest = (to)x;                                                                                          \
    return below(nearest, x) ? as_##to(as_##bits(nearest) + (nearest < 0 ? -1 : 1)) : nearest;                         \
  }                                                                                                                    \
  FUNCTION to convert_##to##_rtz(from x) { return x < 0 ? convert_##to##_rtp(x) : convert_##to##_rtn(x); }             \
  WIDTHS(CONVERSION_WIDTH, to, from, _rtn)                                                                             \
  WIDTHS(CONVERSION_WIDTH, to, from, _rtp)                                                                             \
  WIDTHS(CONVERSION_WIDTH, to, from, _rtz)
ROUNDED(float, int, int, 0x1p31)
ROUNDED(float, int, uint, 0x1p32)
ROUNDED(float, int, long, 0x1p63)
ROUNDED(float, int, ulong, 0x1p64)
ROUNDED(double, long, long, 0x1p63)
ROUNDED(double, long, ulong, 0x1p64)
