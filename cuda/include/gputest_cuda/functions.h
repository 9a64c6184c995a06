// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of device code that Clang's headers expect a toolkit to have.
#ifndef GPUTEST_CUDA_FUNCTIONS_H
#define GPUTEST_CUDA_FUNCTIONS_H

// min and max in the global namespace. Clang's headers have those of int for the device.
static inline __host__ int min(int a, int b) {
  return a < b ? a : b;
}
static inline __host__ int max(int a, int b) {
  return a > b ? a : b;
}
#define GPUTEST_MIN_MAX(A, B, T)                                                                   \
  static inline __host__ __device__ T min(A a, B b) {                                              \
    return (T)a < (T)b ? (T)a : (T)b;                                                              \
  }                                                                                                \
  static inline __host__ __device__ T max(A a, B b) {                                              \
    return (T)a > (T)b ? (T)a : (T)b;                                                              \
  }
GPUTEST_MIN_MAX(unsigned, unsigned, unsigned)
GPUTEST_MIN_MAX(int, unsigned, unsigned)
GPUTEST_MIN_MAX(unsigned, int, unsigned)
GPUTEST_MIN_MAX(long, long, long)
GPUTEST_MIN_MAX(unsigned long, unsigned long, unsigned long)
GPUTEST_MIN_MAX(long, unsigned long, unsigned long)
GPUTEST_MIN_MAX(unsigned long, long, unsigned long)
GPUTEST_MIN_MAX(long long, long long, long long)
GPUTEST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
GPUTEST_MIN_MAX(long long, unsigned long long, unsigned long long)
GPUTEST_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef GPUTEST_MIN_MAX
#define GPUTEST_MIN_MAX(A, B, T, suffix)                                                           \
  static inline __host__ __device__ T min(A a, B b) {                                              \
    return fmin##suffix((T)a, (T)b);                                                               \
  }                                                                                                \
  static inline __host__ __device__ T max(A a, B b) {                                              \
    return fmax##suffix((T)a, (T)b);                                                               \
  }
GPUTEST_MIN_MAX(float, float, float, f)
GPUTEST_MIN_MAX(double, double, double, )
GPUTEST_MIN_MAX(float, double, double, )
GPUTEST_MIN_MAX(double, float, double, )
#undef GPUTEST_MIN_MAX

#include "gputest_cuda/host_math.h"

// Overloads for float, which have C's names. Clang's headers declare those that std has, too.
#define GPUTEST_OF_FLOAT(result, function, parameters, arguments)                                  \
  static inline __device__ result function parameters {                                            \
    return function##f arguments;                                                                  \
  }
#define GPUTEST_OF_ONE(function) GPUTEST_OF_FLOAT(float, function, (float x), (x))
#define GPUTEST_OF_TWO(function) GPUTEST_OF_FLOAT(float, function, (float x, float y), (x, y))
GPUTEST_OF_ONE(acosh)
GPUTEST_OF_ONE(asinh)
GPUTEST_OF_ONE(atanh)
GPUTEST_OF_ONE(cbrt)
GPUTEST_OF_ONE(cospi)
GPUTEST_OF_ONE(cyl_bessel_i0)
GPUTEST_OF_ONE(cyl_bessel_i1)
GPUTEST_OF_ONE(erf)
GPUTEST_OF_ONE(erfc)
GPUTEST_OF_ONE(erfcinv)
GPUTEST_OF_ONE(erfcx)
GPUTEST_OF_ONE(erfinv)
GPUTEST_OF_ONE(exp10)
GPUTEST_OF_ONE(exp2)
GPUTEST_OF_ONE(expm1)
GPUTEST_OF_ONE(j0)
GPUTEST_OF_ONE(j1)
GPUTEST_OF_ONE(lgamma)
GPUTEST_OF_ONE(log1p)
GPUTEST_OF_ONE(log2)
GPUTEST_OF_ONE(logb)
GPUTEST_OF_ONE(nearbyint)
GPUTEST_OF_ONE(normcdf)
GPUTEST_OF_ONE(normcdfinv)
GPUTEST_OF_ONE(rcbrt)
GPUTEST_OF_ONE(rint)
GPUTEST_OF_ONE(round)
GPUTEST_OF_ONE(rsqrt)
GPUTEST_OF_ONE(sinpi)
GPUTEST_OF_ONE(tgamma)
GPUTEST_OF_ONE(trunc)
GPUTEST_OF_ONE(y0)
GPUTEST_OF_ONE(y1)
GPUTEST_OF_TWO(copysign)
GPUTEST_OF_TWO(fdim)
GPUTEST_OF_TWO(fmax)
GPUTEST_OF_TWO(fmin)
GPUTEST_OF_TWO(hypot)
GPUTEST_OF_TWO(nextafter)
GPUTEST_OF_TWO(remainder)
GPUTEST_OF_FLOAT(float, fma, (float x, float y, float z), (x, y, z))
GPUTEST_OF_FLOAT(int, ilogb, (float x), (x))
GPUTEST_OF_FLOAT(long, lrint, (float x), (x))
GPUTEST_OF_FLOAT(long, lround, (float x), (x))
GPUTEST_OF_FLOAT(long long, llrint, (float x), (x))
GPUTEST_OF_FLOAT(long long, llround, (float x), (x))
GPUTEST_OF_FLOAT(float, scalbn, (float x, int exponent), (x, exponent))
GPUTEST_OF_FLOAT(float, scalbln, (float x, long exponent), (x, exponent))
GPUTEST_OF_FLOAT(float, remquo, (float x, float y, int* quotient), (x, y, quotient))
GPUTEST_OF_FLOAT(float, jn, (int n, float x), (n, x))
GPUTEST_OF_FLOAT(float, yn, (int n, float x), (n, x))
#undef GPUTEST_OF_TWO
#undef GPUTEST_OF_ONE
#undef GPUTEST_OF_FLOAT
// Clang's headers declare these, too. A long double of the device is a double.
static inline __device__ bool isfinite(long double x) {
  return isfinite((double)x);
}
static inline __device__ bool isinf(long double x) {
  return isinf((double)x);
}
static inline __device__ bool isnan(long double x) {
  return isnan((double)x);
}
static inline __device__ bool signbit(long double x) {
  return signbit((double)x);
}
static inline __device__ double nan(const char*) {
  return __builtin_nan("");
}
static inline __device__ float nanf(const char*) {
  return __builtin_nanf("");
}
static inline __device__ void sincos(float x, float* s, float* c) {
  sincosf(x, s, c);
}
static inline __device__ void sincospi(float x, float* s, float* c) {
  sincospif(x, s, c);
}

// A read through the texture cache is an ordinary read.
#define GPUTEST_LOAD(name)                                                                         \
  template <typename T> static __device__ __forceinline__ T name(const T* at) {                    \
    return *at;                                                                                    \
  }
GPUTEST_LOAD(__ldg)
GPUTEST_LOAD(__ldcg)
GPUTEST_LOAD(__ldca)
GPUTEST_LOAD(__ldcs)
GPUTEST_LOAD(__ldlu)
GPUTEST_LOAD(__ldcv)
#undef GPUTEST_LOAD
#define GPUTEST_STORE(name)                                                                        \
  template <typename T> static __device__ __forceinline__ void name(T* at, T value) {              \
    *at = value;                                                                                   \
  }
GPUTEST_STORE(__stcg)
GPUTEST_STORE(__stcs)
GPUTEST_STORE(__stwt)
GPUTEST_STORE(__stwb)
#undef GPUTEST_STORE

static __device__ __forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high,
                                                           unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
static __device__ __forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high,
                                                           unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
static __device__ __forceinline__ unsigned __funnelshift_lc(unsigned low, unsigned high,
                                                            unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
static __device__ __forceinline__ unsigned __funnelshift_rc(unsigned low, unsigned high,
                                                            unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
static __device__ __forceinline__ int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
  return c;
}
static __device__ __forceinline__ unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (unsigned)(unsigned char)(a >> i) * (unsigned)(unsigned char)(b >> i);
  return c;
}

// Adds to c the products of two 16-bit numbers with the lower (or upper) two 8-bit numbers.
static __device__ __forceinline__ int __dp2a_lo(int a, int b, int c) {
  return c + (int)(short)a * (int)(signed char)b + (int)(short)(a >> 16) * (int)(signed char)(b >> 8);
}
static __device__ __forceinline__ int __dp2a_hi(int a, int b, int c) {
  return __dp2a_lo(a, b >> 16, c);
}
static __device__ __forceinline__ unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
static __device__ __forceinline__ unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __dp2a_lo(a, b >> 16, c);
}

// The same for vectors.
#define GPUTEST_DOT_PRODUCTS(T, V2, V4)                                                         \
  static __device__ __forceinline__ T __dp4a(V4 a, V4 b, T c) {                                    \
    return c + (T)a.x * (T)b.x + (T)a.y * (T)b.y + (T)a.z * (T)b.z + (T)a.w * (T)b.w;              \
  }                                                                                                \
  static __device__ __forceinline__ T __dp2a_lo(V2 a, V4 b, T c) {                                 \
    return c + (T)a.x * (T)b.x + (T)a.y * (T)b.y;                                                  \
  }                                                                                                \
  static __device__ __forceinline__ T __dp2a_hi(V2 a, V4 b, T c) {                                 \
    return c + (T)a.x * (T)b.z + (T)a.y * (T)b.w;                                                  \
  }
GPUTEST_DOT_PRODUCTS(int, short2, char4)
GPUTEST_DOT_PRODUCTS(unsigned, ushort2, uchar4)
#undef GPUTEST_DOT_PRODUCTS

static __device__ __forceinline__ long long __clock64() {
  return clock64();
}
// Returns the position of the offset-th set bit from `base` on, upwards, or downwards for a
// negative offset. Offset 0 asks for `base` itself. Returns 0xffffffff if there is no such bit.
static __device__ __forceinline__ unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0)
    return mask >> base & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && (offset -= step) == 0)
      return (unsigned)at;
  return 0xffffffffu;
}
static __device__ __forceinline__ void __nanosleep(unsigned) {
}

// Barriers with a number, also for a part of the block.
static __device__ __forceinline__ void __barrier_sync(unsigned number) {
  asm volatile("barrier.sync %0;" : : "r"(number) : "memory");
}
static __device__ __forceinline__ void __barrier_sync_count(unsigned number, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
}

// Addresses of all kinds are numbers of one space.
#define GPUTEST_SPACE(name, Name, is)                                                              \
  static __device__ __forceinline__ unsigned __is##Name(const void* p) {                           \
    return __nvvm_isspacep_##is(p);                                                                \
  }                                                                                                \
  static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void* p) {               \
    return (size_t)p;                                                                              \
  }
#define GPUTEST_GENERIC(name)                                                                      \
  static __device__ __forceinline__ void* __cvta_##name##_to_generic(size_t address) {             \
    return (void*)address;                                                                         \
  }
GPUTEST_SPACE(global, Global, global)
GPUTEST_SPACE(shared, Shared, shared)
GPUTEST_SPACE(constant, Constant, const)
GPUTEST_SPACE(local, Local, local)
GPUTEST_GENERIC(global)
GPUTEST_GENERIC(constant)
GPUTEST_GENERIC(local)
#undef GPUTEST_SPACE
#undef GPUTEST_GENERIC
// A parameter with __grid_constant__ is a copy here, like others.
static __device__ __forceinline__ unsigned __isGridConstant(const void*) {
  return 0;
}
// Accepts addresses of which programs have kept only 32 bits.
static __device__ __forceinline__ void* __cvta_shared_to_generic(size_t address) {
  size_t generic;
  asm("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"(address));
  return (void*)generic;
}

// Nothing to do: a launch begins when earlier work of its stream has ended.
static __device__ __forceinline__ void cudaGridDependencySynchronize() {
}
static __device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
}

// A hint for caches.
static __device__ __forceinline__ void* __nv_associate_access_property(const void* p,
                                                                       unsigned long long) {
  return const_cast<void*>(p);
}

static __device__ __forceinline__ float __tanhf(float x) {
  return tanhf(x);
}

// The handle is the address of the condition's word.
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                               unsigned int value) {
  atomicExch(reinterpret_cast<unsigned int*>(handle), value);
}

#endif
