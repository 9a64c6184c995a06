// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's cooperative groups are CUDA's.
#ifndef GPUTEST_HIP_COOPERATIVE_GROUPS_H
#define GPUTEST_HIP_COOPERATIVE_GROUPS_H

#include "hip/hip_runtime.h"
#include "cooperative_groups.h"

#endif
