// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares what nvcc declares for host code and Clang does not. It serves to parse sources, not to
// compile them.
#pragma once
#include <cassert>
#include <new>

#include "../include/gputest_cuda/alignas.h"

#define GPUTEST_LEAST_AND_MOST(type)                                                               \
  static inline __host__ type min(type a, type b) {                                                \
    return a < b ? a : b;                                                                          \
  }                                                                                                \
  static inline __host__ type max(type a, type b) {                                                \
    return a < b ? b : a;                                                                          \
  }
GPUTEST_LEAST_AND_MOST(int)
GPUTEST_LEAST_AND_MOST(unsigned)
GPUTEST_LEAST_AND_MOST(long)
GPUTEST_LEAST_AND_MOST(unsigned long)
GPUTEST_LEAST_AND_MOST(long long)
GPUTEST_LEAST_AND_MOST(unsigned long long)
GPUTEST_LEAST_AND_MOST(float)
GPUTEST_LEAST_AND_MOST(double)
#undef GPUTEST_LEAST_AND_MOST
