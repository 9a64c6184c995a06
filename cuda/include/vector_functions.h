// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// make_<type>(x, …) of CUDA's vector types.
#ifndef GPUTEST_CUDA_VECTOR_FUNCTIONS_H
#define GPUTEST_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define GPUTEST_MAKE(name, values, ...)                                         \
  static inline __host__ __device__ struct name make_##name(__VA_ARGS__) {      \
    struct name v = values;                                                     \
    return v;                                                                   \
  }
#define GPUTEST_MAKE_FOUR(name, element) \
  GPUTEST_MAKE(name, GPUTEST_VALUES(x, y, z, w), element x, element y, element z, element w)
#define GPUTEST_MAKE_VECTORS(name, element, one, two, four)                           \
  GPUTEST_MAKE(name##1, GPUTEST_VALUES(x), element x)                                 \
  GPUTEST_MAKE(name##2, GPUTEST_VALUES(x, y), element x, element y)                   \
  GPUTEST_MAKE(name##3, GPUTEST_VALUES(x, y, z), element x, element y, element z)     \
  GPUTEST_MAKE_FOUR(name##4, element)
#define GPUTEST_MAKE_ALIGNED(name, element) \
  GPUTEST_MAKE_FOUR(name##_16a, element)    \
  GPUTEST_MAKE_FOUR(name##_32a, element)
#define GPUTEST_VALUES(...) {__VA_ARGS__}
GPUTEST_CUDA_VECTORS(GPUTEST_MAKE_VECTORS)
GPUTEST_CUDA_LARGE_VECTORS(GPUTEST_MAKE_ALIGNED)
#undef GPUTEST_VALUES
#undef GPUTEST_MAKE_ALIGNED
#undef GPUTEST_MAKE_VECTORS
#undef GPUTEST_MAKE_FOUR
#undef GPUTEST_MAKE

#endif
