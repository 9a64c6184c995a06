// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of HIP's runtime API that CUDA has with other parameters, or not at all.
#ifndef GPUTEST_HIP_FUNCTIONS_H
#define GPUTEST_HIP_FUNCTIONS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct hipDeviceProp_t : cudaDeviceProp {
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  unsigned int *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedGridDim,
      cooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar, asicRevision;
};
inline cudaError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  const cudaError_t error = cudaGetDeviceProperties(properties, device);
  if (error != cudaSuccess)
    return error;
  // What CUDA's part has is before this.
  memset(properties->gcnArchName, 0, sizeof *properties - offsetof(hipDeviceProp_t, gcnArchName));
#ifdef GPUTEST_HIP
  properties->major = GPUTEST_HIP_MAJOR;
  properties->minor = GPUTEST_HIP_MINOR;
#endif
#ifdef GPUTEST_DEFAULT_WARP_SIZE
  const char *const lanes = getenv("GPUTEST_CUDA_WARP_SIZE"); // what the user chooses
  if (!lanes || !*lanes)
    properties->warpSize = GPUTEST_DEFAULT_WARP_SIZE;
#endif
  strcpy(properties->gcnArchName, GPUTEST_HIP_ARCHITECTURE);
  properties->maxSharedMemoryPerMultiProcessor = properties->sharedMemPerMultiprocessor;
  properties->clockInstructionRate = properties->clockRate;
  memset(&properties->arch, 0xff, sizeof properties->arch);
  properties->arch.hasFunnelShift = properties->arch.hasSyncThreadsExt = properties->arch.hasSurfaceFuncs =
      properties->arch.hasDynamicParallelism = 0;
  return error;
}

// Attributes that CUDA does not have: those that the properties hold, too.
#define hipDeviceAttributeImageSupport ((cudaDeviceAttr)240)
#define hipDeviceAttributeIsLargeBar ((cudaDeviceAttr)241)
#define hipDeviceAttributeAsicRevision ((cudaDeviceAttr)242)
#define hipDeviceAttributeFineGrainSupport ((cudaDeviceAttr)243)
#define hipDeviceAttributeCanUseStreamWaitValue ((cudaDeviceAttr)244)
#define hipDeviceAttributeWallClockRate ((cudaDeviceAttr)245)
#define hipDeviceAttributeClockInstructionRate ((cudaDeviceAttr)246)
#define hipDeviceAttributeTotalGlobalMem ((cudaDeviceAttr)247)
#define hipDeviceAttributeVirtualMemoryManagementSupported ((cudaDeviceAttr)248)
inline cudaError_t hipDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  hipDeviceProp_t properties;
  const cudaError_t error = hipGetDeviceProperties(&properties, device);
  if (error != cudaSuccess || !value)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  switch ((int)attribute) {
  case (int)hipDeviceAttributeImageSupport:
  case (int)hipDeviceAttributeFineGrainSupport:
  case (int)hipDeviceAttributeCanUseStreamWaitValue:
    *value = 1;
    return error;
  case (int)hipDeviceAttributeIsLargeBar:
  case (int)hipDeviceAttributeAsicRevision:
  case (int)hipDeviceAttributeVirtualMemoryManagementSupported:
    *value = 0;
    return error;
  case (int)hipDeviceAttributeWallClockRate:
  case (int)hipDeviceAttributeClockInstructionRate:
    *value = properties.clockRate;
    return error;
  case (int)hipDeviceAttributeTotalGlobalMem:
    *value = properties.totalGlobalMem > 0x7fffffff ? 0x7fffffff : (int)properties.totalGlobalMem;
    return error;
  case (int)cudaDevAttrComputeCapabilityMajor:
    *value = properties.major;
    return error;
  case (int)cudaDevAttrComputeCapabilityMinor:
    *value = properties.minor;
    return error;
  case (int)cudaDevAttrWarpSize:
    *value = properties.warpSize;
    return error;
  default:
    return cudaDeviceGetAttribute(value, attribute, device);
  }
}
inline cudaError_t hipChooseDevice(int *device, const hipDeviceProp_t *properties) {
  return cudaChooseDevice(device, properties);
}

struct hipPointerAttribute_t : cudaPointerAttributes {
  int isManaged;
  unsigned allocationFlags;
};
inline cudaError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  const cudaError_t error = cudaPointerGetAttributes(attributes, pointer);
  if (error == cudaSuccess && attributes->type == cudaMemoryTypeUnregistered)
    return cudaErrorInvalidValue; // as HIP says of memory that it does not know
  attributes->isManaged = attributes->type == cudaMemoryTypeManaged;
  attributes->allocationFlags = 0;
  return error;
}

inline const char *hipGetErrorName(cudaError_t error) {
  switch (error) {
#define GPUTEST_HIP_ERROR(hip, cuda) \
  case cuda:                         \
    return #hip;
#include "gputest_hip/errors.def"
#undef GPUTEST_HIP_ERROR
  default:
    break;
  }
  switch (error) {
#define GPUTEST_CUDA_ERROR(name, driver, number, text) \
  case cudaError_t(number):                            \
    return (number) == 0 ? "hipSuccess" : "hipError" #name;
#include "gputest_cuda/errors.def"
  default:
    return "hipErrorUnknown";
  }
}

namespace gputest_hip {
constexpr unsigned kHostFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kEventFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
} // namespace gputest_hip

template <typename T>
inline cudaError_t hipHostMalloc(T **pointer, size_t size, unsigned flags = cudaHostAllocDefault) {
  return cudaHostAlloc((void **)pointer, size, flags & gputest_hip::kHostFlags);
}
template <typename T>
inline cudaError_t hipHostAlloc(T **pointer, size_t size, unsigned flags = cudaHostAllocDefault) {
  return hipHostMalloc(pointer, size, flags);
}
template <typename T> inline cudaError_t hipExtMallocWithFlags(T **pointer, size_t size, unsigned) {
  return cudaMalloc((void **)pointer, size);
}
inline cudaError_t hipEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags & gputest_hip::kEventFlags);
}
inline cudaError_t hipMemcpyWithStream(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  const cudaError_t error = cudaMemcpyAsync(to, from, size, kind, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}
inline cudaError_t hipExtGetLastError() {
  return cudaGetLastError();
}
inline cudaError_t hipCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  return (cudaError_t)cuCtxCreate(context, flags, device);
}
inline cudaError_t hipMemPtrGetInfo(void *pointer, size_t *size) {
  CUdeviceptr base = 0;
  return (cudaError_t)cuMemGetAddressRange(&base, size, (CUdeviceptr)pointer);
}

#endif
