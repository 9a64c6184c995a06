// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cuBLAS without handles, which the first version had: those that programs use
// most. Factors and results are values of the host, and cublasGetError() returns the status.
#ifndef GPUTEST_CUDA_CUBLAS_H
#define GPUTEST_CUDA_CUBLAS_H
#ifdef GPUTEST_CUDA_CUBLAS_V2_H
#error "cublas.h and cublas_v2.h declare the same names for other functions: include one of them"
#endif
#define CUBLAS_H_

#include "gputest_cuda/cublas_types.h"

typedef cublasStatus_t cublasStatus;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasGetError(void);
cublasStatus_t cublasAlloc(int n, int elemSize, void** devicePtr);
cublasStatus_t cublasFree(void* devicePtr);
cublasStatus_t cublasSetKernelStream(cudaStream_t stream);

// The library has each under another name: those with handles have the plain one.
#define GPUTEST_LEGACY(result, name, parameters)                                                   \
  result name parameters __asm__("gputest_legacy_" #name);
#include "gputest_cuda/cublas_legacy.def"
#undef GPUTEST_LEGACY

#ifdef __cplusplus
}
#endif

#endif
