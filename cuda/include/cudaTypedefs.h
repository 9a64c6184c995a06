// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of pointers to functions of the driver API, for programs that look functions up by name:
// PFN_cuMemAlloc, and with the version PFN_cuMemAlloc_v3020.
#ifndef GPUTEST_CUDA_TYPEDEFS_H
#define GPUTEST_CUDA_TYPEDEFS_H

#include "cuda.h"

#define GPUTEST_CUDA_CALL(symbol, parameters, ...) typedef CUresult(CUDAAPI *gputest_of_##symbol) parameters;
#define GPUTEST_CUDA_FUNCTION(symbol, parameters) GPUTEST_CUDA_CALL(symbol, parameters, )
#define GPUTEST_CUDA_FREE_FUNCTION(symbol, parameters) GPUTEST_CUDA_CALL(symbol, parameters, )
#include "gputest_cuda/driver_calls.def"
#undef GPUTEST_CUDA_CALL
#undef GPUTEST_CUDA_FUNCTION
#undef GPUTEST_CUDA_FREE_FUNCTION
#define GPUTEST_PFN(symbol, name, version)         \
  typedef gputest_of_##symbol PFN_##name##_v##version; \
  typedef gputest_of_##symbol PFN_##name;
#include "gputest_cuda/driver_versions.def"
#undef GPUTEST_PFN

#endif
