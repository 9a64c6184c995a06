// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of cuFFT whose types are parameters, for one GPU. Callbacks and several GPUs are missing
// here.
#ifndef GPUTEST_CUDA_CUFFTXT_H
#define GPUTEST_CUDA_CUFFTXT_H

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n,
                                long long int* inembed, long long int istride, long long int idist,
                                cudaDataType inputtype, long long int* onembed,
                                long long int ostride, long long int odist, cudaDataType outputtype,
                                long long int batch, size_t* workSize, cudaDataType executiontype);
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);

#ifdef __cplusplus
}
#endif

#define cufftXtSetCallback                                                                         \
  _Pragma("GCC error \"cufftXtSetCallback is missing: callbacks of cuFFT cannot be used without "  \
          "CUDA\"")

#endif
