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

extern "C" __device__ unsigned long long gputest_warp(unsigned kind, unsigned mask,
                                                      unsigned long long value, unsigned parameter)
    __attribute__((convergent, nothrow));

template <unsigned kind, typename T>
static __device__ __forceinline__ T __gputest_shuffle(unsigned mask, T value, int lane, int width) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = gputest_warp(kind, mask, bits, (unsigned)lane & 0xffffu | (unsigned)width << 16);
  T result;
  __builtin_memcpy(&result, &bits, sizeof(T));
  return result;
}

// Also for the types of cuda_fp16.h and cuda_bf16.h.
#define GPUTEST_SHUFFLES(T)                                                                        \
  static __device__ __forceinline__ T __shfl_sync(unsigned mask, T value, int lane,                \
                                                  int width = 32) {                                \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE>(mask, value, lane, width);                      \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned delta,       \
                                                     int width = 32) {                             \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_UP>(mask, value, (int)delta, width);             \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned delta,     \
                                                       int width = 32) {                           \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_DOWN>(mask, value, (int)delta, width);           \
  }                                                                                                \
  static __device__ __forceinline__ T __shfl_xor_sync(unsigned mask, T value, int lanes,           \
                                                      int width = 32) {                            \
    return __gputest_shuffle<GPUTEST_WARP_SHUFFLE_XOR>(mask, value, lanes, width);                 \
  }
GPUTEST_SHUFFLES(int)
GPUTEST_SHUFFLES(unsigned)
GPUTEST_SHUFFLES(long)
GPUTEST_SHUFFLES(unsigned long)
GPUTEST_SHUFFLES(long long)
GPUTEST_SHUFFLES(unsigned long long)
GPUTEST_SHUFFLES(float)
GPUTEST_SHUFFLES(double)

static __device__ __forceinline__ void __syncwarp(unsigned mask = 0xffffffff) {
  gputest_warp(GPUTEST_WARP_SYNC, mask, 0, 0);
}
static __device__ __forceinline__ int __all_sync(unsigned mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_ALL, mask, predicate != 0, 0);
}
static __device__ __forceinline__ int __any_sync(unsigned mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_ANY, mask, predicate != 0, 0);
}
static __device__ __forceinline__ int __uni_sync(unsigned mask, int predicate) {
  return (int)gputest_warp(GPUTEST_WARP_UNI, mask, predicate != 0, 0);
}
static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return (unsigned)gputest_warp(GPUTEST_WARP_BALLOT, mask, predicate != 0, 0);
}
static __device__ __forceinline__ unsigned __activemask() {
  return (unsigned)gputest_warp(GPUTEST_WARP_ACTIVE, 0, 0, 0);
}
template <typename T>
static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) <= 8, "values of at most 8 bytes are matched");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return (unsigned)gputest_warp(GPUTEST_WARP_MATCH_ANY, mask, bits, 0);
}
template <typename T>
static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, T value,
                                                            int* predicate) {
  static_assert(sizeof(T) <= 8, "values of at most 8 bytes are matched");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  const unsigned matched = (unsigned)gputest_warp(GPUTEST_WARP_MATCH_ALL, mask, bits, 0);
  *predicate = matched != 0;
  return matched;
}
static __device__ __forceinline__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_ADD, mask, value, 0);
}
static __device__ __forceinline__ int __reduce_add_sync(unsigned mask, int value) {
  return (int)gputest_warp(GPUTEST_WARP_ADD, mask, (unsigned long long)value, 0);
}
static __device__ __forceinline__ unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_UMIN, mask, value, 0);
}
static __device__ __forceinline__ int __reduce_min_sync(unsigned mask, int value) {
  return (int)gputest_warp(GPUTEST_WARP_MIN, mask, (unsigned long long)value, 0);
}
static __device__ __forceinline__ unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_UMAX, mask, value, 0);
}
static __device__ __forceinline__ int __reduce_max_sync(unsigned mask, int value) {
  return (int)gputest_warp(GPUTEST_WARP_MAX, mask, (unsigned long long)value, 0);
}
static __device__ __forceinline__ unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_AND, mask, value, 0);
}
static __device__ __forceinline__ unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_OR, mask, value, 0);
}
static __device__ __forceinline__ unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return (unsigned)gputest_warp(GPUTEST_WARP_XOR, mask, value, 0);
}
static __device__ __forceinline__ unsigned __lanemask_lt() {
  return (1u << ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31)) - 1;
}

#endif
