// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of warps: shuffles, votes, matches and reductions. All call one function that the
// simulator answers: a thread hands over a value and waits until the other threads of the mask have
// done the same.
#ifndef GPUTEST_CUDA_WARPS_H
#define GPUTEST_CUDA_WARPS_H

#define GPUTEST_WARP_SYNC 0
#define GPUTEST_WARP_SHUFFLE 1
#define GPUTEST_WARP_SHUFFLE_UP 2
#define GPUTEST_WARP_SHUFFLE_DOWN 3
#define GPUTEST_WARP_SHUFFLE_XOR 4
#define GPUTEST_WARP_ALL 5
#define GPUTEST_WARP_ANY 6
#define GPUTEST_WARP_UNI 7
#define GPUTEST_WARP_BALLOT 8
#define GPUTEST_WARP_MATCH_ANY 9
#define GPUTEST_WARP_MATCH_ALL 10
#define GPUTEST_WARP_ADD 11
#define GPUTEST_WARP_MIN 12
#define GPUTEST_WARP_MAX 13
#define GPUTEST_WARP_UMIN 14
#define GPUTEST_WARP_UMAX 15
#define GPUTEST_WARP_AND 16
#define GPUTEST_WARP_OR 17
#define GPUTEST_WARP_XOR 18
#define GPUTEST_WARP_ACTIVE 19 // the mask of threads that wait here when no other can go on
#define GPUTEST_WARP_AWAIT 20  // waits until the word at `value` has reached `parameter`

extern "C" __device__ unsigned long long gputest_warp(unsigned kind, unsigned long long mask,
                                                      unsigned long long value, unsigned parameter)
    __attribute__((convergent, nothrow));

// The threads of a warp, 32 or 64, as chosen when the program runs (ir/cuda/warp_size.h).
extern "C" __device__ unsigned gputest_warp_size() __attribute__((const, nothrow));
// Code that calls it is an error in larger warps.
extern "C" __device__ void gputest_needs_warps_of_32() __attribute__((nothrow));

// Markers, functions that nothing calls: what size the code runs with if nobody chooses, and which
// one it has been compiled for.
#define GPUTEST_WARP_SIZE_MARKER_(kind, size)                                                      \
  extern "C" __device__ __attribute__((weak, used)) void gputest_##kind##_warp_size_##size() {}
#define GPUTEST_WARP_SIZE_MARKER(kind, size) GPUTEST_WARP_SIZE_MARKER_(kind, size)
#ifdef __CUDA_ARCH__
#ifdef GPUTEST_DEFAULT_WARP_SIZE
GPUTEST_WARP_SIZE_MARKER(default, GPUTEST_DEFAULT_WARP_SIZE)
#endif
#ifdef GPUTEST_WARP_SIZE
GPUTEST_WARP_SIZE_MARKER(fixed, GPUTEST_WARP_SIZE)
#endif
// Asks for lock step (ir/kernels/lock_step.h).
#ifdef GPUTEST_LOCK_STEP
#define GPUTEST_LOCK_STEP_MARKER_(size)                                                            \
  extern "C" __device__ __attribute__((weak, used)) void gputest_lock_step_##size() {}
#define GPUTEST_LOCK_STEP_MARKER(size) GPUTEST_LOCK_STEP_MARKER_(size)
GPUTEST_LOCK_STEP_MARKER(GPUTEST_LOCK_STEP)
#endif
#endif

// Clang's header has a constant, whose name device.h changes.
#if defined(GPUTEST_WARP_SIZE)
static_assert(GPUTEST_WARP_SIZE == 32 || GPUTEST_WARP_SIZE == 64,
              "GPUTEST_WARP_SIZE: a warp has 32 or 64 threads");
__device__ const int warpSize = GPUTEST_WARP_SIZE;
#elif defined(__CUDA_ARCH__)
extern __device__ const int warpSize;
#elif defined(GPUTEST_DEFAULT_WARP_SIZE)
__device__ const int warpSize = GPUTEST_DEFAULT_WARP_SIZE;
#else
__device__ const int warpSize = 32;
#endif

static __device__ __forceinline__ unsigned __gputest_lane_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) %
         gputest_warp_size();
}
static __device__ __forceinline__ unsigned long long __gputest_lanes_below() {
  return (1ull << __gputest_lane_id()) - 1;
}
// The threads of the warp that are here.
static __device__ __forceinline__ unsigned long long __gputest_active_lanes() {
  return gputest_warp(GPUTEST_WARP_ACTIVE, 0, 0, 0);
}

// A mask of CUDA's functions. One of up to 32 bits names the lanes 0 to 31, as CUDA's own do; one
// of 64 bits all lanes of any warp.
struct __gputest_lanes {
  unsigned long long bits;
  template <typename T>
  __device__ __forceinline__ __gputest_lanes(T mask)
      : bits(sizeof(T) > 4 ? (unsigned long long)mask : (unsigned long long)(unsigned)mask) {}
};

template <unsigned kind, typename T>
static __device__ __forceinline__ T __gputest_shuffle(unsigned long long mask, T value, int lane,
                                                      int width) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = gputest_warp(kind, mask, bits, (unsigned)lane & 0xffffu | (unsigned)width << 16);
  T result;
  __builtin_memcpy(&result, &bits, sizeof(T));
  return result;
}

// What a shuffle moves by: PTX's `shfl` reads the bits that can name a lane.
static __device__ __forceinline__ int __gputest_steps(unsigned by) {
  return (int)(by & (unsigned)(warpSize - 1));
}

// `width` 0: the whole warp. Also for the types of cuda_fp16.h and cuda_bf16.h.
#define GPUTEST_SHUFFLES(T)                                                                        \
  static __device__ __forceinline__ T __shfl_sync(__gputest_lanes mask, T value, int lane,         \
                                                  int width = 0) {                                 \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE>(mask.bits, value, lane, width);                 \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_up_sync(__gputest_lanes mask, T value,                \
                                                     unsigned delta, int width = 0) {              \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_UP>(mask.bits, value, __gputest_steps(delta),    \
                                                      width);                                      \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_down_sync(__gputest_lanes mask, T value,              \
                                                       unsigned delta, int width = 0) {            \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_DOWN>(mask.bits, value, __gputest_steps(delta),  \
                                                        width);                                    \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_xor_sync(__gputest_lanes mask, T value, int lanes,    \
                                                      int width = 0) {                             \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_XOR>(mask.bits, value,                           \
                                                       __gputest_steps((unsigned)lanes), width);   \
  }
GPUTEST_SHUFFLES(int)
GPUTEST_SHUFFLES(unsigned)
GPUTEST_SHUFFLES(long)
GPUTEST_SHUFFLES(unsigned long)
GPUTEST_SHUFFLES(long long)
GPUTEST_SHUFFLES(unsigned long long)
GPUTEST_SHUFFLES(float)
GPUTEST_SHUFFLES(double)

static __device__ __forceinline__ void __syncwarp(__gputest_lanes mask = ~0ull) {
  gputest_warp(GPUTEST_WARP_SYNC, mask.bits, 0, 0);
}
static __device__ __forceinline__ int __all_sync(__gputest_lanes mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_ALL, mask.bits, predicate != 0, 0);
}
static __device__ __forceinline__ int __any_sync(__gputest_lanes mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_ANY, mask.bits, predicate != 0, 0);
}
static __device__ __forceinline__ int __uni_sync(__gputest_lanes mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_UNI, mask.bits, predicate != 0, 0);
}
static __device__ __forceinline__ unsigned __ballot_sync(__gputest_lanes mask, int predicate) {
  return (unsigned)gputest_warp(GPUTEST_WARP_BALLOT, mask.bits, predicate != 0, 0);
}
static __device__ __forceinline__ unsigned __activemask() {
  return (unsigned)__gputest_active_lanes();
}
template <typename T>
static __device__ __forceinline__ unsigned __match_any_sync(__gputest_lanes mask, T value) {
  static_assert(sizeof(T) <= 8, "values of at most 8 bytes are matched");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return (unsigned)gputest_warp(GPUTEST_WARP_MATCH_ANY, mask.bits, bits, 0);
}
template <typename T>
static __device__ __forceinline__ unsigned __match_all_sync(__gputest_lanes mask, T value,
                                                            int* predicate) {
  static_assert(sizeof(T) <= 8, "values of at most 8 bytes are matched");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  const unsigned matched = (unsigned)gputest_warp(GPUTEST_WARP_MATCH_ALL, mask.bits, bits, 0);
  *predicate = matched != 0;
  return matched;
}
#define GPUTEST_REDUCE(name, type, kind)                                                           \
  static __device__ __forceinline__ type __reduce_##name##_sync(__gputest_lanes mask,              \
                                                                type value) {                      \
    return (type)gputest_warp(kind, mask.bits, (unsigned long long)value, 0);                      \
  }
GPUTEST_REDUCE(add, unsigned, GPUTEST_WARP_ADD)
GPUTEST_REDUCE(add, int, GPUTEST_WARP_ADD)
GPUTEST_REDUCE(min, unsigned, GPUTEST_WARP_UMIN)
GPUTEST_REDUCE(min, int, GPUTEST_WARP_MIN)
GPUTEST_REDUCE(max, unsigned, GPUTEST_WARP_UMAX)
GPUTEST_REDUCE(max, int, GPUTEST_WARP_MAX)
GPUTEST_REDUCE(and, unsigned, GPUTEST_WARP_AND)
GPUTEST_REDUCE(or, unsigned, GPUTEST_WARP_OR)
GPUTEST_REDUCE(xor, unsigned, GPUTEST_WARP_XOR)
#undef GPUTEST_REDUCE
static __device__ __forceinline__ unsigned __lanemask_lt() {
  return (unsigned)__gputest_lanes_below();
}

#endif
