// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of devices, contexts, streams and events for profilers. They do nothing.
#ifndef GPUTEST_CUDA_NVTX_CUDA_H
#define GPUTEST_CUDA_NVTX_CUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

GPUTEST_NVTX_TEXTS(nvtxNameCuDevice, CUdevice device GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCuContext, CUcontext context GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCuStream, CUstream stream GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCuEvent, CUevent event GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCudaDevice, int device GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCudaStream, cudaStream_t stream GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameCudaEvent, cudaEvent_t event GPUTEST_NVTX_COMMA)
#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
