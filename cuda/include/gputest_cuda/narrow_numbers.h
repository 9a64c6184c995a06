// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 4 and 6 bits (cuda_fp4.h, cuda_fp6.h). All codes are finite numbers:
// conversions saturate, and NaN becomes the largest positive number.
#ifndef GPUTEST_CUDA_NARROW_NUMBERS_H
#define GPUTEST_CUDA_NARROW_NUMBERS_H

#include "cuda_fp8.h"

#ifdef __cplusplus

#ifdef __CUDA__
#define GPUTEST_NARROW __host__ __device__ inline
#else
#define GPUTEST_NARROW inline
#endif

namespace gputest_cuda_details {

template <int bits, int mantissa> GPUTEST_NARROW float float_of_narrow(unsigned code) {
  const int bias = (1 << (bits - 2 - mantissa)) - 1;
  const unsigned size = code & ((1u << (bits - 1)) - 1), field = size >> mantissa, low = size & ((1u << mantissa) - 1);
  const float value = (float)((field ? low + (1u << mantissa) : low) * power_of_two((field ? (int)field : 1) - bias - mantissa));
  return code >> (bits - 1) & 1 ? -value : value;
}
template <int bits, int mantissa> GPUTEST_NARROW unsigned char narrow_of(double x, cudaRoundMode rounding) {
  const int bias = (1 << (bits - 2 - mantissa)) - 1;
  const unsigned largest = (1u << (bits - 1)) - 1;
  if (x != x)
    return (unsigned char)largest;
  const unsigned sign = bits_of(x) >> 63 ? 1u << (bits - 1) : 0;
  const double size = x < 0 ? -x : x;
  if (size >= 64) // larger than every number
    return (unsigned char)(sign | largest);
  int exponent = (int)(bits_of(x) >> 52 & 0x7ff) - 1023;
  if (exponent < 1 - bias)
    exponent = 1 - bias; // subnormal numbers have the same distance
  const double steps = size * power_of_two(mantissa - exponent);
  unsigned count = (unsigned)steps;
  const double rest = steps - count;
  const bool up = rounding == cudaRoundNearest && (rest > 0.5 || (rest == 0.5 && (count & 1))); // or cudaRoundZero
  const int code = (exponent + bias - 1) * (1 << mantissa) + (int)count + up;
  return (unsigned char)(sign | (code > (int)largest ? largest : (unsigned)code));
}

} // namespace gputest_cuda_details

// CUDA's conversion functions. `convert` and `value` convert one number of a kind; the second
// number of a pair is `step` bits higher.
#define GPUTEST_NARROW_CONVERSIONS(fp, Storage, Pair, Kind, step, convert, value)                                           \
  GPUTEST_NARROW Storage __nv_cvt_double_to_##fp(double x, Kind kind, cudaRoundMode rounding) {                             \
    return convert;                                                                                                         \
  }                                                                                                                         \
  GPUTEST_NARROW Storage __nv_cvt_float_to_##fp(float x, Kind kind, cudaRoundMode rounding) {                               \
    return __nv_cvt_double_to_##fp(x, kind, rounding);                                                                      \
  }                                                                                                                         \
  GPUTEST_NARROW Storage __nv_cvt_halfraw_to_##fp(__half_raw x, Kind kind, cudaRoundMode rounding) {                        \
    return __nv_cvt_double_to_##fp(__half2float(__half(x)), kind, rounding);                                                \
  }                                                                                                                         \
  GPUTEST_NARROW Storage __nv_cvt_bfloat16raw_to_##fp(__nv_bfloat16_raw x, Kind kind, cudaRoundMode rounding) {             \
    return __nv_cvt_double_to_##fp(__bfloat162float(__nv_bfloat16(x)), kind, rounding);                                     \
  }                                                                                                                         \
  GPUTEST_NARROW Pair __nv_cvt_double2_to_##fp##x2(double2 x, Kind kind, cudaRoundMode rounding) {                          \
    return (Pair)(__nv_cvt_double_to_##fp(x.x, kind, rounding) | __nv_cvt_double_to_##fp(x.y, kind, rounding) << step);     \
  }                                                                                                                         \
  GPUTEST_NARROW Pair __nv_cvt_float2_to_##fp##x2(float2 x, Kind kind, cudaRoundMode rounding) {                            \
    return __nv_cvt_double2_to_##fp##x2(make_double2(x.x, x.y), kind, rounding);                                            \
  }                                                                                                                         \
  GPUTEST_NARROW Pair __nv_cvt_halfraw2_to_##fp##x2(__half2_raw x, Kind kind, cudaRoundMode rounding) {                     \
    return __nv_cvt_float2_to_##fp##x2(__half22float2(__half2(x)), kind, rounding);                                         \
  }                                                                                                                         \
  GPUTEST_NARROW Pair __nv_cvt_bfloat16raw2_to_##fp##x2(__nv_bfloat162_raw x, Kind kind, cudaRoundMode rounding) {          \
    return __nv_cvt_float2_to_##fp##x2(__bfloat1622float2(__nv_bfloat162(x)), kind, rounding);                              \
  }                                                                                                                         \
  GPUTEST_NARROW __half_raw __nv_cvt_##fp##_to_halfraw(Storage x, Kind kind) {                                              \
    return __float2half(value);                                                                                             \
  }                                                                                                                         \
  GPUTEST_NARROW __half2_raw __nv_cvt_##fp##x2_to_halfraw2(Pair x, Kind kind) {                                             \
    __half2_raw raw;                                                                                                        \
    raw.x = __nv_cvt_##fp##_to_halfraw((Storage)(x & ((1u << step) - 1)), kind).x;                                          \
    raw.y = __nv_cvt_##fp##_to_halfraw((Storage)(x >> step), kind).x;                                                       \
    return raw;                                                                                                             \
  }

// Types of one, two and four numbers. The first number is in the lowest bits.
#define GPUTEST_NARROW_FROM(name, fp, kind, type)                                                                           \
  explicit GPUTEST_NARROW name(type x) : __x(__nv_cvt_double_to_##fp(gputest_cuda_details::double_of(x), kind, cudaRoundNearest)) {}
#define GPUTEST_NARROW_TO(type)                                                                                             \
  explicit GPUTEST_NARROW operator type() const {                                                                           \
    const float value = (float)*this;                                                                                       \
    return (type)-1 > 0 && value < 0 ? (type)0 : (type)value;                                                               \
  }
#define GPUTEST_NARROW_TYPES(fp, kind_name, kind, Storage, Pair, Four, step)                                                \
  struct __nv_##fp##_##kind_name {                                                                                          \
    Storage __x;                                                                                                            \
    __nv_##fp##_##kind_name() = default;                                                                                    \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, __half)                                                          \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, __nv_bfloat16)                                                   \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, float)                                                           \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, double)                                                          \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, short)                                                           \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, unsigned short)                                                  \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, int)                                                             \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, unsigned int)                                                    \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, long)                                                            \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, unsigned long)                                                   \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, long long)                                                       \
    GPUTEST_NARROW_FROM(__nv_##fp##_##kind_name, fp, kind, unsigned long long)                                              \
    explicit GPUTEST_NARROW operator __half() const { return __half(__nv_cvt_##fp##_to_halfraw(__x, kind)); }               \
    explicit GPUTEST_NARROW operator float() const { return __half2float((__half)*this); }                                  \
    explicit GPUTEST_NARROW operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }                       \
    explicit GPUTEST_NARROW operator double() const { return (float)*this; }                                                \
    explicit GPUTEST_NARROW operator bool() const { return (float)*this != 0; }                                             \
    GPUTEST_NARROW_TO(signed char)                                                                                          \
    GPUTEST_NARROW_TO(char)                                                                                                 \
    GPUTEST_NARROW_TO(unsigned char)                                                                                        \
    GPUTEST_NARROW_TO(short)                                                                                                \
    GPUTEST_NARROW_TO(unsigned short)                                                                                       \
    GPUTEST_NARROW_TO(int)                                                                                                  \
    GPUTEST_NARROW_TO(unsigned int)                                                                                         \
    GPUTEST_NARROW_TO(long)                                                                                                 \
    GPUTEST_NARROW_TO(unsigned long)                                                                                        \
    GPUTEST_NARROW_TO(long long)                                                                                            \
    GPUTEST_NARROW_TO(unsigned long long)                                                                                   \
  };                                                                                                                        \
  struct __nv_##fp##x2_##kind_name {                                                                                        \
    Pair __x;                                                                                                               \
    __nv_##fp##x2_##kind_name() = default;                                                                                  \
    explicit GPUTEST_NARROW __nv_##fp##x2_##kind_name(double2 x)                                                            \
        : __x(__nv_cvt_double2_to_##fp##x2(x, kind, cudaRoundNearest)) {}                                                   \
    explicit GPUTEST_NARROW __nv_##fp##x2_##kind_name(float2 x)                                                             \
        : __x(__nv_cvt_float2_to_##fp##x2(x, kind, cudaRoundNearest)) {}                                                    \
    explicit GPUTEST_NARROW __nv_##fp##x2_##kind_name(__half2 x)                                                            \
        : __x(__nv_cvt_halfraw2_to_##fp##x2(x, kind, cudaRoundNearest)) {}                                                  \
    explicit GPUTEST_NARROW __nv_##fp##x2_##kind_name(__nv_bfloat162 x)                                                     \
        : __x(__nv_cvt_bfloat16raw2_to_##fp##x2(x, kind, cudaRoundNearest)) {}                                              \
    explicit GPUTEST_NARROW operator __half2() const { return __half2(__nv_cvt_##fp##x2_to_halfraw2(__x, kind)); }          \
    explicit GPUTEST_NARROW operator float2() const { return __half22float2((__half2)*this); }                              \
  };                                                                                                                        \
  struct __nv_##fp##x4_##kind_name {                                                                                        \
    Four __x;                                                                                                               \
    __nv_##fp##x4_##kind_name() = default;                                                                                  \
    explicit GPUTEST_NARROW __nv_##fp##x4_##kind_name(__half2 low, __half2 high)                                            \
        : __x(together(__nv_cvt_halfraw2_to_##fp##x2(low, kind, cudaRoundNearest),                                          \
                       __nv_cvt_halfraw2_to_##fp##x2(high, kind, cudaRoundNearest))) {}                                     \
    explicit GPUTEST_NARROW __nv_##fp##x4_##kind_name(__nv_bfloat162 low, __nv_bfloat162 high)                              \
        : __x(together(__nv_cvt_bfloat16raw2_to_##fp##x2(low, kind, cudaRoundNearest),                                      \
                       __nv_cvt_bfloat16raw2_to_##fp##x2(high, kind, cudaRoundNearest))) {}                                 \
    explicit GPUTEST_NARROW __nv_##fp##x4_##kind_name(float4 x)                                                             \
        : __x(together(__nv_cvt_float2_to_##fp##x2(make_float2(x.x, x.y), kind, cudaRoundNearest),                          \
                       __nv_cvt_float2_to_##fp##x2(make_float2(x.z, x.w), kind, cudaRoundNearest))) {}                      \
    explicit GPUTEST_NARROW __nv_##fp##x4_##kind_name(double4 x)                                                            \
        : __x(together(__nv_cvt_double2_to_##fp##x2(make_double2(x.x, x.y), kind, cudaRoundNearest),                        \
                       __nv_cvt_double2_to_##fp##x2(make_double2(x.z, x.w), kind, cudaRoundNearest))) {}                    \
    explicit GPUTEST_NARROW operator float4() const {                                                                       \
      const float2 low = __half22float2(__half2(__nv_cvt_##fp##x2_to_halfraw2((Pair)(__x & ((1u << 2 * step) - 1)), kind))); \
      const float2 high = __half22float2(__half2(__nv_cvt_##fp##x2_to_halfraw2((Pair)(__x >> 2 * step), kind)));            \
      return make_float4(low.x, low.y, high.x, high.y);                                                                     \
    }                                                                                                                       \
                                                                                                                            \
  private:                                                                                                                  \
    static GPUTEST_NARROW Four together(Pair low, Pair high) { return (Four)(low | (Four)high << 2 * step); }               \
  };

#endif

#endif
