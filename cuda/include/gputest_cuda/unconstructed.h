// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object in __shared__ memory whose constructor and destructor nobody calls, as in nvcc's code.
// What gives Clang the texts that use it: frontend/cuda/unconstructed.h.
#ifndef GPUTEST_CUDA_UNCONSTRUCTED_H
#define GPUTEST_CUDA_UNCONSTRUCTED_H

template <typename Type> union gputest_unconstructed {
  __host__ __device__ gputest_unconstructed() {}
  __host__ __device__ ~gputest_unconstructed() {}
  Type value;
};

#endif
