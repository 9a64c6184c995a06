// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of the device on which it runs, and the functions that tell it. The runtime
// writes the variable when it loads code that has one, and limits when they change
// (cuda/runtime/modules.cpp). Code that asks nothing has none.
#ifndef GPUTEST_CUDA_DEVICE_FACTS_H
#define GPUTEST_CUDA_DEVICE_FACTS_H

#include "driver_types.h"

#include <stddef.h>

#define GPUTEST_CUDA_LIMITS 16

struct gputest_device_facts {
  int device, devices;
  int attributes[cudaDevAttrMax];
  size_t limits[GPUTEST_CUDA_LIMITS];
  bool has_limit[GPUTEST_CUDA_LIMITS];
};

#ifdef __CUDA__
extern "C" {
static __device__ gputest_device_facts cuda_device_facts;

static __inline__ __device__ cudaError_t cudaGetDevice(int* device) {
  if (device)
    *device = cuda_device_facts.device;
  return device ? cudaSuccess : cudaErrorInvalidValue;
}
static __inline__ __device__ cudaError_t cudaGetDeviceCount(int* count) {
  if (count)
    *count = cuda_device_facts.devices;
  return count ? cudaSuccess : cudaErrorInvalidValue;
}
static __inline__ __device__ cudaError_t cudaDeviceGetAttribute(int* value,
                                                                cudaDeviceAttr attribute,
                                                                int device) {
  if (device < 0 || device >= cuda_device_facts.devices)
    return cudaErrorInvalidDevice;
  if (!value || attribute <= 0 || attribute >= cudaDevAttrMax)
    return cudaErrorInvalidValue;
  *value = cuda_device_facts.attributes[attribute];
  if (attribute == cudaDevAttrPciBusId) // the only one in which devices differ
    *value += device - cuda_device_facts.device;
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (limit < 0 || limit >= GPUTEST_CUDA_LIMITS || !cuda_device_facts.has_limit[limit])
    return cudaErrorUnsupportedLimit;
  if (value)
    *value = cuda_device_facts.limits[limit];
  return value ? cudaSuccess : cudaErrorInvalidValue;
}
static __inline__ __device__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config)
    *config = cudaFuncCachePreferNone;
  return config ? cudaSuccess : cudaErrorInvalidValue;
}
static __inline__ __device__ cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config)
    *config = cudaSharedMemBankSizeFourByte;
  return config ? cudaSuccess : cudaErrorInvalidValue;
}
}
#endif

#endif
