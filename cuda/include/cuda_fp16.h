// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision (CUDA Math API, "Half Precision Intrinsics") with the compiler's _Float16.
#ifndef GPUTEST_CUDA_FP16_H
#define GPUTEST_CUDA_FP16_H

#include "cuda_runtime.h"
#include "gputest_cuda/half_functions.h"

#ifdef __cplusplus

#ifdef __CUDA__
#define GPUTEST_HD static __host__ __device__ __forceinline__
#define GPUTEST_MEMBER __host__ __device__ __forceinline__
#else
#define GPUTEST_HD static inline
#define GPUTEST_MEMBER inline
#endif

// With these macros, numbers and halves become each other by a cast or a function alone.
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define GPUTEST_IMPLICIT explicit
#else
#define GPUTEST_IMPLICIT
#endif

struct __half_raw {
  unsigned short x;
};
struct __nv_bfloat16;
// What is no number has one code as a half, and another one as a float of a half.
GPUTEST_HD unsigned short __gputest_half_code(_Float16 value) {
  unsigned short code;
  __builtin_memcpy(&code, &value, sizeof code);
  return value != value ? 0x7fff : code;
}
struct __half {
  unsigned short __x; // the name in CUDA's headers, which libraries use
  __half() = default;
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(float x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(double x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(int x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(unsigned x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(short x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(long x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(unsigned long x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(long long x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(unsigned short x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __half(unsigned long long x) : __x(__gputest_half_code((_Float16)x)) {}
  GPUTEST_MEMBER constexpr __half(const __half_raw& raw) : __x(raw.x) {}
  GPUTEST_MEMBER operator __half_raw() const { return {__x}; }
  GPUTEST_MEMBER operator __half_raw() const volatile { return {__x}; }
  GPUTEST_MEMBER __half& operator=(const __half_raw& raw) { return *this = __half(raw); }
  GPUTEST_MEMBER volatile __half& operator=(const __half_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  explicit GPUTEST_MEMBER __half(__nv_bfloat16 x); // cuda_bf16.h
  GPUTEST_IMPLICIT GPUTEST_MEMBER operator float() const {
    _Float16 value;
    __builtin_memcpy(&value, &__x, sizeof value);
    return value != value ? __builtin_nanf("0x3fffff") : (float)value;
  }
  GPUTEST_IMPLICIT GPUTEST_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
#define GPUTEST_INTEGER(type, name) GPUTEST_IMPLICIT GPUTEST_MEMBER operator type() const;
  GPUTEST_EACH_INTEGER(GPUTEST_INTEGER)
#undef GPUTEST_INTEGER
};
#undef GPUTEST_IMPLICIT
#ifndef CUDA_NO_HALF
typedef __half half;
#endif
struct __align__(4) __half2_raw {
  unsigned short x, y;
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  GPUTEST_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
  GPUTEST_MEMBER __half2(const __half2_raw& raw) { __builtin_memcpy(this, &raw, sizeof raw); }
  GPUTEST_MEMBER operator __half2_raw() const {
    __half2_raw raw;
    __builtin_memcpy(&raw, this, sizeof raw);
    return raw;
  }
};
#ifndef CUDA_NO_HALF
typedef __half2 half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00U)

GPUTEST_HD __half __gputest_half(_Float16 value) {
  __half result;
  result.__x = __gputest_half_code(value);
  return result;
}
GPUTEST_HD _Float16 __gputest_value(__half a) {
  _Float16 value;
  __builtin_memcpy(&value, &a, sizeof value);
  return value;
}
GPUTEST_HD __half __hadd(__half a, __half b) {
  return __gputest_half(__gputest_value(a) + __gputest_value(b));
}
GPUTEST_HD __half __hsub(__half a, __half b) {
  return __gputest_half(__gputest_value(a) - __gputest_value(b));
}
GPUTEST_HD __half __hmul(__half a, __half b) {
  return __gputest_half(__gputest_value(a) * __gputest_value(b));
}
GPUTEST_HD __half __hdiv(__half a, __half b) {
  return __gputest_half(__gputest_value(a) / __gputest_value(b));
}

GPUTEST_HD __half __hneg(__half a) {
  return __gputest_half(-__gputest_value(a));
}
GPUTEST_HD __half __habs(__half a) {
  return __gputest_half((_Float16)__builtin_fabsf((float)__gputest_value(a)));
}
GPUTEST_HD bool __hisnan(__half a) {
  return __gputest_value(a) != __gputest_value(a);
}
GPUTEST_HD __half __hmax(__half a, __half b) {
  return __hisnan(a) || __gputest_value(a) < __gputest_value(b) ? __gputest_half(__gputest_value(b)) : a;
}
GPUTEST_HD __half __hmin(__half a, __half b) {
  return __hisnan(a) || __gputest_value(b) < __gputest_value(a) ? __gputest_half(__gputest_value(b)) : a;
}
// The product of two halves is exact in float, and its sum with a half is exact in double.
GPUTEST_HD __half __hfma(__half a, __half b, __half c) {
  return __gputest_half((_Float16)((double)__gputest_value(a) * (double)__gputest_value(b) + (double)__gputest_value(c)));
}

GPUTEST_HD unsigned short __half_as_ushort(__half x) {
  unsigned short bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
GPUTEST_HD __half __ushort_as_half(unsigned short bits) {
  __half x;
  __builtin_memcpy(&x, &bits, sizeof bits);
  return x;
}
GPUTEST_OPERATIONS(__half, __half2)
GPUTEST_COMPARISONS(__half)
GPUTEST_CONVERSIONS(__half, __half2, half)
GPUTEST_NARROW_FUNCTIONS(__half, __half2)
GPUTEST_ALL_UNORDERED(__half, __half2)
GPUTEST_PAIRS(__half, __half2)
GPUTEST_UNORDERED_PAIRS(__half, __half2)
GPUTEST_TO_INTEGERS(__half, half)
GPUTEST_FROM_ALL(__half, half, __float2half)
#define GPUTEST_INTEGER(type, name)                                                                \
  GPUTEST_MEMBER __half::operator type() const { return (type)__half2##name##_rz(*this); }
GPUTEST_EACH_INTEGER(GPUTEST_INTEGER)
#undef GPUTEST_INTEGER
#ifndef __CUDA_NO_HALF_OPERATORS__
GPUTEST_NUMBER_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
GPUTEST_PAIR_OPERATORS(__half, __half2)
#endif

#ifdef __CUDA__
GPUTEST_ALL_NARROW_MATH(__half, __half2)
GPUTEST_ATOMIC_ADD(__half, __half2, half)
GPUTEST_SHUFFLES(__half)
GPUTEST_SHUFFLES(__half2)
#endif

#undef GPUTEST_HD
#undef GPUTEST_MEMBER

#endif

#endif
