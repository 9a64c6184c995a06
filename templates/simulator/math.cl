// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that libclc gets wrong for some numbers: denormals, negative zeros, results near the limits. Compiled when
// a kernel calls one of them, and linked with it. gputest_library_<name> is libclc's function (ir/builtins.cpp).

#define KEEPS_ZERO(name)                                                                                               \
  FUNCTION double gputest_library_##name(double x);                                                                    \
  FUNCTION double name(double x) { return x == 0 ? x : gputest_library_##name(x); }                                    \
  VECTORS_OF_ONE(double, name, double)
KEEPS_ZERO(sin)
KEEPS_ZERO(tan)
KEEPS_ZERO(atan)
KEEPS_ZERO(atanpi)
KEEPS_ZERO(expm1)
KEEPS_ZERO(erf)

#define BY_DOUBLE(name, of_double, other)                                                                              \
  FUNCTION float name(float x, other y) { return (float)of_double((double)x, y); }                                     \
  VECTORS_OF_TWO(float, name, float, other)

FUNCTION double gputest_library_fmod(double x, double y);
// libclc's is wrong near the limits.
OWN double gputest_fmod_scaled(double x, double y) { return gputest_library_fmod(x * 0x1p-60, y * 0x1p-60) * 0x1p60; }
OWN double gputest_fmod(double x, double y) {
  if (!(fabs(x) > 0x1p1000) || isinf(x) || isinf(y))
    return gputest_library_fmod(x, y);
  if (fabs(y) > 0x1p-900)
    return gputest_fmod_scaled(x, y);
  return gputest_library_fmod(gputest_fmod_scaled(x, y * 0x1p1000), y);
}
FUNCTION double fmod(double x, double y) { return gputest_fmod(x, y); }
VECTORS_OF_TWO(double, fmod, double, double)
BY_DOUBLE(fmod, gputest_fmod, float)
FUNCTION double gputest_library_rootn(double x, int n);
BY_DOUBLE(rootn, gputest_library_rootn, int)

// `quotient`: its lowest 7 bits.
OWN double gputest_remainder(double x, double y, int *quotient) {
  const double size = fabs(y);
  *quotient = 0;
  if (x != x || y != y || isinf(x) || y == 0)
    return NAN;
  if (isinf(y))
    return x;
  double rest = 128 * size < INFINITY ? gputest_fmod(fabs(x), 128 * size) : fabs(x);
  int whole = 0;
  for (int bit = 64; bit; bit /= 2)
    if (rest >= size * bit) {
      rest -= size * bit;
      whole |= bit;
    }
  if (rest > size - rest || (rest == size - rest && whole & 1)) {
    rest -= size;
    ++whole;
  }
  *quotient = x < 0 != y < 0 ? -(whole & 127) : whole & 127;
  return rest == 0 ? copysign(0.0, x) : x < 0 ? -rest : rest;
}
OWN double gputest_rest(double x, double y) {
  int quotient;
  return gputest_remainder(x, y, &quotient);
}
FUNCTION double remainder(double x, double y) { return gputest_rest(x, y); }
VECTORS_OF_TWO(double, remainder, double, double)
BY_DOUBLE(remainder, gputest_rest, float)

FUNCTION float ldexp(float x, int n) { return (float)((double)x * as_double((ulong)(clamp(n, -400, 400) + 1023) << 52)); }
// In steps, of which only the last one rounds.
FUNCTION double ldexp(double x, int n) {
  for (int step = 0; step < 2; ++step)
    if (n > 1023)
      x *= 0x1p1023, n -= 1023;
    else if (n < -1022)
      x *= 0x1p-969, n += 969;
  return x * as_double((ulong)(clamp(n, -1022, 1023) + 1023) << 52);
}
#define LDEXP(n, type)                                                                                                 \
  FUNCTION type##n ldexp(type##n x, int y) { return ldexp(x, (int##n)y); }
VECTORS_OF_TWO(float, ldexp, float, int)
VECTORS_OF_TWO(double, ldexp, double, int)
WIDTHS(LDEXP, float)
WIDTHS(LDEXP, double)

#define TANPI(type)                                                                                                    \
  FUNCTION type gputest_library_tanpi(type x);                                                                         \
  FUNCTION type tanpi(type x) {                                                                                        \
    const type half_way = x * (type)0.5;                                                                               \
    return isinf(x) || x != floor(x) ? gputest_library_tanpi(x)                                                        \
                                     : copysign((type)0, half_way == floor(half_way) ? x : -x);                        \
  }                                                                                                                    \
  VECTORS_OF_ONE(type, tanpi, type)
TANPI(float)
TANPI(double)

#define NEXT(type)                                                                                                     \
  FUNCTION type gputest_library_nextafter(type x, type y);                                                             \
  FUNCTION type nextafter(type x, type y) {                                                                            \
    const type next = gputest_library_nextafter(x, y);                                                                 \
    return x == y ? y : next == 0 ? copysign(next, x) : next;                                                          \
  }                                                                                                                    \
  VECTORS_OF_TWO(type, nextafter, type, type)
NEXT(float)
NEXT(double)

FUNCTION double nan(ulong code) { return as_double(code & 0xfffffffffffffUL | 0x7ff8000000000000UL); }
VECTORS_OF_ONE(double, nan, ulong)

#define FRACTION(x, most) x != x ? x : isinf(x) || x == 0 ? copysign((__typeof__(x))0, x) : fmin(x - floor(x), most)
FUNCTION float gputest_fraction(float x) { return FRACTION(x, 0x1.fffffep-1f); }
FUNCTION double gputest_fraction(double x) { return FRACTION(x, 0x1.fffffffffffffp-1); }
VECTORS_OF_ONE(float, gputest_fraction, float)
VECTORS_OF_ONE(double, gputest_fraction, double)

FUNCTION float gputest_library_lgamma(float x);
OWN float gputest_lgamma(float x, float library) {
  return isinf(x) ? INFINITY : fabs(x) < 0x1p-40f ? -log(fabs(x)) : library;
}
FUNCTION float lgamma(float x) { return gputest_lgamma(x, gputest_library_lgamma(x)); }
VECTORS_OF_ONE(float, lgamma, float)
VECTORS_OF_TWO(float, gputest_lgamma, float, float)

FUNCTION double gputest_library_lgamma(double x);
OWN bool gputest_odd(double whole) { return whole * 0.5 != floor(whole * 0.5); }
// The product of whole steps between x and a number from 1 to 2, as the sum of two numbers.
FUNCTION double tgamma(double x) {
  if (x == 0)
    return copysign((double)INFINITY, x);
  if (x != x || (x < 0 && x == floor(x)))
    return NAN;
  if (fabs(x) < 0x1p-60)
    return 1 / x;
  if (x > 172)
    return INFINITY;
  if (x < -190)
    return gputest_odd(floor(x)) ? -0.0 : 0.0;
  const bool divides = x < 1;
  double high = divides ? 0x1p-200 : 0x1p-10, low = 0;
  while (x < 1 || x > 2) {
    x -= divides ? 0 : 1;
    const double product = high * x, error = fma(high, x, -product) + low * x;
    high = product + error;
    low = error - (high - product);
    x += divides ? 1 : 0;
  }
  const double base = exp(gputest_library_lgamma(x));
  return divides ? base / high * (1 - low / high) * 0x1p-200 : (base * high + base * low) * 0x1p10;
}
VECTORS_OF_ONE(double, tgamma, double)
FUNCTION float tgamma(float x) { return (float)tgamma((double)x); }
VECTORS_OF_ONE(float, tgamma, float)

// Functions with a second result.
#define SECOND(space, type)                                                                                            \
  SECOND_WIDTH(, space, type)                                                                                          \
  SECOND_WIDTH(2, space, type)                                                                                         \
  SECOND_WIDTH(3, space, type)                                                                                         \
  SECOND_WIDTH(4, space, type)                                                                                         \
  SECOND_WIDTH(8, space, type)                                                                                         \
  SECOND_WIDTH(16, space, type)
#define SECOND_WIDTH(n, space, type)                                                                                   \
  FUNCTION type##n fract(type##n x, space type##n *whole) {                                                            \
    *whole = floor(x);                                                                                                 \
    return gputest_fraction(x);                                                                                        \
  }
SPACES(SECOND, float)
SPACES(SECOND, double)

#define SINCOS(n, space)                                                                                               \
  FUNCTION double##n sincos(double##n x, space double##n *cosine) {                                                    \
    *cosine = cos(x);                                                                                                  \
    return sin(x);                                                                                                     \
  }
#define SINCOSES(space, unused)                                                                                        \
  SINCOS(, space) SINCOS(2, space) SINCOS(3, space) SINCOS(4, space) SINCOS(8, space) SINCOS(16, space)
SPACES(SINCOSES, )

#define REMQUO_AT(i, type)                                                                                             \
  r.s##i = (type)gputest_remainder(x.s##i, y.s##i, &q);                                                                \
  all.s##i = q;
#define REMQUO_WIDTH(n, space, type)                                                                                   \
  FUNCTION type##n remquo(type##n x, type##n y, space int##n *quotient) {                                              \
    type##n r;                                                                                                         \
    int##n all;                                                                                                        \
    int q;                                                                                                             \
    AT_##n(REMQUO_AT, type) *quotient = all;                                                                           \
    return r;                                                                                                          \
  }
#define REMQUO(space, type)                                                                                            \
  FUNCTION type remquo(type x, type y, space int *quotient) {                                                          \
    int q;                                                                                                             \
    const type r = (type)gputest_remainder(x, y, &q);                                                                  \
    *quotient = q;                                                                                                     \
    return r;                                                                                                          \
  }                                                                                                                    \
  WIDTHS(REMQUO_WIDTH, space, type)
SPACES(REMQUO, float)
SPACES(REMQUO, double)

#define LGAMMA_R(n, space)                                                                                             \
  FUNCTION float##n gputest_library_lgamma_r(float##n x, space int##n *sign);                                          \
  FUNCTION float##n lgamma_r(float##n x, space int##n *sign) {                                                         \
    const float##n r = gputest_library_lgamma_r(x, sign);                                                              \
    return gputest_lgamma(x, r);                                                                                       \
  }
#define LGAMMAS(space, unused)                                                                                         \
  LGAMMA_R(, space) LGAMMA_R(2, space) LGAMMA_R(3, space) LGAMMA_R(4, space) LGAMMA_R(8, space) LGAMMA_R(16, space)
SPACES(LGAMMAS, )

// Saturated sums.
#define SUB_SAT(type, bits, least, most)                                                                               \
  FUNCTION type sub_sat(type x, type y) {                                                                              \
    const type r = (type)((bits)x - (bits)y);                                                                          \
    return ((x ^ y) & (x ^ r)) < 0 ? x < 0 ? least : most : r;                                                         \
  }                                                                                                                    \
  VECTORS_OF_TWO(type, sub_sat, type, type)
SUB_SAT(int, uint, INT_MIN, INT_MAX)
SUB_SAT(long, ulong, LONG_MIN, LONG_MAX)
FUNCTION long mad_sat(long x, long y, long z) {
  const ulong low = (ulong)x * (ulong)y + (ulong)z;
  const long high = mul_hi(x, y) + (z >> 63) + (low < (ulong)z);
  return high == (long)low >> 63 ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
VECTORS_OF_THREE(long, mad_sat, long)

// libclc lacks these.
#define SMOOTHSTEP(n, unused)                                                                                          \
  FUNCTION double##n smoothstep(double##n from, double##n to, double##n x);                                            \
  FUNCTION double##n smoothstep(double from, double to, double##n x) {                                                 \
    return smoothstep((double##n)from, (double##n)to, x);                                                              \
  }
WIDTHS(SMOOTHSTEP, )
