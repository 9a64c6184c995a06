// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the threads of a block wait for a word in memory, which others change.
#ifndef GPUTEST_CUDA_WAITS_H
#define GPUTEST_CUDA_WAITS_H

#include "cuda_runtime.h"

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
