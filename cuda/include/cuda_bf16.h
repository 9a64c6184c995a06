// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bfloat16 (CUDA Math API, "Bfloat16 Precision Intrinsics"): the upper half of a float. Each
// operation is computed in float and rounded once.
#ifndef GPUTEST_CUDA_BF16_H
#define GPUTEST_CUDA_BF16_H

#include "cuda_fp16.h"

#include <math.h>

#ifdef __cplusplus

#ifdef __CUDA__
#define GPUTEST_HD static __host__ __device__ __forceinline__
#define GPUTEST_MEMBER __host__ __device__ __forceinline__
#else
#define GPUTEST_HD static inline
#define GPUTEST_MEMBER inline
#endif

// Rounds to the nearest value, ties to even.
GPUTEST_HD unsigned short __gputest_bfloat16(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  if (x != x)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Rounds a double only once: first cuts it to a float whose last bit says whether something was
// lost.
GPUTEST_HD unsigned short __gputest_bfloat16(double x) {
  float cut = (float)x;
  unsigned bits;
  __builtin_memcpy(&bits, &cut, sizeof bits);
  if (__builtin_isinf(cut) || (double)cut == x || x != x)
    return __gputest_bfloat16(cut);
  if (__builtin_fabs((double)cut) > __builtin_fabs(x))
    --bits; // towards zero
  bits |= 1;
  __builtin_memcpy(&cut, &bits, sizeof bits);
  return __gputest_bfloat16(cut);
}

// This macro makes conversions explicit, as its twin in cuda_fp16.h does.
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define GPUTEST_IMPLICIT explicit
#else
#define GPUTEST_IMPLICIT
#endif

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat16 {
  unsigned short __x; // the name in CUDA's headers, which libraries use
  __nv_bfloat16() = default;
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(float x) : __x(__gputest_bfloat16(x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(double x) : __x(__gputest_bfloat16(x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(int x) : __x(__gputest_bfloat16((double)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(unsigned x) : __x(__gputest_bfloat16((double)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(short x) : __x(__gputest_bfloat16((float)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(unsigned short x) : __x(__gputest_bfloat16((float)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(long x)
      : __x(__gputest_bfloat16(__gputest_for_rounding((long long)x))) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(unsigned long x)
      : __x(__gputest_bfloat16(__gputest_for_rounding((unsigned long long)x))) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(long long x) : __x(__gputest_bfloat16(__gputest_for_rounding(x))) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER __nv_bfloat16(unsigned long long x) : __x(__gputest_bfloat16(__gputest_for_rounding(x))) {}
  GPUTEST_MEMBER constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  GPUTEST_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
  GPUTEST_MEMBER operator __nv_bfloat16_raw() const volatile { return {__x}; }
  GPUTEST_MEMBER __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
    __x = raw.x;
    return *this;
  }
  GPUTEST_MEMBER volatile __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  explicit GPUTEST_MEMBER __nv_bfloat16(__half x) : __x(__gputest_bfloat16((float)x)) {}
  GPUTEST_IMPLICIT GPUTEST_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
#define GPUTEST_INTEGER(type, name) GPUTEST_IMPLICIT GPUTEST_MEMBER operator type() const;
  GPUTEST_EACH_INTEGER(GPUTEST_INTEGER)
#undef GPUTEST_INTEGER
  GPUTEST_IMPLICIT GPUTEST_MEMBER operator float() const {
    const unsigned wide = (unsigned)__x << 16;
    float x;
    __builtin_memcpy(&x, &wide, sizeof x);
    return x;
  }
};
#undef GPUTEST_IMPLICIT
GPUTEST_MEMBER __half::__half(__nv_bfloat16 x) : __half((float)x) {}
#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
#endif
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  GPUTEST_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
  GPUTEST_MEMBER __nv_bfloat162(const __nv_bfloat162_raw& raw) { __builtin_memcpy(this, &raw, sizeof raw); }
  GPUTEST_MEMBER operator __nv_bfloat162_raw() const {
    __nv_bfloat162_raw raw;
    __builtin_memcpy(&raw, this, sizeof raw);
    return raw;
  }
};
#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat162 nv_bfloat162;
#endif
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80U)

GPUTEST_HD __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a + (float)b);
}
GPUTEST_HD __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a - (float)b);
}
GPUTEST_HD __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a * (float)b);
}
GPUTEST_HD __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a / (float)b);
}
GPUTEST_HD __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __nv_bfloat16(-(float)a);
}
GPUTEST_HD __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16(__builtin_fabsf((float)a));
}
GPUTEST_HD __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(fmaxf((float)a, (float)b));
}
GPUTEST_HD __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(fminf((float)a, (float)b));
}
GPUTEST_HD bool __hisnan(__nv_bfloat16 a) {
  return (float)a != (float)a;
}
// The product is exact in double. If the sum is not exact, its last bit is set, so that it is no
// tie.
GPUTEST_HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  const double product = (double)(float)a * (double)(float)b, other = (float)c;
  double sum = product + other;
  const double added = sum - product, lost = (product - (sum - added)) + (other - added);
  unsigned long long bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if (lost == lost && lost != 0 && sum != 0 && !(bits & 1)) {
    bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    __builtin_memcpy(&sum, &bits, sizeof bits);
  }
  return __nv_bfloat16(sum);
}

GPUTEST_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
  return x.__x;
}
GPUTEST_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 x;
  x.__x = bits;
  return x;
}
GPUTEST_OPERATIONS(__nv_bfloat16, __nv_bfloat162)
GPUTEST_COMPARISONS(__nv_bfloat16)
GPUTEST_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
GPUTEST_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
GPUTEST_ALL_UNORDERED(__nv_bfloat16, __nv_bfloat162)
GPUTEST_PAIRS(__nv_bfloat16, __nv_bfloat162)
GPUTEST_UNORDERED_PAIRS(__nv_bfloat16, __nv_bfloat162)
GPUTEST_TO_INTEGERS(__nv_bfloat16, bfloat16)
GPUTEST_FROM_ALL(__nv_bfloat16, bfloat16, __float2bfloat16)
#define GPUTEST_INTEGER(type, name)                                                                \
  GPUTEST_MEMBER __nv_bfloat16::operator type() const { return (type)__bfloat162##name##_rz(*this); }
GPUTEST_EACH_INTEGER(GPUTEST_INTEGER)
#undef GPUTEST_INTEGER
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
GPUTEST_NUMBER_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
GPUTEST_PAIR_OPERATORS(__nv_bfloat16, __nv_bfloat162)
#endif

#ifdef __CUDA__
GPUTEST_ALL_NARROW_MATH(__nv_bfloat16, __nv_bfloat162)
GPUTEST_ATOMIC_ADD(__nv_bfloat16, __nv_bfloat162, bfloat16)
GPUTEST_SHUFFLES(__nv_bfloat16)
GPUTEST_SHUFFLES(__nv_bfloat162)
#endif
#undef GPUTEST_HD
#undef GPUTEST_MEMBER

#endif

#endif
