// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 6 bits, E3M2 and E2M3, each in a byte: types and conversions (CUDA's
// cuda_fp6.h).
#ifndef GPUTEST_CUDA_FP6_H
#define GPUTEST_CUDA_FP6_H

#include "gputest_cuda/narrow_numbers.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#ifdef __cplusplus
GPUTEST_NARROW_CONVERSIONS(fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6_interpretation_t, 8,
                           (kind == __NV_E2M3 ? gputest_cuda_details::narrow_of<6, 3>(x, rounding)
                                              : gputest_cuda_details::narrow_of<6, 2>(x, rounding)),
                           (kind == __NV_E2M3 ? gputest_cuda_details::float_of_narrow<6, 3>(x)
                                              : gputest_cuda_details::float_of_narrow<6, 2>(x)))
GPUTEST_NARROW_TYPES(fp6, e2m3, __NV_E2M3, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8)
GPUTEST_NARROW_TYPES(fp6, e3m2, __NV_E3M2, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8)
#endif

#endif
