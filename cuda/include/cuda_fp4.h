// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 4 bits, E2M1: types and conversions (CUDA's cuda_fp4.h).
#ifndef GPUTEST_CUDA_FP4_H
#define GPUTEST_CUDA_FP4_H

#include "gputest_cuda/narrow_numbers.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#ifdef __cplusplus
GPUTEST_NARROW_CONVERSIONS(fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4_interpretation_t, 4,
                           ((void)kind, gputest_cuda_details::narrow_of<4, 1>(x, rounding)),
                           ((void)kind, gputest_cuda_details::float_of_narrow<4, 1>(x & 15u)))
GPUTEST_NARROW_TYPES(fp4, e2m1, __NV_E2M1, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t, 4)
#endif

#endif
