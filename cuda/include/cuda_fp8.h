// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 8 bits, E4M3 and E5M2: types and conversions (CUDA's cuda_fp8.h).
// Values are rounded to nearest, ties to even. E8M0 is only an exponent: a power of two.
#ifndef GPUTEST_CUDA_FP8_H
#define GPUTEST_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
// The result for a finite number that is too large. __NV_SATFINITE: the largest number. __NV_NOSAT:
// NaN in E4M3, and infinity in E5M2.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus

#ifdef __CUDA__
#define GPUTEST_FP8 __host__ __device__ inline
#else
#define GPUTEST_FP8 inline
#endif

namespace gputest_cuda_details {

GPUTEST_FP8 unsigned long long bits_of(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
GPUTEST_FP8 double power_of_two(int exponent) { // -1022 to 1023
  const unsigned long long bits = (unsigned long long)(exponent + 1023) << 52;
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

GPUTEST_FP8 unsigned char fp8_of(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned char largest = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
  if (x != x)
    return 0x7f;
  const unsigned long long bits = bits_of(x);
  const unsigned char sign = (unsigned char)(bits >> 63 << 7);
  const unsigned char too_large = sign | (saturation == __NV_SATFINITE ? largest : beyond);
  const double size = x < 0 ? -x : x;
  if (size >= 131072)
    return too_large;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < 1 - bias)
    exponent = 1 - bias; // subnormal numbers have the same distance
  const double steps = size * power_of_two(mantissa - exponent);
  unsigned count = (unsigned)steps;
  const double rest = steps - count;
  if (rest > 0.5 || (rest == 0.5 && (count & 1)))
    ++count;
  const unsigned code = ((unsigned)(exponent + bias) << mantissa) + count - (1u << mantissa);
  return code > largest ? too_large : sign | (unsigned char)code;
}

GPUTEST_FP8 float float_of_fp8(unsigned char code, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned size = code & 0x7f, infinity = kind == __NV_E4M3 ? 0x7f : 0x7c;
  const float sign = code & 0x80 ? -1.f : 1.f;
  if (size >= infinity)
    return kind == __NV_E5M2 && size == infinity ? sign * __builtin_inff() : __builtin_nanf("");
  const unsigned field = size >> mantissa, low = size & ((1u << mantissa) - 1);
  const unsigned count = field ? low + (1u << mantissa) : low;
  return sign * (float)(count * power_of_two((field ? (int)field : 1) - bias - mantissa));
}

template <typename T> GPUTEST_FP8 double double_of(T x) { return (double)x; }
GPUTEST_FP8 double double_of(__half x) { return __half2float(x); }
GPUTEST_FP8 double double_of(__nv_bfloat16 x) { return __bfloat162float(x); }

} // namespace gputest_cuda_details

GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
  return gputest_cuda_details::fp8_of(x, saturation, kind);
}
GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  return gputest_cuda_details::fp8_of(x, saturation, kind);
}
GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind) {
  return gputest_cuda_details::fp8_of(__half2float(__half(x)), saturation, kind);
}
GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return gputest_cuda_details::fp8_of(__bfloat162float(__nv_bfloat16(x)), saturation, kind);
}
#define GPUTEST_FP8_PAIR(name, one, type)                                                             \
  GPUTEST_FP8 __nv_fp8x2_storage_t name(type x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) { \
    return (__nv_fp8x2_storage_t)(one(x.x, saturation, kind) | one(x.y, saturation, kind) << 8);       \
  }
GPUTEST_FP8_PAIR(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
GPUTEST_FP8_PAIR(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
#undef GPUTEST_FP8_PAIR
GPUTEST_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t kind) {
  const __half_raw low = {x.x}, high = {x.y};
  return (__nv_fp8x2_storage_t)(__nv_cvt_halfraw_to_fp8(low, saturation, kind) |
                                __nv_cvt_halfraw_to_fp8(high, saturation, kind) << 8);
}
GPUTEST_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t kind) {
  const __nv_bfloat16_raw low = {x.x}, high = {x.y};
  return (__nv_fp8x2_storage_t)(__nv_cvt_bfloat16raw_to_fp8(low, saturation, kind) |
                                __nv_cvt_bfloat16raw_to_fp8(high, saturation, kind) << 8);
}
GPUTEST_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  __half_raw raw = __float2half(gputest_cuda_details::float_of_fp8(x, kind));
  if ((raw.x & 0x7fff) > 0x7c00)
    raw.x = 0x7fff;
  return raw;
}
GPUTEST_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  __half2_raw raw;
  raw.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), kind).x;
  raw.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
  return raw;
}

// Constructors round to the nearest number and saturate. Conversions to integers truncate and
// saturate.
#define GPUTEST_FP8_FROM(name, kind, type)                                                             \
  explicit GPUTEST_FP8 name(type x)                                                                    \
      : __x(gputest_cuda_details::fp8_of(gputest_cuda_details::double_of(x), __NV_SATFINITE, kind)) {}
#define GPUTEST_FP8_TO_INTEGER(kind, type, least, most)                                                \
  explicit GPUTEST_FP8 operator type() const {                                                         \
    const float value = gputest_cuda_details::float_of_fp8(__x, kind);                                 \
    return value != value ? (type)0 : value <= (float)(least) ? (type)(least) : value >= (float)(most) ? (type)(most) : (type)value; \
  }
#define GPUTEST_FP8_TYPE(name, kind)                                                                   \
  struct name {                                                                                        \
    __nv_fp8_storage_t __x;                                                                            \
    name() = default;                                                                                  \
    GPUTEST_FP8_FROM(name, kind, __half)                                                               \
    GPUTEST_FP8_FROM(name, kind, __nv_bfloat16)                                                        \
    GPUTEST_FP8_FROM(name, kind, float)                                                                \
    GPUTEST_FP8_FROM(name, kind, double)                                                               \
    GPUTEST_FP8_FROM(name, kind, short)                                                                \
    GPUTEST_FP8_FROM(name, kind, unsigned short)                                                       \
    GPUTEST_FP8_FROM(name, kind, int)                                                                  \
    GPUTEST_FP8_FROM(name, kind, unsigned int)                                                         \
    GPUTEST_FP8_FROM(name, kind, long)                                                                 \
    GPUTEST_FP8_FROM(name, kind, unsigned long)                                                        \
    GPUTEST_FP8_FROM(name, kind, long long)                                                            \
    GPUTEST_FP8_FROM(name, kind, unsigned long long)                                                   \
    explicit GPUTEST_FP8 operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); } \
    explicit GPUTEST_FP8 operator __nv_bfloat16() const {                                              \
      return __float2bfloat16(gputest_cuda_details::float_of_fp8(__x, kind));                          \
    }                                                                                                  \
    explicit GPUTEST_FP8 operator float() const { return gputest_cuda_details::float_of_fp8(__x, kind); } \
    explicit GPUTEST_FP8 operator double() const { return gputest_cuda_details::float_of_fp8(__x, kind); } \
    explicit GPUTEST_FP8 operator bool() const { return (__x & 0x7f) != 0; }                           \
    GPUTEST_FP8_TO_INTEGER(kind, signed char, -128, 127)                                               \
    GPUTEST_FP8_TO_INTEGER(kind, char, -128, 127)                                                      \
    GPUTEST_FP8_TO_INTEGER(kind, unsigned char, 0, 255)                                                \
    GPUTEST_FP8_TO_INTEGER(kind, short, -32768, 32767)                                                 \
    GPUTEST_FP8_TO_INTEGER(kind, unsigned short, 0, 65535)                                             \
    GPUTEST_FP8_TO_INTEGER(kind, int, -2147483647 - 1, 2147483647)                                     \
    GPUTEST_FP8_TO_INTEGER(kind, unsigned int, 0, 4294967295u)                                         \
    GPUTEST_FP8_TO_INTEGER(kind, long, -__LONG_MAX__ - 1, __LONG_MAX__)                                \
    GPUTEST_FP8_TO_INTEGER(kind, unsigned long, 0, 2ul * __LONG_MAX__ + 1)                             \
    GPUTEST_FP8_TO_INTEGER(kind, long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)                 \
    GPUTEST_FP8_TO_INTEGER(kind, unsigned long long, 0, 2ull * __LONG_LONG_MAX__ + 1)                  \
  };
GPUTEST_FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
GPUTEST_FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef GPUTEST_FP8_TYPE
#undef GPUTEST_FP8_TO_INTEGER
#undef GPUTEST_FP8_FROM

// Vectors of two and four. The first number is in the lowest bits.
#define GPUTEST_FP8_TYPES(name, kind)                                                                  \
  struct __nv_fp8x2_##name {                                                                           \
    __nv_fp8x2_storage_t __x;                                                                          \
    __nv_fp8x2_##name() = default;                                                                     \
    explicit GPUTEST_FP8 __nv_fp8x2_##name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {} \
    explicit GPUTEST_FP8 __nv_fp8x2_##name(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {} \
    explicit GPUTEST_FP8 __nv_fp8x2_##name(__half2 x)                                                  \
        : __nv_fp8x2_##name(make_float2(__low2float(x), __high2float(x))) {}                           \
    explicit GPUTEST_FP8 __nv_fp8x2_##name(__nv_bfloat162 x)                                           \
        : __nv_fp8x2_##name(make_float2(__low2float(x), __high2float(x))) {}                           \
    explicit GPUTEST_FP8 operator float2() const {                                                     \
      return make_float2(gputest_cuda_details::float_of_fp8(__x & 0xff, kind),                         \
                         gputest_cuda_details::float_of_fp8(__x >> 8, kind));                          \
    }                                                                                                  \
    explicit GPUTEST_FP8 operator __half2() const { return __float22half2_rn((float2)*this); }         \
  };                                                                                                   \
  struct __nv_fp8x4_##name {                                                                           \
    __nv_fp8x4_storage_t __x;                                                                          \
    __nv_fp8x4_##name() = default;                                                                     \
    explicit GPUTEST_FP8 __nv_fp8x4_##name(float4 x)                                                   \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(make_float2(x.x, x.y)), __nv_fp8x2_##name(make_float2(x.z, x.w))) {} \
    explicit GPUTEST_FP8 __nv_fp8x4_##name(double4 x)                                                  \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(make_double2(x.x, x.y)), __nv_fp8x2_##name(make_double2(x.z, x.w))) {} \
    explicit GPUTEST_FP8 __nv_fp8x4_##name(__half2 low, __half2 high)                                  \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(low), __nv_fp8x2_##name(high)) {}                        \
    explicit GPUTEST_FP8 __nv_fp8x4_##name(__nv_bfloat162 low, __nv_bfloat162 high)                    \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(low), __nv_fp8x2_##name(high)) {}                        \
    explicit GPUTEST_FP8 operator float4() const {                                                     \
      return make_float4(gputest_cuda_details::float_of_fp8(__x & 0xff, kind),                         \
                         gputest_cuda_details::float_of_fp8(__x >> 8 & 0xff, kind),                    \
                         gputest_cuda_details::float_of_fp8(__x >> 16 & 0xff, kind),                   \
                         gputest_cuda_details::float_of_fp8(__x >> 24, kind));                         \
    }                                                                                                  \
                                                                                                       \
  private:                                                                                             \
    GPUTEST_FP8 __nv_fp8x4_##name(__nv_fp8x2_##name low, __nv_fp8x2_##name high)                       \
        : __x(low.__x | (__nv_fp8x4_storage_t)high.__x << 16) {}                                       \
  };
GPUTEST_FP8_TYPES(e4m3, __NV_E4M3)
GPUTEST_FP8_TYPES(e5m2, __NV_E5M2)
#undef GPUTEST_FP8_TYPES

// E8M0 has no sign. Magnitudes are rounded towards zero (cudaRoundZero) or away from it
// (cudaRoundPosInf). 255 is NaN.
namespace gputest_cuda_details {

GPUTEST_FP8 __nv_fp8_storage_t e8m0_of(double x, __nv_saturation_t saturation, cudaRoundMode rounding) {
  if (x != x)
    return 255;
  const unsigned long long bits = bits_of(x) & ~(1ull << 63);
  const int exponent = (int)(bits >> 52) - 1023;
  const int too_large = saturation == __NV_SATFINITE ? 254 : 255;
  if (exponent == 1024) // infinite
    return (__nv_fp8_storage_t)too_large;
  if (exponent < -127)
    return 0;
  const bool up = rounding == cudaRoundPosInf && (bits & 0xfffffffffffff) != 0;
  if (exponent > 127)
    return (__nv_fp8_storage_t)(rounding == cudaRoundPosInf ? too_large : 254);
  const int code = exponent + 127 + up;
  return (__nv_fp8_storage_t)(code == 255 ? too_large : code);
}
GPUTEST_FP8 float float_of_e8m0(__nv_fp8_storage_t code) {
  return code == 255 ? __builtin_nanf("") : (float)power_of_two((int)code - 127);
}

} // namespace gputest_cuda_details

GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturation, cudaRoundMode rounding) {
  return gputest_cuda_details::e8m0_of(x, saturation, rounding);
}
GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturation, cudaRoundMode rounding) {
  return gputest_cuda_details::e8m0_of(x, saturation, rounding);
}
GPUTEST_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturation, cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_e8m0(x.x, saturation, rounding) |
                                __nv_cvt_float_to_e8m0(x.y, saturation, rounding) << 8);
}
GPUTEST_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturation,
                                                            cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(x.x, saturation, rounding) |
                                __nv_cvt_double_to_e8m0(x.y, saturation, rounding) << 8);
}

GPUTEST_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                            cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), saturation, rounding);
}
GPUTEST_FP8 __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  __nv_bfloat16_raw raw;
  raw.x = x == 255 ? 0x7fff : x == 0 ? 0x40 : (unsigned short)(x << 7);
  return raw;
}
GPUTEST_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                 cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(__nv_bfloat162(x)), saturation, rounding);
}
GPUTEST_FP8 __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  __nv_bfloat162_raw raw;
  raw.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x & 0xff)).x;
  raw.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x;
  return raw;
}

// Rounds up to a power of two, and saturates.
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit GPUTEST_FP8 __nv_fp8_e8m0(double x) : __x(__nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit GPUTEST_FP8 __nv_fp8_e8m0(float x) : __x(__nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit GPUTEST_FP8 __nv_fp8_e8m0(__half x) : __nv_fp8_e8m0((float)x) {}
  explicit GPUTEST_FP8 __nv_fp8_e8m0(__nv_bfloat16 x) : __nv_fp8_e8m0((float)x) {}
  explicit GPUTEST_FP8 __nv_fp8_e8m0(int x) : __nv_fp8_e8m0((double)x) {}
  explicit GPUTEST_FP8 __nv_fp8_e8m0(unsigned int x) : __nv_fp8_e8m0((double)x) {}
  explicit GPUTEST_FP8 operator float() const { return gputest_cuda_details::float_of_e8m0(__x); }
  explicit GPUTEST_FP8 operator double() const { return gputest_cuda_details::float_of_e8m0(__x); }
  explicit GPUTEST_FP8 operator __half() const { return __float2half((float)*this); }
  explicit GPUTEST_FP8 operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }
};
struct __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  explicit GPUTEST_FP8 __nv_fp8x2_e8m0(double2 x) : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit GPUTEST_FP8 __nv_fp8x2_e8m0(float2 x) : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit GPUTEST_FP8 __nv_fp8x2_e8m0(__half2 x) : __nv_fp8x2_e8m0(__half22float2(x)) {}
  explicit GPUTEST_FP8 __nv_fp8x2_e8m0(__nv_bfloat162 x) : __nv_fp8x2_e8m0(__bfloat1622float2(x)) {}
  explicit GPUTEST_FP8 operator __nv_bfloat162() const { return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)); }
  explicit GPUTEST_FP8 operator float2() const {
    return make_float2(gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x & 0xff)),
                       gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x >> 8)));
  }
  explicit GPUTEST_FP8 operator __half2() const { return __float22half2_rn((float2)*this); }
};
struct __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e8m0() = default;
  explicit GPUTEST_FP8 __nv_fp8x4_e8m0(__half2 low, __half2 high) : __x(together(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high))) {}
  explicit GPUTEST_FP8 __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(together(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high))) {}
  explicit GPUTEST_FP8 __nv_fp8x4_e8m0(float4 x)
      : __x(together(__nv_fp8x2_e8m0(make_float2(x.x, x.y)), __nv_fp8x2_e8m0(make_float2(x.z, x.w)))) {}
  explicit GPUTEST_FP8 __nv_fp8x4_e8m0(double4 x)
      : __x(together(__nv_fp8x2_e8m0(make_double2(x.x, x.y)), __nv_fp8x2_e8m0(make_double2(x.z, x.w)))) {}
  explicit GPUTEST_FP8 operator float4() const {
    return make_float4(gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x & 0xff)),
                       gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x >> 8 & 0xff)),
                       gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x >> 16 & 0xff)),
                       gputest_cuda_details::float_of_e8m0((__nv_fp8_storage_t)(__x >> 24)));
  }

private:
  static GPUTEST_FP8 __nv_fp8x4_storage_t together(__nv_fp8x2_e8m0 low, __nv_fp8x2_e8m0 high) {
    return low.__x | (__nv_fp8x4_storage_t)high.__x << 16;
  }
};
#undef GPUTEST_FP8

#endif

#endif
