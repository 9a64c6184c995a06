// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's runtime API with its C++ functions and, in HIP sources, the functions of device code.
#ifndef GPUTEST_HIP_RUNTIME_H
#define GPUTEST_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H // programs ask whether it was included

#if defined(GPUTEST_HIP) && !defined(GPUTEST_DEFAULT_WARP_SIZE)
#define GPUTEST_DEFAULT_WARP_SIZE 64 // lanes of a wavefront on AMD's GPUs for data centres
#endif

#include "cuda_runtime.h"
#include "hip/hip_runtime_api.h"

#ifdef __cplusplus
#include "gputest_hip/vector_operators.h"
#endif
#ifdef __CUDA__
#include "gputest_hip/device.h"
#endif

#ifdef GPUTEST_HIP
// What is read below is HIP alone: headers that ask whether this is CUDA have to be here.
#include "cooperative_groups.h"
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#undef __CUDA__
#undef __CUDACC__
#undef __CUDACC_EXTENDED_LAMBDA__
#undef __CUDACC_RELAXED_CONSTEXPR__
#undef __CUDA_ARCH__
#define __HIP__ 1
#ifdef __HIP_DEVICE_COMPILE__
#define __AMDGCN__ 1
#define __AMDGCN_WAVEFRONT_SIZE GPUTEST_DEFAULT_WARP_SIZE
#define __AMDGCN_WAVEFRONT_SIZE__ GPUTEST_DEFAULT_WARP_SIZE
#endif
#endif

#endif
