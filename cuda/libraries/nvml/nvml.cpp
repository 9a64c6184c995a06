// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/nvml/include/nvml.h"

#include "cuda/include/cuda_runtime_api.h"

#include <array>
#include <string>

// Of a device, its number.
struct nvmlDevice_st {
  int index;
};

namespace {

int users = 0; // calls of nvmlInit() that are not ended

nvmlReturn_t give(const std::string& text, char* to, unsigned length) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  text.copy(to, text.size());
  to[text.size()] = '\0';
  return NVML_SUCCESS;
}

} // namespace

extern "C" {
nvmlReturn_t nvmlInit(void) {
  ++users;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlShutdown(void) {
  if (users == 0)
    return NVML_ERROR_UNINITIALIZED;
  --users;
  return NVML_SUCCESS;
}
const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
  case NVML_SUCCESS:
    return "Success";
  case NVML_ERROR_UNINITIALIZED:
    return "Uninitialized";
  case NVML_ERROR_INVALID_ARGUMENT:
    return "Invalid Argument";
  case NVML_ERROR_NOT_SUPPORTED:
    return "Not Supported";
  case NVML_ERROR_NO_PERMISSION:
    return "Insufficient Permissions";
  case NVML_ERROR_NOT_FOUND:
    return "Not Found";
  case NVML_ERROR_INSUFFICIENT_SIZE:
    return "Insufficient Size";
  case NVML_ERROR_DRIVER_NOT_LOADED:
    return "Driver Not Loaded";
  case NVML_ERROR_UNKNOWN:
    break;
  }
  return "Unknown Error";
}
nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return users == 0 ? NVML_ERROR_UNINITIALIZED : give("555.42.02", version, length);
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  return users == 0 ? NVML_ERROR_UNINITIALIZED : give("12.555.42.02", version, length);
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return version && cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS
                                                                 : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t nvmlDeviceGetCount(unsigned* count) {
  if (users == 0)
    return NVML_ERROR_UNINITIALIZED;
  int devices = 0;
  if (!count || cudaGetDeviceCount(&devices) != cudaSuccess)
    return NVML_ERROR_INVALID_ARGUMENT;
  *count = static_cast<unsigned>(devices);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t* device) {
  static std::array<nvmlDevice_st, 16> devices = [] {
    std::array<nvmlDevice_st, 16> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i].index = static_cast<int>(i);
    return all;
  }();
  unsigned count = 0;
  if (const nvmlReturn_t result = nvmlDeviceGetCount(&count))
    return result;
  if (index >= count || !device)
    return NVML_ERROR_INVALID_ARGUMENT;
  *device = &devices[index];
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned* index) {
  if (!device || !index)
    return NVML_ERROR_INVALID_ARGUMENT;
  *index = static_cast<unsigned>(device->index);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned length) {
  cudaDeviceProp properties{};
  if (!device || cudaGetDeviceProperties(&properties, device->index) != cudaSuccess)
    return NVML_ERROR_INVALID_ARGUMENT;
  return give(properties.name, name, length);
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  int before = 0;
  size_t free = 0, total = 0;
  if (!device || !memory || cudaGetDevice(&before) != cudaSuccess ||
      cudaSetDevice(device->index) != cudaSuccess)
    return NVML_ERROR_INVALID_ARGUMENT;
  const cudaError_t error = cudaMemGetInfo(&free, &total);
  cudaSetDevice(before);
  if (error != cudaSuccess)
    return NVML_ERROR_UNKNOWN;
  *memory = {.total = total, .free = free, .used = total - free};
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  if (!device || !major || !minor ||
      cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device->index) !=
          cudaSuccess ||
      cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device->index) !=
          cudaSuccess)
    return NVML_ERROR_INVALID_ARGUMENT;
  return NVML_SUCCESS;
}
}
