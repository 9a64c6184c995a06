// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cl_khr_fp16, which libclc lacks: computed as float and rounded once, or exactly. Compiled when
// a kernel calls one of them with half numbers, and linked with it.

#define ALL_WIDTHS(DO, ...) DO(, __VA_ARGS__) WIDTHS(DO, __VA_ARGS__)
#define IN_SPACES(n, DO) SPACES(DO, n)
#define IN_CONSTANT(n, DO) DO(constant, n)

OWN float wide(half x) { return (float)x; }
OWN half narrow(float x) { return (half)x; }
#define WIDE(n, unused)                                                                                                \
  OWN float##n wide(half##n x) { return __builtin_convertvector(x, float##n); }                                        \
  OWN half##n narrow(float##n x) { return __builtin_convertvector(x, half##n); }
WIDTHS(WIDE, )

// Functions of other types by names of our own: a definition hides the built-in functions of its name.
#define ONES(DO)                                                                                                       \
  DO(acos) DO(acosh) DO(acospi) DO(asin) DO(asinh) DO(asinpi) DO(atan) DO(atanh) DO(atanpi) DO(cbrt) DO(ceil)          \
  DO(cos) DO(cosh) DO(cospi) DO(erf) DO(erfc) DO(exp) DO(exp2) DO(exp10) DO(expm1) DO(fabs) DO(floor) DO(lgamma)       \
  DO(log) DO(log2) DO(log10) DO(log1p) DO(logb) DO(rint) DO(round) DO(rsqrt) DO(sin) DO(sinh) DO(sinpi) DO(sqrt)       \
  DO(tan) DO(tanh) DO(tanpi) DO(tgamma) DO(trunc) DO(degrees) DO(radians) DO(sign)
#define TWOS(DO)                                                                                                       \
  DO(atan2) DO(atan2pi) DO(copysign) DO(fdim) DO(fmod) DO(hypot) DO(maxmag) DO(minmag) DO(pow)       \
  DO(powr) DO(remainder) DO(step)
#define THREES(DO)                                                                                                     \
  DO(mad) DO(mix) DO(smoothstep)
#define FLOAT_ONE(n, name)                                                                                             \
  OWN float##n float_##name(float##n x) { return name(x); }
#define FLOAT_TWO(n, name)                                                                                             \
  OWN float##n float_##name(float##n x, float##n y) { return name(x, y); }
#define FLOAT_THREE(n, name)                                                                                           \
  OWN float##n float_##name(float##n x, float##n y, float##n z) { return name(x, y, z); }
#define FLOAT_ONES(name) ALL_WIDTHS(FLOAT_ONE, name)
#define FLOAT_TWOS(name) ALL_WIDTHS(FLOAT_TWO, name)
#define FLOAT_THREES(name) ALL_WIDTHS(FLOAT_THREE, name)
ONES(FLOAT_ONES)
TWOS(FLOAT_TWOS)
THREES(FLOAT_THREES)
#define FLOAT_OTHERS(n, unused)                                                                                        \
  OWN float##n float_ldexp(float##n x, int##n y) { return ldexp(x, y); }                                               \
  OWN float##n float_pown(float##n x, int##n y) { return pown(x, y); }                                                 \
  OWN float##n float_rootn(float##n x, int##n y) { return rootn(x, y); }                                               \
  OWN int##n float_ilogb(float##n x) { return ilogb(x); }                                                              \
  OWN float##n float_fract(float##n x, private float##n *y) { return fract(x, y); }                                    \
  OWN float##n float_modf(float##n x, private float##n *y) { return modf(x, y); }                                      \
  OWN float##n float_frexp(float##n x, private int##n *y) { return frexp(x, y); }                                      \
  OWN float##n float_lgamma_r(float##n x, private int##n *y) { return lgamma_r(x, y); }                                \
  OWN float##n float_remquo(float##n x, float##n y, private int##n *z) { return remquo(x, y, z); }                     \
  OWN short##n short_select(short##n x, short##n y, short##n c) { return select(x, y, c); }                            \
  OWN ushort##n short_select(ushort##n x, ushort##n y, ushort##n c) { return select(x, y, c); }                        \
  OWN ushort##n short_bitselect(ushort##n x, ushort##n y, ushort##n c) { return bitselect(x, y, c); }
ALL_WIDTHS(FLOAT_OTHERS, )
#define FLOAT_GEOMETRIC(n)                                                                                             \
  OWN float float_dot(float##n x, float##n y) { return dot(x, y); }                                                    \
  OWN float float_distance(float##n x, float##n y) { return distance(x, y); }                                          \
  OWN float float_length(float##n x) { return length(x); }                                                             \
  OWN float##n float_normalize(float##n x) { return normalize(x); }
FLOAT_GEOMETRIC()
FLOAT_GEOMETRIC(2)
FLOAT_GEOMETRIC(3)
FLOAT_GEOMETRIC(4)
OWN float3 float_cross(float3 x, float3 y) { return cross(x, y); }
OWN float4 float_cross(float4 x, float4 y) { return cross(x, y); }
#define OF_SHORTS(n, m)                                                                                                \
  OWN ushort##n short_shuffle(ushort##m x, ushort##n mask) { return shuffle(x, mask); }                                \
  OWN ushort##n short_shuffle2(ushort##m x, ushort##m y, ushort##n mask) { return shuffle2(x, y, mask); }
#define ALL_SHORTS(m) OF_SHORTS(2, m) OF_SHORTS(4, m) OF_SHORTS(8, m) OF_SHORTS(16, m)
ALL_SHORTS(2)
ALL_SHORTS(4)
ALL_SHORTS(8)
ALL_SHORTS(16)
#define SHORT_LOADS(space, n)                                                                                          \
  OWN ushort##n short_vload##n(size_t at, const space ushort *from) { return vload##n(at, from); }
#define SHORT_STORES(space, n)                                                                                         \
  OWN void short_vstore##n(ushort##n x, size_t at, space ushort *to) { vstore##n(x, at, to); }
WIDTHS(IN_CONSTANT, SHORT_LOADS)
WIDTHS(IN_SPACES, SHORT_LOADS)
WIDTHS(IN_SPACES, SHORT_STORES)
OWN bool is_finite(double x) { return isfinite(x); }

#define NARROW_ONE(n, name)                                                                                                \
  FUNCTION half##n name(half##n x) { return narrow(float_##name(wide(x))); }
#define NARROW_ONES(name) ALL_WIDTHS(NARROW_ONE, name)
ONES(NARROW_ONES)

#define NARROW_TWO(n, name)                                                                                                \
  FUNCTION half##n name(half##n x, half##n y) { return narrow(float_##name(wide(x), wide(y))); }
#define NARROW_TWOS(name) ALL_WIDTHS(NARROW_TWO, name)
TWOS(NARROW_TWOS)

#define NARROW_THREE(n, name)                                                                                              \
  FUNCTION half##n name(half##n x, half##n y, half##n z) { return narrow(float_##name(wide(x), wide(y), wide(z))); }
#define NARROW_THREES(name) ALL_WIDTHS(NARROW_THREE, name)
THREES(NARROW_THREES)

// A product of halves is exact in double. The sum is rounded to an odd last bit, so that rounding it again is right.
FUNCTION half fma(half a, half b, half c) {
  const double product = (double)a * (double)b, z = c, sum = product + z;
  const double of_z = sum - product, left = (product - (sum - of_z)) + (z - of_z);
  long bits = as_long(sum);
  if (!is_finite(sum) || sum == 0)
    return (half)(float)sum;
  if (left != 0 && !(bits & 1))
    bits += (left > 0) == (sum > 0) ? 1 : -1;
  // The same from double to float: the bits that are cut off decide the last one.
  const long kept = bits & ~0x1fffffffL;
  return (half)(float)as_double(bits & 0x1fffffff ? kept | 0x20000000 : kept);
}
FUNCTION half nextafter(half x, half y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  const short bits = as_short(x);
  if (x == 0)
    return as_half((short)(y > 0 ? 1 : 0x8001));
  return as_half((short)(bits + ((y > x) == (x > 0) ? 1 : -1)));
}
// Of two zeros the positive one is the greater one: vectors and numbers give the same.
FUNCTION half fmax(half x, half y) {
  return x == y ? as_half((ushort)(as_ushort(x) & as_ushort(y))) : x > y || y != y ? x : y;
}
FUNCTION half fmin(half x, half y) {
  return x == y ? as_half((ushort)(as_ushort(x) | as_ushort(y))) : x < y || y != y ? x : y;
}
FUNCTION half max(half x, half y) { return x < y ? y : x; }
FUNCTION half min(half x, half y) { return y < x ? y : x; }
FUNCTION half clamp(half x, half low, half high) { return fmin(fmax(x, low), high); }
FUNCTION half nan(ushort code) { return as_half((ushort)(0x7e00 | (code & 0x1ff))); }

#define LDEXP(n, unused)                                                                                               \
  FUNCTION half##n ldexp(half##n x, int##n y) { return narrow(float_ldexp(wide(x), y)); }                              \
  FUNCTION half##n pown(half##n x, int##n y) { return narrow(float_pown(wide(x), y)); }                                \
  FUNCTION half##n rootn(half##n x, int##n y) { return narrow(float_rootn(wide(x), y)); }                              \
  FUNCTION int##n ilogb(half##n x) { return float_ilogb(wide(x)); }
ALL_WIDTHS(LDEXP, )

// Vectors of functions that take numbers apart.
VECTORS_OF_TWO(half, fmax, half, half)
VECTORS_OF_TWO(half, fmin, half, half)
VECTORS_OF_TWO(half, max, half, half)
VECTORS_OF_TWO(half, min, half, half)
VECTORS_OF_TWO(half, nextafter, half, half)
VECTORS_OF_THREE(half, clamp, half)
VECTORS_OF_THREE(half, fma, half)
VECTORS_OF_ONE(half, nan, ushort)
#define OF_SCALAR(n, name)                                                                                             \
  FUNCTION half##n name(half##n x, half y) { return name(x, (half##n)y); }
#define SCALAR(name) WIDTHS(OF_SCALAR, name)
SCALAR(fmax) SCALAR(fmin) SCALAR(max) SCALAR(min)

#define SCALARS(n, unused)                                                                                             \
  FUNCTION half##n ldexp(half##n x, int y) { return ldexp(x, (int##n)y); }                                             \
  FUNCTION half##n clamp(half##n x, half low, half high) { return clamp(x, (half##n)low, (half##n)high); }             \
  FUNCTION half##n mix(half##n x, half##n y, half a) { return mix(x, y, (half##n)a); }                                 \
  FUNCTION half##n step(half edge, half##n x) { return step((half##n)edge, x); }                                       \
  FUNCTION half##n smoothstep(half from, half to, half##n x) { return smoothstep((half##n)from, (half##n)to, x); }
WIDTHS(SCALARS, )

// Functions with a second result.
#define WITH_POINTER(space, n)                                                                                         \
  FUNCTION half##n fract(half##n x, space half##n *whole) {                                                            \
    float##n f;                                                                                                        \
    const float##n r = float_fract(wide(x), &f);                                                                       \
    *whole = narrow(f);                                                                                                \
    return min(narrow(r), (half##n)0x1.ffcp-1f);                                                                       \
  }                                                                                                                    \
  FUNCTION half##n modf(half##n x, space half##n *whole) {                                                             \
    float##n f;                                                                                                        \
    const float##n r = float_modf(wide(x), &f);                                                                        \
    *whole = narrow(f);                                                                                                \
    return narrow(r);                                                                                                  \
  }                                                                                                                    \
  FUNCTION half##n sincos(half##n x, space half##n *cosine) {                                                          \
    *cosine = narrow(float_cos(wide(x)));                                                                              \
    return narrow(float_sin(wide(x)));                                                                                 \
  }                                                                                                                    \
  FUNCTION half##n frexp(half##n x, space int##n *exponent) {                                                          \
    int##n e;                                                                                                          \
    const float##n r = float_frexp(wide(x), &e);                                                                       \
    *exponent = e;                                                                                                     \
    return narrow(r);                                                                                                  \
  }                                                                                                                    \
  FUNCTION half##n lgamma_r(half##n x, space int##n *sign) {                                                           \
    int##n s;                                                                                                          \
    const float##n r = float_lgamma_r(wide(x), &s);                                                                    \
    *sign = s;                                                                                                         \
    return narrow(r);                                                                                                  \
  }                                                                                                                    \
  FUNCTION half##n remquo(half##n x, half##n y, space int##n *quotient) {                                              \
    int##n q;                                                                                                          \
    const float##n r = float_remquo(wide(x), wide(y), &q);                                                             \
    *quotient = q;                                                                                                     \
    return narrow(r);                                                                                                  \
  }
ALL_WIDTHS(IN_SPACES, WITH_POINTER)

#define GEOMETRIC(n)                                                                                                   \
  FUNCTION half dot(half##n x, half##n y) { return narrow(float_dot(wide(x), wide(y))); }                              \
  FUNCTION half distance(half##n x, half##n y) { return narrow(float_distance(wide(x), wide(y))); }                    \
  FUNCTION half length(half##n x) { return narrow(float_length(wide(x))); }                                            \
  FUNCTION half##n normalize(half##n x) { return narrow(float_normalize(wide(x))); }
GEOMETRIC()
GEOMETRIC(2)
GEOMETRIC(3)
GEOMETRIC(4)
FUNCTION half3 cross(half3 x, half3 y) { return narrow(float_cross(wide(x), wide(y))); }
FUNCTION half4 cross(half4 x, half4 y) { return narrow(float_cross(wide(x), wide(y))); }

// Comparisons: 1 for a number, and all bits for each component of a vector.
#define RELATION(name, expression)                                                                                     \
  FUNCTION int name(half x, half y) { return (expression) & 1; }                                                       \
  WIDTHS(OF_RELATION, name, expression)
#define OF_RELATION(n, name, expression)                                                                               \
  FUNCTION short##n name(half##n x, half##n y) { return (expression); }
RELATION(isequal, x == y)
RELATION(isnotequal, x != y)
RELATION(isgreater, x > y)
RELATION(isgreaterequal, x >= y)
RELATION(isless, x < y)
RELATION(islessequal, x <= y)
RELATION(islessgreater, (x < y) | (x > y))
RELATION(isordered, (x == x) & (y == y))
RELATION(isunordered, (x != x) | (y != y))

#define BITS(name, expression)                                                                                         \
  FUNCTION int name(half x) {                                                                                          \
    const short bits = as_short(x), size = bits & 0x7fff;                                                              \
    return (expression) & 1;                                                                                           \
  }                                                                                                                    \
  WIDTHS(OF_BITS, name, expression)
#define OF_BITS(n, name, expression)                                                                                   \
  FUNCTION short##n name(half##n x) {                                                                                  \
    const short##n bits = as_short##n(x), size = bits & (short)0x7fff;                                                 \
    return (expression);                                                                                               \
  }
BITS(isfinite, size < (short)0x7c00)
BITS(isinf, size == (short)0x7c00)
BITS(isnan, size > (short)0x7c00)
BITS(isnormal, (size >= (short)0x400) & (size < (short)0x7c00))
BITS(signbit, bits < (short)0)

#define CHOICE(n, unused)                                                                                              \
  FUNCTION half##n bitselect(half##n x, half##n y, half##n bits) {                                                     \
    return as_half##n(short_bitselect(as_ushort##n(x), as_ushort##n(y), as_ushort##n(bits)));                          \
  }                                                                                                                    \
  FUNCTION half##n select(half##n x, half##n y, short##n c) {                                                          \
    return as_half##n(short_select(as_short##n(x), as_short##n(y), c));                                                \
  }                                                                                                                    \
  FUNCTION half##n select(half##n x, half##n y, ushort##n c) {                                                         \
    return as_half##n(short_select(as_ushort##n(x), as_ushort##n(y), c));                                              \
  }
ALL_WIDTHS(CHOICE, )

#define SHUFFLE(n, m)                                                                                                  \
  FUNCTION half##n shuffle(half##m x, ushort##n mask) { return as_half##n(short_shuffle(as_ushort##m(x), mask)); }     \
  FUNCTION half##n shuffle2(half##m x, half##m y, ushort##n mask) {                                                    \
    return as_half##n(short_shuffle2(as_ushort##m(x), as_ushort##m(y), mask));                                         \
  }
#define SHUFFLES(m) SHUFFLE(2, m) SHUFFLE(4, m) SHUFFLE(8, m) SHUFFLE(16, m)
SHUFFLES(2)
SHUFFLES(4)
SHUFFLES(8)
SHUFFLES(16)

#define PREFETCH(n, unused)                                                                                            \
  FUNCTION void prefetch(const global half##n *from, size_t count) {}
ALL_WIDTHS(PREFETCH, )

#define LOADS(space, n)                                                                                                \
  FUNCTION half##n vload##n(size_t at, const space half *from) {                                                       \
    return as_half##n(short_vload##n(at, (const space ushort *)from));                                                 \
  }
#define STORES(space, n)                                                                                               \
  FUNCTION void vstore##n(half##n x, size_t at, space half *to) {                                                      \
    short_vstore##n(as_ushort##n(x), at, (space ushort *)to);                                                          \
  }
WIDTHS(IN_CONSTANT, LOADS)
WIDTHS(IN_SPACES, LOADS)
WIDTHS(IN_SPACES, STORES)
