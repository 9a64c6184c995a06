// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's runtime API: CUDA's with HIP's names (gputest_hip/names.h), and what HIP has besides. A
// program that uses anything else does not compile, so the error names what is missing.
#ifndef GPUTEST_HIP_RUNTIME_API_H
#define GPUTEST_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H // programs ask whether it was included

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "gputest_hip/names.h"
#include "gputest_hip/platform.h"
#include "hip/hip_version.h"

// Functions of the driver API, with HIP's errors and pointers.
typedef void *hipDeviceptr_t;
#ifdef __cplusplus
namespace gputest_hip {
template <typename T> struct Parameter {
  using type = T;
};
template <> struct Parameter<CUdeviceptr> {
  using type = void *;
};
template <> struct Parameter<CUdeviceptr *> {
  using type = void **;
};
template <> struct Parameter<CUfunc_cache> {
  using type = cudaFuncCache;
};
template <> struct Parameter<CUfunc_cache *> {
  using type = cudaFuncCache *;
};
template <> struct Parameter<CUsharedconfig> {
  using type = cudaSharedMemConfig;
};
template <> struct Parameter<CUsharedconfig *> {
  using type = cudaSharedMemConfig *;
};
template <typename T> struct Call;
template <typename... T> struct Call<CUresult(T...)> {
  using type = cudaError_t(typename Parameter<T>::type...);
};
} // namespace gputest_hip
#define GPUTEST_HIP_TEXT(name) #name
#define GPUTEST_HIP_SYMBOL(name) GPUTEST_HIP_TEXT(name)
#define GPUTEST_HIP_CALL(hip, cuda) \
  extern "C" gputest_hip::Call<decltype(cuda)>::type hip __asm__(GPUTEST_HIP_SYMBOL(cuda));
#include "gputest_hip/calls.def"
#undef GPUTEST_HIP_CALL
#endif

// Flags that change nothing in the simulator, whose host memory is coherent.
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipExtHostRegisterCoarseGrained 0x8
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipDeviceMallocUncached 0x3
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000
#define hipMemcpyDeviceToDeviceNoCU cudaMemcpyDeviceToDevice
#define hipErrorContextAlreadyCurrent ((cudaError_t)202)
#define hipErrorTbd ((cudaError_t)1023)
#define HIP_SYMBOL(symbol) symbol
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_IPC_HANDLE_SIZE 64
#define hipTextureType1D 0x01
#define hipTextureType2D 0x02
#define hipTextureType3D 0x03

typedef struct {
  unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1,
      hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1,
      hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1,
      hasWarpShuffle : 1, hasFunnelShift : 1, hasThreadFenceSystem : 1, hasSyncThreadsExt : 1,
      hasSurfaceFuncs : 1, has3dGrid : 1, hasDynamicParallelism : 1;
} hipDeviceArch_t;

#ifdef __cplusplus
#include "gputest_hip/functions.h"
#else
typedef struct cudaDeviceProp hipDeviceProp_t;
typedef struct cudaPointerAttributes hipPointerAttribute_t;
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipHostMalloc cudaHostAlloc
#define hipHostAlloc cudaHostAlloc
#define hipGetErrorName cudaGetErrorName
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#endif

#endif
