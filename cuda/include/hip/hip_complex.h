// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's complex numbers are CUDA's.
#ifndef GPUTEST_HIP_COMPLEX_H
#define GPUTEST_HIP_COMPLEX_H

#include "hip/hip_runtime.h"
#include "cuComplex.h"

#include "gputest_hip/names.h"

#endif
