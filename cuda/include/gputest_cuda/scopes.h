// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of <cuda/atomic>, <cuda/barrier> and <cuda/pipeline> (libcu++).
#ifndef GPUTEST_CUDA_SCOPES_H
#define GPUTEST_CUDA_SCOPES_H

#include "cuda_runtime.h"

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

// A size that is a multiple of an alignment.
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  explicit constexpr __host__ __device__ aligned_size_t(size_t size) : value(size) {}
  constexpr __host__ __device__ operator size_t() const { return value; }
};

} // namespace cuda

#ifdef __CUDA__
// This thread arrives at what others await: the word will have reached `target` when all have.
// `waits`: it does nothing before it awaits that itself.
extern "C" __device__ void gputest_async_arrive(unsigned long word, unsigned long target, int waits);
static __device__ __forceinline__ void __gputest_arrive(const unsigned* word, unsigned target, bool waits = false) {
  gputest_async_arrive((unsigned long)word, target, waits);
}
// Waits until the word has reached `target`. Other threads of the block go on.
static __device__ __forceinline__ void __gputest_await(const unsigned* word, unsigned target) {
  gputest_warp(GPUTEST_WARP_AWAIT, 0, (unsigned long long)word, target);
}
#endif

#endif
