// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that a GPU makes asynchronously. Here they are made at once, and the check of races is told
// when they may be used (simulator/checks/races/race_asyncs.h).
#ifndef GPUTEST_CUDA_COPIES_H
#define GPUTEST_CUDA_COPIES_H

#include "waits.h"

#ifdef __CUDA__
extern "C" {
__device__ void gputest_async_begin(void* to, const void* from, unsigned long bytes,
                                    unsigned long key, unsigned long stage, unsigned site);
__device__ void gputest_async_commit(void);
__device__ void gputest_async_wait(unsigned long prior);
__device__ void gputest_async_bind(unsigned long key, unsigned long stage);
__device__ void gputest_async_complete(unsigned long key, unsigned long stage);
}
// Copies the part of thread `number` of `count` threads. `key`, `stage`: the word of a barrier or a
// pipeline that completes the copy, and its stage; 0: the thread waits for the copy.
template <typename T>
static __device__ __forceinline__ void __gputest_copy(T* to, const T* from, size_t bytes,
                                                      size_t number, size_t count,
                                                      unsigned long key = 0,
                                                      unsigned long stage = 0) {
  if constexpr (sizeof(T) == 1) { // bytes: four at a time if they are aligned
    if ((((size_t)to | (size_t)from | bytes) & 3) == 0) {
      __gputest_copy((unsigned*)to, (const unsigned*)from, bytes, number, count, key, stage);
      return;
    }
  }
  for (size_t i = number; (i + 1) * sizeof(T) <= bytes; i += count) {
    to[i] = from[i];
    gputest_async_begin(to + i, from + i, sizeof(T), key, stage, 0);
  }
}
static __device__ __forceinline__ void __gputest_copy(void* to, const void* from, size_t bytes,
                                                      size_t number, size_t count,
                                                      unsigned long key = 0,
                                                      unsigned long stage = 0) {
  __gputest_copy((unsigned char*)to, (const unsigned char*)from, bytes, number, count, key, stage);
}
#endif

#endif
