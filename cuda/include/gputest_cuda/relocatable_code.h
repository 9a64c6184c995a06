// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read before sources of relocatable device code, which asks by __CUDACC_RDC__ whether its kernels
// may launch kernels. Thrust and CUB to 1.17 would then wait in a kernel for those that it has
// launched, which CUDA 12 has removed, and nvcc 12 does not compile them.
#ifndef GPUTEST_CUDA_RELOCATABLE_CODE_H
#define GPUTEST_CUDA_RELOCATABLE_CODE_H

#if !__has_include(<thrust/version.h>) || __has_include(<cuda/__cccl_config>)
#define __CUDACC_RDC__ 1
#endif

#endif
