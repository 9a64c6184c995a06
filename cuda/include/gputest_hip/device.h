// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's device code: launches by macro, functions of wavefronts without masks, functions of bits,
// and AMD's built-in functions in common use.
#ifndef GPUTEST_HIP_DEVICE_H
#define GPUTEST_HIP_DEVICE_H

#define GPUTEST_HIP_LAUNCH(kernel, grid, block, shared, stream, ...)                               \
  do {                                                                                             \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);                                  \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) GPUTEST_HIP_LAUNCH((kernel), __VA_ARGS__)
#define hipLaunchKernel_GGL hipLaunchKernelGGL
#define GPUTEST_HIP_TIMED_LAUNCH(kernel, grid, block, shared, stream, begin, end, flags, ...)      \
  do {                                                                                             \
    const cudaEvent_t gputest_begin = (begin), gputest_end = (end);                                \
    if (gputest_begin)                                                                             \
      cudaEventRecord(gputest_begin, (stream));                                                    \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);                                  \
    if (gputest_end)                                                                               \
      cudaEventRecord(gputest_end, (stream));                                                      \
  } while (0)
#define hipExtLaunchKernelGGL(kernel, ...) GPUTEST_HIP_TIMED_LAUNCH((kernel), __VA_ARGS__)

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#ifdef GPUTEST_HIP

#define GPUTEST_HIP_DEVICE static __device__ __forceinline__
// A function that is an expression of its parameters.
#define GPUTEST_HIP_IS(type, name, parameters, ...)                                                \
  GPUTEST_HIP_DEVICE type name parameters {                                                        \
    return __VA_ARGS__;                                                                            \
  }

// Functions of wavefronts: of the lanes that have come here.
GPUTEST_HIP_IS(unsigned, __lane_id, (), __gputest_lane_id())
GPUTEST_HIP_IS(unsigned long long, __gputest_ballot, (int predicate),
               gputest_warp(GPUTEST_WARP_BALLOT, __gputest_active_lanes(), predicate != 0, 0))
GPUTEST_HIP_IS(unsigned long long, __ballot64, (int predicate), __gputest_ballot(predicate))
GPUTEST_HIP_IS(int, __gputest_any, (int predicate),
               (int)gputest_warp(GPUTEST_WARP_ANY, __gputest_active_lanes(), predicate != 0, 0))
GPUTEST_HIP_IS(int, __gputest_all, (int predicate),
               (int)gputest_warp(GPUTEST_WARP_ALL, __gputest_active_lanes(), predicate != 0, 0))
// Clang's headers have functions of these names for GPUs of old, and CUDA's mask has 32 bits.
#define __ballot(predicate) __gputest_ballot(predicate)
#define __any(predicate) __gputest_any(predicate)
#define __all(predicate) __gputest_all(predicate)
#define __activemask() __gputest_active_lanes()

// Width 0: the whole wavefront.
#define GPUTEST_HIP_SHUFFLES(T)                                                                    \
  GPUTEST_HIP_DEVICE T __shfl(T value, int lane, int width = 0) {                   \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE>(__gputest_active_lanes(), value, lane, width);                                        \
  }                                                                                                \
  GPUTEST_HIP_DEVICE T __shfl_up(T value, unsigned delta, int width = 0) {          \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_UP>(__gputest_active_lanes(), value, (int)delta, width);                                    \
  }                                                                                                \
  GPUTEST_HIP_DEVICE T __shfl_down(T value, unsigned delta, int width = 0) {        \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_DOWN>(__gputest_active_lanes(), value, (int)delta, width);                                  \
  }                                                                                                \
  GPUTEST_HIP_DEVICE T __shfl_xor(T value, int lanes, int width = 0) {              \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_XOR>(__gputest_active_lanes(), value, lanes, width);                                   \
  }
GPUTEST_HIP_SHUFFLES(int)
GPUTEST_HIP_SHUFFLES(unsigned)
GPUTEST_HIP_SHUFFLES(long)
GPUTEST_HIP_SHUFFLES(unsigned long)
GPUTEST_HIP_SHUFFLES(long long)
GPUTEST_HIP_SHUFFLES(unsigned long long)
GPUTEST_HIP_SHUFFLES(float)
GPUTEST_HIP_SHUFFLES(double)
#undef GPUTEST_HIP_SHUFFLES

// Functions of bits.
GPUTEST_HIP_IS(unsigned, __bitextract_u32, (unsigned value, unsigned at, unsigned width),
               (value >> (at & 31)) & ((1u << (width & 31)) - 1))
GPUTEST_HIP_DEVICE unsigned long long __bitextract_u64(unsigned long long value, unsigned at,
                                                       unsigned width) {
  return (value >> (at & 63)) & ((1ull << (width & 63)) - 1);
}
GPUTEST_HIP_DEVICE unsigned __bitinsert_u32(unsigned value, unsigned bits, unsigned at,
                                            unsigned width) {
  at &= 31;
  width &= 31;
  const unsigned mask = (1u << width) - 1;
  return (value & ~(mask << at)) | (bits & mask) << at;
}
GPUTEST_HIP_DEVICE unsigned long long
__bitinsert_u64(unsigned long long value, unsigned long long bits, unsigned at, unsigned width) {
  at &= 63;
  width &= 63;
  const unsigned long long mask = (1ull << width) - 1;
  return (value & ~(mask << at)) | (bits & mask) << at;
}
GPUTEST_HIP_IS(unsigned, __lastbit_u32_u32, (unsigned value),
               value == 0 ? ~0u : __ffs((int)value) - 1)
GPUTEST_HIP_IS(unsigned, __lastbit_u32_u64, (unsigned long long value),
               value == 0 ? ~0u : __ffsll((long long)value) - 1)
GPUTEST_HIP_IS(unsigned, __bitmask_lt, (unsigned lane), lane >= 32 ? ~0u : (1u << lane) - 1)
// What __ffs() of a mask of 64 lanes needs.
GPUTEST_HIP_IS(int, __ffs, (unsigned value), ::__ffs((int)value))
GPUTEST_HIP_IS(int, __ffsll, (unsigned long long value), ::__ffsll((long long)value))
GPUTEST_HIP_IS(int, __ffs, (unsigned long value), ::__ffsll((long long)value))
GPUTEST_HIP_IS(int, __ffs, (unsigned long long value), ::__ffsll((long long)value))
GPUTEST_HIP_IS(int, __ffsll, (unsigned long value), ::__ffsll((long long)value))

// Atomic functions under other names.
#define unsafeAtomicAdd atomicAdd
#define safeAtomicAdd atomicAdd
#define unsafeAtomicMin atomicMin
#define unsafeAtomicMax atomicMax
#define atomicAddNoRet atomicAdd
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __hip_atomic_load(pointer, order, scope) __atomic_load_n(pointer, order)
#define __hip_atomic_store(pointer, value, order, scope) __atomic_store_n(pointer, value, order)
#define __hip_atomic_exchange(pointer, value, order, scope)                                        \
  __atomic_exchange_n(pointer, value, order)
#define __hip_atomic_compare_exchange_strong(pointer, expected, value, success, failure, scope)    \
  __atomic_compare_exchange_n(pointer, expected, value, false, success, failure)
#define __hip_atomic_compare_exchange_weak(pointer, expected, value, success, failure, scope)      \
  __atomic_compare_exchange_n(pointer, expected, value, true, success, failure)
#define __hip_atomic_fetch_add(pointer, value, order, scope)                                       \
  __atomic_fetch_add(pointer, value, order)
#define __hip_atomic_fetch_and(pointer, value, order, scope)                                       \
  __atomic_fetch_and(pointer, value, order)
#define __hip_atomic_fetch_or(pointer, value, order, scope) __atomic_fetch_or(pointer, value, order)
#define __hip_atomic_fetch_xor(pointer, value, order, scope)                                       \
  __atomic_fetch_xor(pointer, value, order)
#define __hip_atomic_fetch_min(pointer, value, order, scope)                                       \
  __atomic_fetch_min(pointer, value, order)
#define __hip_atomic_fetch_max(pointer, value, order, scope)                                       \
  __atomic_fetch_max(pointer, value, order)

GPUTEST_HIP_IS(long long, wall_clock64, (), clock64())
GPUTEST_HIP_DEVICE void abort() {
  __trap();
}

#include "gputest_hip/builtins.h"

#undef GPUTEST_HIP_IS
#undef GPUTEST_HIP_DEVICE
#endif

#endif
