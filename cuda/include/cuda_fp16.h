// Half precision (CUDA Math API, "Half Precision Intrinsics"), by the compiler's _Float16.
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

struct __half_raw {
  unsigned short x;
};
struct __half {
  _Float16 value;
  __half() = default;
  GPUTEST_MEMBER __half(float x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(double x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(int x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(unsigned x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(short x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(long long x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(unsigned short x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(unsigned long long x) : value((_Float16)x) {}
  GPUTEST_MEMBER __half(const __half_raw& raw) { __builtin_memcpy(&value, &raw, sizeof value); }
  GPUTEST_MEMBER operator __half_raw() const {
    __half_raw raw;
    __builtin_memcpy(&raw, &value, sizeof raw);
    return raw;
  }
  GPUTEST_MEMBER operator __half_raw() const volatile { return {*(const volatile unsigned short*)this}; }
  GPUTEST_MEMBER __half& operator=(const __half_raw& raw) { return *this = __half(raw); }
  GPUTEST_MEMBER volatile __half& operator=(const __half_raw& raw) volatile {
    *(volatile unsigned short*)this = raw.x;
    return *this;
  }
  GPUTEST_MEMBER operator float() const { return (float)value; }
  GPUTEST_MEMBER __half& operator+=(__half b);
  GPUTEST_MEMBER __half& operator-=(__half b);
  GPUTEST_MEMBER __half& operator*=(__half b);
  GPUTEST_MEMBER __half& operator/=(__half b);
};
typedef __half half;
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
typedef __half2 half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00U)

GPUTEST_HD __half __gputest_half(_Float16 value) {
  __half result;
  result.value = value;
  return result;
}
GPUTEST_HD __half __hadd(__half a, __half b) {
  return __gputest_half(a.value + b.value);
}
GPUTEST_HD __half2 __hadd2(__half2 a, __half2 b) {
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
GPUTEST_HD __half operator+(__half a, __half b) {
  return __hadd(a, b);
}
GPUTEST_HD __half2 operator+(__half2 a, __half2 b) {
  return __hadd2(a, b);
}
GPUTEST_MEMBER __half& __half::operator+=(__half b) {
  return *this = __hadd(*this, b);
}
GPUTEST_HD __half __hsub(__half a, __half b) {
  return __gputest_half(a.value - b.value);
}
GPUTEST_HD __half2 __hsub2(__half2 a, __half2 b) {
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
GPUTEST_HD __half operator-(__half a, __half b) {
  return __hsub(a, b);
}
GPUTEST_HD __half2 operator-(__half2 a, __half2 b) {
  return __hsub2(a, b);
}
GPUTEST_MEMBER __half& __half::operator-=(__half b) {
  return *this = __hsub(*this, b);
}
GPUTEST_HD __half __hmul(__half a, __half b) {
  return __gputest_half(a.value * b.value);
}
GPUTEST_HD __half2 __hmul2(__half2 a, __half2 b) {
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
GPUTEST_HD __half operator*(__half a, __half b) {
  return __hmul(a, b);
}
GPUTEST_HD __half2 operator*(__half2 a, __half2 b) {
  return __hmul2(a, b);
}
GPUTEST_MEMBER __half& __half::operator*=(__half b) {
  return *this = __hmul(*this, b);
}
GPUTEST_HD __half __hdiv(__half a, __half b) {
  return __gputest_half(a.value / b.value);
}
GPUTEST_HD __half2 __h2div(__half2 a, __half2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
GPUTEST_HD __half operator/(__half a, __half b) {
  return __hdiv(a, b);
}
GPUTEST_HD __half2 operator/(__half2 a, __half2 b) {
  return __h2div(a, b);
}
GPUTEST_MEMBER __half& __half::operator/=(__half b) {
  return *this = __hdiv(*this, b);
}
GPUTEST_HD bool __heq(__half a, __half b) {
  return a.value == b.value;
}
GPUTEST_HD bool operator==(__half a, __half b) {
  return a.value == b.value;
}
GPUTEST_HD bool __hne(__half a, __half b) { // false where one is no number
  return a.value < b.value || a.value > b.value;
}
GPUTEST_HD bool operator!=(__half a, __half b) {
  return a.value != b.value;
}
GPUTEST_HD bool __hlt(__half a, __half b) {
  return a.value < b.value;
}
GPUTEST_HD bool operator<(__half a, __half b) {
  return a.value < b.value;
}
GPUTEST_HD bool __hle(__half a, __half b) {
  return a.value <= b.value;
}
GPUTEST_HD bool operator<=(__half a, __half b) {
  return a.value <= b.value;
}
GPUTEST_HD bool __hgt(__half a, __half b) {
  return a.value > b.value;
}
GPUTEST_HD bool operator>(__half a, __half b) {
  return a.value > b.value;
}
GPUTEST_HD bool __hge(__half a, __half b) {
  return a.value >= b.value;
}
GPUTEST_HD bool operator>=(__half a, __half b) {
  return a.value >= b.value;
}

GPUTEST_HD __half __hneg(__half a) {
  return __gputest_half(-a.value);
}
GPUTEST_HD __half operator-(__half a) {
  return __hneg(a);
}
GPUTEST_HD __half __habs(__half a) {
  return __gputest_half((_Float16)__builtin_fabsf((float)a.value));
}
GPUTEST_HD bool __hisnan(__half a) {
  return a.value != a.value;
}
GPUTEST_HD __half __hmax(__half a, __half b) {
  return __hisnan(a) || a.value < b.value ? b : a;
}
GPUTEST_HD __half __hmin(__half a, __half b) {
  return __hisnan(a) || b.value < a.value ? b : a;
}
// A product of two halves is exact in float, and a sum of it and a half in double.
GPUTEST_HD __half __hfma(__half a, __half b, __half c) {
  return __gputest_half((_Float16)((double)a.value * (double)b.value + (double)c.value));
}
GPUTEST_HD __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

GPUTEST_HD __half __float2half(float x) {
  return __half(x);
}
GPUTEST_HD __half __float2half_rn(float x) {
  return __half(x);
}
GPUTEST_HD __half __double2half(double x) {
  return __half(x);
}
GPUTEST_HD float __half2float(__half x) {
  return (float)x.value;
}
GPUTEST_HD __half2 __float2half2_rn(float x) {
  return {__half(x), __half(x)};
}
GPUTEST_HD __half2 __floats2half2_rn(float x, float y) {
  return {__half(x), __half(y)};
}
GPUTEST_HD __half2 __float22half2_rn(float2 x) {
  return {__half(x.x), __half(x.y)};
}
GPUTEST_HD float2 __half22float2(__half2 x) {
  return make_float2((float)x.x.value, (float)x.y.value);
}
GPUTEST_HD float __low2float(__half2 x) {
  return (float)x.x.value;
}
GPUTEST_HD float __high2float(__half2 x) {
  return (float)x.y.value;
}
GPUTEST_HD __half __low2half(__half2 x) {
  return x.x;
}
GPUTEST_HD __half __high2half(__half2 x) {
  return x.y;
}
GPUTEST_HD __half2 __half2half2(__half x) {
  return {x, x};
}
GPUTEST_HD __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
GPUTEST_HD __half2 make_half2(__half x, __half y) {
  return {x, y};
}
GPUTEST_HD __half2 __low2half2(__half2 x) {
  return {x.x, x.x};
}
GPUTEST_HD __half2 __high2half2(__half2 x) {
  return {x.y, x.y};
}
GPUTEST_HD __half __int2half_rn(int x) {
  return __half(x);
}
GPUTEST_HD __half __uint2half_rn(unsigned x) {
  return __half(x);
}
GPUTEST_HD __half __short2half_rn(short x) {
  return __half(x);
}
GPUTEST_HD __half __ushort2half_rn(unsigned short x) {
  return __half(x);
}
GPUTEST_HD __half __ll2half_rn(long long x) {
  return __half(x);
}
GPUTEST_HD __half __ull2half_rn(unsigned long long x) {
  return __half(x);
}
GPUTEST_HD __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
GPUTEST_HD __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}
GPUTEST_HD __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
GPUTEST_HD __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
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
GPUTEST_HD short __half_as_short(__half x) {
  return (short)__half_as_ushort(x);
}
GPUTEST_HD __half __short_as_half(short bits) {
  return __ushort_as_half((unsigned short)bits);
}
GPUTEST_NARROW_FUNCTIONS(__half, __half2)
GPUTEST_ALL_UNORDERED(__half, __half2)
GPUTEST_PAIRS(__half, __half2)
GPUTEST_UNORDERED_PAIRS(__half, __half2)
GPUTEST_TO_INTEGERS(__half, half)
GPUTEST_FROM_ALL(__half, half, __float2half)

#ifdef __CUDA__
GPUTEST_ALL_NARROW_MATH(__half, __half2)
static __device__ __forceinline__ __half atomicAdd(__half* at, __half value) {
  unsigned short* const bits = (unsigned short*)at;
  unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED), before;
  do {
    before = old;
    old = atomicCAS(bits, before, __half_as_ushort(__ushort_as_half(before) + value));
  } while (old != before);
  return __ushort_as_half(old);
}
static __device__ __forceinline__ __half2 atomicAdd(__half2* at, __half2 value) {
  const __half x = atomicAdd(&at->x, value.x);
  return {x, atomicAdd(&at->y, value.y)};
}
GPUTEST_SHUFFLES(__half)
GPUTEST_SHUFFLES(__half2)
#endif

#undef GPUTEST_HD
#undef GPUTEST_MEMBER

#endif

#endif
