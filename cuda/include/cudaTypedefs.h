// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of pointers to functions of the driver API, for programs that look functions up by name:
// PFN_cuMemAlloc, and with the version PFN_cuMemAlloc_v3020.
#ifndef GPUTEST_CUDA_TYPEDEFS_H
#define GPUTEST_CUDA_TYPEDEFS_H

#include "cuda.h"

#define GPUTEST_CUDA_FUNCTION(symbol, name, version, context, parameters, ...) \
  typedef CUresult(CUDAAPI *PFN_##name##_v##version) parameters;               \
  typedef PFN_##name##_v##version PFN_##name;
#define GPUTEST_CUDA_POINTERS
#include "gputest_cuda/driver_calls.def"
#undef GPUTEST_CUDA_POINTERS
typedef PFN_cuGraphInstantiateWithFlags_v11040 PFN_cuGraphInstantiate_v12000, PFN_cuGraphInstantiate;

#endif
