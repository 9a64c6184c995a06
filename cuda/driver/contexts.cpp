// Initialisation, devices and contexts. There is one device, and all contexts are the same memory.
#include "cuda/driver/driver.h"

#include <cstdio>
#include <cstring>
#include <vector>

using namespace gputest::cuda;

namespace {

bool initialised = false;          // NOLINT
unsigned primary_retained = 0;     // NOLINT
CUctx_st primary{.primary = true}; // NOLINT
thread_local std::vector<CUcontext> current;

std::list<CUctx_st>& contexts() {
  static auto* const all = new std::list<CUctx_st>; // NOLINT
  return *all;
}

bool is_context(CUcontext context) {
  if (context == &primary)
    return primary_retained > 0 || State::get().called;
  for (const CUctx_st& one : contexts())
    if (&one == context)
      return true;
  return false;
}

CUcontext current_context() {
  if (!current.empty())
    return current.back();
  return State::thread_errors().called ? &primary : nullptr;
}

CUresult wrong_device(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

template <typename What> CUresult of_device(CUdevice device, What&& what) {
  return driver_call(
      [&] {
        if (const CUresult error = wrong_device(device))
          return error;
        return result_of(what());
      },
      false);
}

} // namespace

CUresult gputest::cuda::not_ready(bool needs_context) {
  if (!initialised && !State::get().called)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!needs_context)
    return CUDA_SUCCESS;
  const CUcontext context = current_context();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return is_context(context) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

extern "C" {
CUresult cuInit(unsigned int flags) {
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  initialised = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  return version ? result_of(cudaDriverGetVersion(version)) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return of_device(ordinal, [&] {
    *device = 0;
    return cudaSuccess;
  });
}
CUresult cuDeviceGetCount(int* count) {
  return driver_call([&] { return cudaGetDeviceCount(count); }, false);
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return of_device(device, [&] {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
    return error;
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return of_device(device, [&] {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    *uuid = properties.uuid;
    return error;
  });
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return of_device(device, [&] {
    *bytes = kTotalMemory;
    return cudaSuccess;
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return of_device(device, [&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), 0);
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error ? error
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetPCIBusId(text, length, 0); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return driver_call([&] { return cudaDeviceGetByPCIBusId(device, text); }, false);
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver_call([&] { return cudaDeviceCanAccessPeer(can, device, peer); }, false);
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetDefaultMemPool(pool, 0); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetMemPool(pool, 0); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return of_device(device, [&] { return cudaDeviceSetMemPool(0, pool); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return of_device(device, [&] {
    ++primary_retained;
    *context = &primary;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return of_device(device, [&] {
    if (primary_retained == 0)
      return cudaErrorDeviceUninitialized;
    --primary_retained;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return of_device(device, [&] { return cudaDeviceReset(); });
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  return of_device(device, [&] {
    primary.flags = flags;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return of_device(device, [&] {
    *flags = primary.flags;
    *active = is_context(&primary);
    return cudaSuccess;
  });
}
CUresult cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return of_device(device, [&] {
    *context = &contexts().emplace_back(CUctx_st{.flags = flags});
    current.push_back(*context);
    return cudaSuccess;
  });
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params, unsigned int flags,
                        CUdevice device) {
  if (params && (params->numExecAffinityParams != 0 || params->cigParams))
    return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate_v2(context, flags, device);
}
CUresult cuCtxDestroy_v2(CUcontext context) {
  return driver_call(
      [&] {
        if (context == &primary || !is_context(context))
          return CUDA_ERROR_INVALID_CONTEXT;
        if (!current.empty() && current.back() == context)
          current.pop_back();
        contexts().remove_if([&](const CUctx_st& one) { return &one == context; });
        return CUDA_SUCCESS;
      },
      false);
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return driver_call(
      [&] {
        if (!is_context(context))
          return CUDA_ERROR_INVALID_CONTEXT;
        current.push_back(context);
        return CUDA_SUCCESS;
      },
      false);
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return driver_call(
      [&] {
        if (current.empty())
          return CUDA_ERROR_INVALID_CONTEXT;
        if (context)
          *context = current.back();
        current.pop_back();
        return CUDA_SUCCESS;
      },
      false);
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver_call(
      [&] {
        if (context && !is_context(context))
          return CUDA_ERROR_INVALID_CONTEXT;
        if (!current.empty())
          current.pop_back();
        if (context)
          current.push_back(context);
        return CUDA_SUCCESS;
      },
      false);
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return driver_call(
      [&] {
        *context = current_context();
        return CUDA_SUCCESS;
      },
      false);
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return driver_call([&] { return cudaGetDevice(device); });
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  return driver_call([&] {
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return driver_call([&] {
    *version = 3020; // since then contexts are what they are
    return !context || is_context(context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUresult cuStreamGetCtx(CUstream, CUcontext* context) {
  return driver_call([&] {
    *context = current_context();
    return CUDA_SUCCESS;
  });
}
}
