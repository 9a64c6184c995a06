// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's half precision is CUDA's.
#ifndef GPUTEST_HIP_FP16_H
#define GPUTEST_HIP_FP16_H

#include "hip/hip_runtime.h"
#include "cuda_fp16.h"

#endif
