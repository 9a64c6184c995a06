// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions from and to half (cl_khr_fp16), which libclc lacks. Compiled behind vectors.cl when a kernel calls one
// of them, and linked with it.

// A float that rounds to half as the number does in each rounding: if bits are cut off, the last one left is 1.
OWN float sticky(float x) { return x; }
OWN float sticky(half x) { return (float)x; }
OWN float sticky(double x) {
  if (!(fabs(x) < 0x1p20))
    return isinf(x) || isnan(x) ? (float)x : copysign(0x1p20f, (float)x);
  if (fabs(x) < 0x1p-100)
    return x == 0 ? (float)x : copysign(0x1p-100f, (float)x);
  const long bits = as_long(x), kept = bits & ~0x1fffffffL;
  return (float)as_double(bits & 0x1fffffff ? kept | 0x20000000 : kept);
}
// Larger integers round as this one does.
#define STICKY_INTEGER(type)                                                                                           \
  OWN float sticky(type x) { return (float)clamp((long)x, -0x40000L, 0x40000L); }
STICKY_INTEGER(char)
STICKY_INTEGER(uchar)
STICKY_INTEGER(short)
STICKY_INTEGER(ushort)
STICKY_INTEGER(int)
STICKY_INTEGER(uint)
STICKY_INTEGER(long)
OWN float sticky(ulong x) { return (float)min(x, 0x40000UL); }

OWN half moved(half nearest, int by) { return as_half((short)(as_short(nearest) + by)); }
OWN half round_rte(float x) { return (half)x; }
OWN half round_(float x) { return (half)x; }
OWN half round_rtz(float x) {
  const half h = (half)x;
  return fabs((float)h) > fabs(x) ? moved(h, -1) : h;
}
OWN half round_rtp(float x) {
  const half h = (half)x;
  if (!((float)h < x))
    return h;
  return x < 0 ? moved(h, -1) : moved(h, 1);
}
OWN half round_rtn(float x) {
  const half h = (half)x;
  if (!((float)h > x))
    return h;
  // From zero downwards; RTE has given a positive zero only for a positive number.
  return x < 0 ? moved(h, 1) : moved(h, -1);
}

#define ROUND_AT(i, rounding) r.s##i = round##rounding(sticky(x.s##i));
#define TO_HALF_WIDTH(n, type, mode, rounding)                                                                         \
  FUNCTION half##n convert_half##n##mode(type##n x) {                                                                  \
    half##n r;                                                                                                         \
    AT_##n(ROUND_AT, rounding) return r;                                                                               \
  }
#define TO_HALF(type, mode, rounding)                                                                                  \
  FUNCTION half convert_half##mode(type x) { return round##rounding(sticky(x)); }                                      \
  TO_HALF_WIDTH(2, type, mode, rounding)                                                                               \
  TO_HALF_WIDTH(3, type, mode, rounding)                                                                               \
  TO_HALF_WIDTH(4, type, mode, rounding)                                                                               \
  TO_HALF_WIDTH(8, type, mode, rounding)                                                                               \
  TO_HALF_WIDTH(16, type, mode, rounding)
#define TO_HALVES(type)                                                                                                \
  TO_HALF(type, , _)                                                                                                   \
  TO_HALF(type, _rte, _rte)                                                                                            \
  TO_HALF(type, _rtz, _rtz)                                                                                            \
  TO_HALF(type, _rtp, _rtp)                                                                                            \
  TO_HALF(type, _rtn, _rtn)
TO_HALVES(char)
TO_HALVES(uchar)
TO_HALVES(short)
TO_HALVES(ushort)
TO_HALVES(int)
TO_HALVES(uint)
TO_HALVES(long)
TO_HALVES(ulong)
TO_HALVES(float)
TO_HALVES(double)
TO_HALVES(half)

// Each half is a float, and libclc converts that.
OWN float wide(half x) { return (float)x; }
#define WIDE(n)                                                                                                        \
  OWN float##n wide(half##n x) { return __builtin_convertvector(x, float##n); }
WIDE(2)
WIDE(3)
WIDE(4)
WIDE(8)
WIDE(16)

// Functions of float by names of our own: a definition hides the built-in functions of its name.
#define FROM_FLOAT(type, mode)                                                                                         \
  OWN type float_##type##mode(float x) { return convert_##type##mode(x); }                                             \
  FROM_FLOAT_WIDTH(type##2, 2, mode)                                                                                   \
  FROM_FLOAT_WIDTH(type##3, 3, mode)                                                                                   \
  FROM_FLOAT_WIDTH(type##4, 4, mode)                                                                                   \
  FROM_FLOAT_WIDTH(type##8, 8, mode)                                                                                   \
  FROM_FLOAT_WIDTH(type##16, 16, mode)
#define FROM_FLOAT_WIDTH(type, n, mode)                                                                                \
  OWN type float_##type##mode(float##n x) { return convert_##type##mode(x); }
#define FROM_HALF(type, mode)                                                                                          \
  FUNCTION type convert_##type##mode(half x) { return float_##type##mode(wide(x)); }                                   \
  FROM_HALF_WIDTH(type##2, 2, mode)                                                                                    \
  FROM_HALF_WIDTH(type##3, 3, mode)                                                                                    \
  FROM_HALF_WIDTH(type##4, 4, mode)                                                                                    \
  FROM_HALF_WIDTH(type##8, 8, mode)                                                                                    \
  FROM_HALF_WIDTH(type##16, 16, mode)
#define FROM_HALF_WIDTH(type, n, mode)                                                                                 \
  FUNCTION type convert_##type##mode(half##n x) { return float_##type##mode(wide(x)); }
#define FROM_HALF_MODE(type, mode) FROM_FLOAT(type, mode) FROM_HALF(type, mode)
#define FROM_HALF_ROUNDED(type, saturated)                                                                             \
  FROM_HALF_MODE(type, saturated)                                                                                      \
  FROM_HALF_MODE(type, saturated##_rte)                                                                                \
  FROM_HALF_MODE(type, saturated##_rtz)                                                                                \
  FROM_HALF_MODE(type, saturated##_rtp)                                                                                \
  FROM_HALF_MODE(type, saturated##_rtn)
#define FROM_HALVES(type)                                                                                              \
  FROM_HALF_ROUNDED(type, )                                                                                            \
  FROM_HALF_ROUNDED(type, _sat)
FROM_HALVES(char)
FROM_HALVES(uchar)
FROM_HALVES(short)
FROM_HALVES(ushort)
FROM_HALVES(int)
FROM_HALVES(uint)
FROM_HALVES(long)
FROM_HALVES(ulong)
FROM_HALF_ROUNDED(float, )
FROM_HALF_ROUNDED(double, )
