// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's type of 16 bits with the exponent of float is CUDA's.
#ifndef GPUTEST_HIP_BF16_H
#define GPUTEST_HIP_BF16_H

#include "hip/hip_runtime.h"
#include "cuda_bf16.h"

#define __hip_bfloat16 __nv_bfloat16
#define __hip_bfloat162 __nv_bfloat162

#endif
