// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of copies in stages (CUDA C++ Programming Guide, "Asynchronous Data Copies").
#pragma once
#include <cuda/pipeline>
#include "cuda_awbarrier_primitives.h"
#ifdef __CUDA__
static __device__ __forceinline__ void __pipeline_memcpy_async(void* to, const void* from,
                                                               size_t bytes, size_t zeros = 0) {
  __gputest_copy(to, from, bytes - zeros, 0, 1);
  for (size_t i = bytes - zeros; i < bytes; ++i)
    ((unsigned char*)to)[i] = 0;
}
static __device__ __forceinline__ void __pipeline_commit() {
  gputest_async_commit();
}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior) {
  gputest_async_wait(prior);
}
static __device__ __forceinline__ void __pipeline_arrive_on(__mbarrier_t* at) {
  gputest_async_bind(at->__gputest_key(), at->phase());
}

// The old name of cuda::pipeline, for a single thread.
namespace nvcuda {
namespace experimental {
class pipeline {
public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  __device__ size_t commit() {
    gputest_async_commit();
    return committed_++;
  }
  __device__ void commit_and_wait() { wait(commit()); }
  __device__ void wait(size_t stage) { gputest_async_wait(committed_ - 1 - stage); }
  template <unsigned Prior> __device__ void wait_prior() { gputest_async_wait(Prior); }

private:
  size_t committed_ = 0;
};
template <typename T>
static __device__ __forceinline__ void memcpy_async(T& to, const T& from, pipeline&) {
  to = from;
  gputest_async_begin(&to, &from, sizeof(T), 0, 0, 0);
}
} // namespace experimental
} // namespace nvcuda
#endif
