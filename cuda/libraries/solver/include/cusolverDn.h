// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSOLVER for dense matrices, with the declarations of its documentation
// (docs/reference/cuda-libraries.md).
#ifndef GPUTEST_CUDA_CUSOLVERDN_H
#define GPUTEST_CUDA_CUSOLVERDN_H
#define CUSOLVERDN_H_ // programs ask whether it was included

#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext* cusolverDnHandle_t;
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);

#define GPUTEST_F(name, parameters) cusolverStatus_t name parameters;
#include "gputest_cuda/cusolver.def"

#ifdef __cplusplus
}
#endif

#endif
