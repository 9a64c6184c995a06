// What random programs share: functions that are the same on both sides, and what the warps of a
// block make of their threads' values, in plain C++.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace cg = cooperative_groups;
using ull = unsigned long long;

#define BOTH __host__ __device__ inline

// Functions of the device, and what they mean.
BOTH unsigned bits_set(unsigned a) {
#ifdef __CUDA_ARCH__
  return __popc(a);
#else
  unsigned n = 0;
  for (; a; a >>= 1)
    n += a & 1;
  return n;
#endif
}
BOTH unsigned zeros_above(unsigned a) {
#ifdef __CUDA_ARCH__
  return __clz(a);
#else
  unsigned n = 0;
  for (unsigned bit = 0x80000000U; bit && !(a & bit); bit >>= 1)
    ++n;
  return n;
#endif
}
BOTH unsigned first_set(unsigned a) {
#ifdef __CUDA_ARCH__
  return __ffs(a);
#else
  for (unsigned i = 0; i < 32; ++i)
    if (a >> i & 1)
      return i + 1;
  return 0;
#endif
}
BOTH unsigned reversed(unsigned a) {
#ifdef __CUDA_ARCH__
  return __brev(a);
#else
  unsigned r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= (a >> i & 1) << (31 - i);
  return r;
#endif
}
BOTH unsigned high_product(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  return __umulhi(a, b);
#else
  return static_cast<unsigned>((static_cast<ull>(a) * b) >> 32);
#endif
}
BOTH unsigned bytes_chosen(unsigned a, unsigned b, unsigned s) {
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, s & 0x7777);
#else
  const ull all = static_cast<ull>(b) << 32 | a;
  unsigned r = 0;
  for (unsigned i = 0; i < 4; ++i)
    r |= static_cast<unsigned>(all >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
  return r;
#endif
}
BOTH unsigned funnel(unsigned a, unsigned b, unsigned s) {
#ifdef __CUDA_ARCH__
  return __funnelshift_l(a, b, s);
#else
  return static_cast<unsigned>(((static_cast<ull>(b) << 32 | a) << (s & 31)) >> 32);
#endif
}
BOTH unsigned bytes_added(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  return __vadd4(a, b);
#else
  unsigned r = 0;
  for (unsigned i = 0; i < 32; i += 8)
    r |= ((a >> i) + (b >> i) & 0xff) << i;
  return r;
#endif
}
BOTH unsigned halves_maximum(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  return __vmaxs2(a, b);
#else
  unsigned r = 0;
  for (unsigned i = 0; i < 32; i += 16) {
    const short x = static_cast<short>(a >> i), y = static_cast<short>(b >> i);
    r |= static_cast<unsigned>(static_cast<unsigned short>(x > y ? x : y)) << i;
  }
  return r;
#endif
}

template <typename T, int N> struct Mixer {
  T state;
  BOTH T operator()(T a) const {
    T r = state;
    for (int i = 0; i < N; ++i)
      r = static_cast<T>(r * 5 + (a >> i));
    return r;
  }
};
template <typename T> BOTH T twisted(T a, T b) {
  return a < b ? static_cast<T>(b - a) : static_cast<T>(a ^ b);
}
template <> BOTH unsigned char twisted(unsigned char a, unsigned char b) {
  return static_cast<unsigned char>(a * 3 + b);
}

// The lane that a shuffle reads.
BOTH unsigned source_up(unsigned lane, unsigned by, unsigned width) {
  return (lane & (width - 1)) < by ? lane : lane - by;
}
BOTH unsigned source_down(unsigned lane, unsigned by, unsigned width) {
  return (lane & (width - 1)) + by >= width ? lane : lane + by;
}
BOTH unsigned source_xor(unsigned lane, unsigned by, unsigned width) {
  const unsigned to = lane ^ by; // into a segment before is allowed
  return to >= (lane & ~(width - 1)) + width ? lane : to;
}
BOTH unsigned source_index(unsigned lane, unsigned index, unsigned width) {
  return (lane & ~(width - 1)) | (index & (width - 1));
}

// Small numbers, so that sums and products of floats are exact.
template <typename T> BOTH T small(T a) {
  return a > T(-1000) && a < T(1000) ? a : T(1);
}
template <typename T> BOTH T small_of(unsigned a) {
  return static_cast<T>(static_cast<int>(a % 61) - 30);
}

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    if (const cudaError_t error = (call); error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                   \
      return 2;                                                                                    \
    }                                                                                              \
  } while (0)

// All threads of a warp that are `on` at `depth`.
template <typename Thread>
unsigned mask_of(const std::vector<Thread>& block, unsigned warp, int depth) {
  unsigned mask = 0;
  for (unsigned lane = 0; lane < 32 && 32 * warp + lane < block.size(); ++lane)
    mask |= static_cast<unsigned>(block[32 * warp + lane].on[depth]) << lane;
  return mask;
}

// get(thread): a value of each; set(thread, mask, values): what comes of them.
template <typename Value, typename Thread, typename Get, typename Set>
void in_warps(std::vector<Thread>& block, int depth, Get get, Set set) {
  for (unsigned warp = 0; 32 * warp < block.size(); ++warp) {
    const unsigned mask = mask_of(block, warp, depth);
    Value values[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        values[lane] = get(block[32 * warp + lane]);
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        set(block[32 * warp + lane], mask, values);
  }
}

// The k-th of a warp's threads.
BOTH unsigned nth_of(unsigned mask, unsigned k) {
  k %= bits_set(mask);
  while (k-- > 0)
    mask &= mask - 1;
  return first_set(mask) - 1;
}
template <typename T> BOTH T twisted_float(T a, T b) {
  return a < b ? small<T>(b - a) : small<T>(a * T(2));
}

template <int WIDTH>
__device__ __noinline__ unsigned butterfly(unsigned mask, unsigned lane, unsigned value) {
  for (unsigned w = WIDTH; w > 0; w /= 2) {
    const unsigned other = __shfl_xor_sync(mask, value, w);
    if (mask >> (lane ^ w) & 1)
      value += other;
  }
  return value;
}
__device__ inline void by_swapping(unsigned* at, unsigned) {
  unsigned old = *static_cast<volatile unsigned*>(at), seen;
  while ((seen = atomicCAS(at, old, old * 3 + 1)) != old)
    old = seen;
}
