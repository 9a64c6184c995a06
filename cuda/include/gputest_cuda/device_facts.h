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

// What a kernel's address points to in device code (ir/kernels/kernel_addresses.cpp).
struct gputest_kernel_description {
  unsigned long is_kernel; // GPUTEST_KERNEL_DESCRIPTION
  unsigned long shared_bytes;
  unsigned most_threads, unused;
  char name[1]; // and more
};
#define GPUTEST_KERNEL_DESCRIPTION 0x6c656e72656b2375UL

// What limits the blocks of a multiprocessor: the attributes of the device.
struct gputest_multiprocessor {
  int blocks, threads, shared_bytes, reserved_shared_bytes;
};

#ifdef __CUDA__
__host__ __device__
#endif
    inline int
    gputest_blocks_of_multiprocessor(const gputest_multiprocessor& all, unsigned most_threads,
                                     size_t shared_bytes, int block_size) {
  if (block_size <= 0 || block_size > static_cast<int>(most_threads))
    return 0;
  const int warps = (block_size + 31) / 32;
  int blocks = all.threads / 32 / warps;
  if (blocks > all.blocks)
    blocks = all.blocks;
  if (shared_bytes > 0) {
    const size_t with_shared = static_cast<size_t>(all.shared_bytes) /
                               (shared_bytes + static_cast<size_t>(all.reserved_shared_bytes));
    if (static_cast<size_t>(blocks) > with_shared)
      blocks = static_cast<int>(with_shared);
  }
  return blocks;
}

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
