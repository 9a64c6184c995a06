// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of <cuda/atomic>, <cuda/barrier> and <cuda/pipeline> (libcu++).
#ifndef GPUTEST_CUDA_SCOPES_H
#define GPUTEST_CUDA_SCOPES_H

#include "waits.h"

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

#endif
