// Copies that a GPU makes asynchronously. Here they are made at once.
#ifndef GPUTEST_CUDA_COPIES_H
#define GPUTEST_CUDA_COPIES_H

#include "scopes.h"

#ifdef __CUDA__
// Copies the part of thread `number` of `count` threads.
template <typename T>
static __device__ __forceinline__ void __gputest_copy(T* to, const T* from, size_t bytes,
                                                      size_t number, size_t count) {
  if constexpr (sizeof(T) == 1) { // bytes: four at a time if they are aligned
    if ((((size_t)to | (size_t)from | bytes) & 3) == 0) {
      __gputest_copy((unsigned*)to, (const unsigned*)from, bytes, number, count);
      return;
    }
  }
  for (size_t i = number; (i + 1) * sizeof(T) <= bytes; i += count)
    to[i] = from[i];
}
static __device__ __forceinline__ void __gputest_copy(void* to, const void* from, size_t bytes,
                                                      size_t number, size_t count) {
  __gputest_copy((unsigned char*)to, (const unsigned char*)from, bytes, number, count);
}
#endif

#endif
