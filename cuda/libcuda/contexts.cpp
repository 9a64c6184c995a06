// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisation, devices and contexts. All contexts share the device's memory.
#include "cuda/libcuda/libcuda.h"

#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <vector>

using namespace gputest::cuda;

namespace {

bool initialised = false; // NOLINT
thread_local std::vector<CUcontext> current;

// The context that the runtime API uses on a device.
struct Primary {
  CUctx_st context;
  unsigned retained = 0;
};
Primary& primary_of(int device) {
  static auto* const all = new std::map<int, Primary>; // NOLINT
  return all->try_emplace(device, Primary{{.primary = true, .device = device}}).first->second;
}

std::list<CUctx_st>& contexts() {
  static auto* const all = new std::list<CUctx_st>; // NOLINT
  return *all;
}

bool is_context(CUcontext context) {
  for (int device = 0; device < State::get().devices(); ++device)
    if (const Primary& primary = primary_of(device); &primary.context == context)
      return primary.retained > 0 || State::get().called;
  for (const CUctx_st& one : contexts())
    if (&one == context)
      return true;
  return false;
}

CUcontext current_context() {
  // cudaSetDevice() may have chosen another device since.
  if (!current.empty() &&
      (!is_context(current.back()) || current.back()->device == State::device()))
    return current.back();
  return State::thread_errors().called || !current.empty() ? &primary_of(State::device()).context
                                                           : nullptr;
}

void choose_device_of_current() {
  if (!current.empty() && is_context(current.back()))
    State::choose_device(current.back()->device);
}

CUresult wrong_device(CUdevice device) {
  return State::get().is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

template <typename What>
CUresult of_device(CUdevice device, What&& what, const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        if (const CUresult error = wrong_device(device))
          return error;
        return result_of(what());
      },
      caller);
}

} // namespace

unsigned long long CUctx_st::next_id() {
  static unsigned long long last = 0; // NOLINT: under the lock of State
  return ++last;
}

CUresult gputest::cuda::not_ready(std::string_view function) {
  if (!initialised && !State::get().called)
    return CUDA_ERROR_NOT_INITIALIZED;
  const CUcontext context = current_context();
  if (is_context(context) || needs_no_context(function))
    return CUDA_SUCCESS;
  return context ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
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
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(ordinal, [&] {
    *device = ordinal;
    return cudaSuccess;
  });
}
CUresult cuDeviceGetCount(int* count) {
  return driver_call([&] { return cudaGetDeviceCount(count); });
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
    return error;
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    *uuid = properties.uuid;
    return error;
  });
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return of_device(device, [&] {
    cudaDeviceProp all;
    if (!properties)
      return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&all, device);
    *properties = {.maxThreadsPerBlock = all.maxThreadsPerBlock,
                   .maxThreadsDim = {},
                   .maxGridSize = {},
                   .sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock),
                   .totalConstantMemory = static_cast<int>(all.totalConstMem),
                   .SIMDWidth = all.warpSize,
                   .memPitch = static_cast<int>(all.memPitch),
                   .regsPerBlock = all.regsPerBlock,
                   .clockRate = all.clockRate,
                   .textureAlign = static_cast<int>(all.textureAlignment)};
    std::memcpy(properties->maxThreadsDim, all.maxThreadsDim, sizeof all.maxThreadsDim);
    std::memcpy(properties->maxGridSize, all.maxGridSize, sizeof all.maxGridSize);
    return error;
  });
}
// Only Windows has adapters with numbers.
CUresult cuDeviceGetLuid(char* luid, unsigned int* nodes, CUdevice device) {
  return of_device(device, [&] {
    if (!luid || !nodes)
      return cudaErrorInvalidValue;
    std::memset(luid, 0, 8);
    *nodes = 0;
    return cudaSuccess;
  });
}
// No context has a part of the multiprocessors.
CUresult cuDeviceGetExecAffinitySupport(int* is, CUexecAffinityType type, CUdevice device) {
  return of_device(device, [&] {
    if (!is || type >= CU_EXEC_AFFINITY_TYPE_MAX)
      return cudaErrorInvalidValue;
    *is = 0;
    return cudaSuccess;
  });
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    *bytes = kTotalMemory;
    return cudaSuccess;
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return of_device(device, [&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error ? error
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return driver_call([&] { return cudaDeviceGetByPCIBusId(device, text); });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver_call([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return of_device(device, [&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return of_device(device, [&] { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    ++primary_of(device).retained;
    *context = &primary_of(device).context;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return of_device(device, [&] {
    if (primary_of(device).retained == 0)
      return cudaErrorDeviceUninitialized;
    --primary_of(device).retained;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return of_device(device, [&] { return cudaDeviceReset(); });
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  return of_device(device, [&] {
    primary_of(device).context.flags = flags;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    *flags = primary_of(device).context.flags;
    *active = is_context(&primary_of(device).context);
    return cudaSuccess;
  });
}
CUresult cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return of_device(device, [&] {
    *context = &contexts().emplace_back(CUctx_st{.flags = flags, .device = device});
    current.push_back(*context);
    choose_device_of_current();
    return cudaSuccess;
  });
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params, unsigned int flags,
                        CUdevice device) {
  if (params && (params->numExecAffinityParams != 0 || params->cigParams))
    return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate_v2(context, flags, device);
}
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int count, unsigned int flags,
                        CUdevice device) {
  return count != 0 ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate_v2(context, flags, device);
}
CUresult cuCtxAttach(CUcontext* context, unsigned int flags) {
  if (!context || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    *context = current_context();
    ++(*context)->attached;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxDetach(CUcontext context) {
  return driver_call([&] {
    if (!is_context(context) || context != current_context())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context->attached > 0) {
      --context->attached;
      return CUDA_SUCCESS;
    }
    return cuCtxDestroy_v2(context);
  });
}
CUresult cuCtxDestroy_v2(CUcontext context) {
  return driver_call([&] {
    if (!is_context(context) || context->primary)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty() && current.back() == context)
      current.pop_back();
    contexts().remove_if([&](const CUctx_st& one) { return &one == context; });
    choose_device_of_current();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return driver_call([&] {
    if (!is_context(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    current.push_back(context);
    choose_device_of_current();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return driver_call([&] {
    if (current.empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
      *context = current.back();
    current.pop_back();
    choose_device_of_current();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver_call([&] {
    if (context && !is_context(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty())
      current.pop_back();
    if (context)
      current.push_back(context);
    choose_device_of_current();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    *context = current_context();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return driver_call([&] { return cudaGetDevice(device); });
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetFlags(unsigned int flags) {
  return driver_call([&] {
    if (flags & ~(CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX |
                  CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE | CU_CTX_SYNC_MEMOPS))
      return CUDA_ERROR_INVALID_VALUE;
    current_context()->flags = flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return driver_call([&] {
    const CUcontext of = context ? context : current_context();
    if (!is_context(of))
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!id)
      return CUDA_ERROR_INVALID_VALUE;
    *id = of->id;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetExecAffinity(CUexecAffinityParam*, CUexecAffinityType) {
  return driver_call([&] { return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY; });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    *version = 3020; // the version that introduced today's contexts
    return !context || is_context(context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return driver_call([&] {
    return is_context(peer) && peer->device != State::device()
               ? result_of(cudaDeviceEnablePeerAccess(peer->device, flags))
               : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return driver_call([&] {
    return is_context(peer) ? result_of(cudaDeviceDisablePeerAccess(peer->device))
                            : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    *context = current_context();
    return result_of(wrong_stream(stream));
  });
}
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  if (!green)
    return CUDA_ERROR_INVALID_VALUE;
  *green = nullptr;
  return cuStreamGetCtx(stream, context);
}
}
