// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's driver API: libcuda.so.1, opened where it is installed. The declarations follow the
// published API; the build reads no files of NVIDIA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gputest::runtime::cuda {

using Result = int; // CUresult
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Address = std::uint64_t; // CUdeviceptr

// The functions that this room calls: a row for each, with the name that the library exports.
#define GPUTEST_CUDA_DRIVER_CALLS(ROW)                                                             \
  ROW(init, "cuInit", unsigned)                                                                    \
  ROW(driver_version, "cuDriverGetVersion", int*)                                                  \
  ROW(error_name, "cuGetErrorName", Result, const char**)                                          \
  ROW(error_string, "cuGetErrorString", Result, const char**)                                      \
  ROW(device_count, "cuDeviceGetCount", int*)                                                      \
  ROW(device_get, "cuDeviceGet", int*, int)                                                        \
  ROW(device_name, "cuDeviceGetName", char*, int, int)                                             \
  ROW(device_memory, "cuDeviceTotalMem_v2", std::size_t*, int)                                     \
  ROW(device_attribute, "cuDeviceGetAttribute", int*, int, int)                                    \
  ROW(primary_retain, "cuDevicePrimaryCtxRetain", Context*, int)                                   \
  ROW(push_context, "cuCtxPushCurrent_v2", Context)                                                \
  ROW(pop_context, "cuCtxPopCurrent_v2", Context*)                                                 \
  ROW(synchronize, "cuCtxSynchronize")                                                             \
  ROW(module_load, "cuModuleLoadData", Module*, const void*)                                       \
  ROW(module_unload, "cuModuleUnload", Module)                                                     \
  ROW(module_function, "cuModuleGetFunction", Function*, Module, const char*)                      \
  ROW(module_global, "cuModuleGetGlobal_v2", Address*, std::size_t*, Module, const char*)          \
  ROW(function_attribute, "cuFuncGetAttribute", int*, int, Function)                               \
  ROW(set_function_attribute, "cuFuncSetAttribute", Function, int, int)                            \
  ROW(allocate, "cuMemAlloc_v2", Address*, std::size_t)                                            \
  ROW(free, "cuMemFree_v2", Address)                                                               \
  ROW(host_allocate, "cuMemHostAlloc", void**, std::size_t, unsigned)                              \
  ROW(host_free, "cuMemFreeHost", void*)                                                           \
  ROW(host_address, "cuMemHostGetDevicePointer_v2", Address*, void*, unsigned)                     \
  ROW(to_device, "cuMemcpyHtoD_v2", Address, const void*, std::size_t)                             \
  ROW(to_host, "cuMemcpyDtoH_v2", void*, Address, std::size_t)                                     \
  ROW(launch, "cuLaunchKernel", Function, unsigned, unsigned, unsigned, unsigned, unsigned,        \
      unsigned, unsigned, Stream, void**, void**)

// Numbers of the published API.
constexpr Result kOutOfMemory = 2, kNotInitialised = 3, kNotFound = 500, kNoGpu = 100;
enum DeviceAttribute {
  kThreadsOfBlock = 1,
  kSharedMemory = 8,
  kMajor = 75,
  kMinor = 76,
  kMostSharedMemory = 97
};
enum FunctionAttribute { kThreadsOfFunction = 0, kSharedOfFunction = 1, kDynamicSharedMemory = 8 };
constexpr unsigned kMapped = 2; // memory of the host that the GPU has an address for

class Driver {
public:
  // Opens $GPUTEST_CUDA_DRIVER, else libcuda.so.1. The library stays loaded until the process ends.
  // Throws NoDevice where there is none, and DeviceError where it lacks a function.
  Driver();

#define GPUTEST_ROW(name, symbol, ...) Result (*name)(__VA_ARGS__) = nullptr;
  GPUTEST_CUDA_DRIVER_CALLS(GPUTEST_ROW)
#undef GPUTEST_ROW

  // Returns "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
  std::string text_of(Result result) const;

  // Throws for a result that is an error: OutOfMemory, or DeviceError "<what>: CUDA_ERROR_…: …".
  void check(Result result, const std::string& what) const;
};

// Returns whether the result means that a launch has ended in a fault. The process can then no
// longer use the GPU.
bool is_fault(Result result);

// Returns whether the result means that a launch was refused, because of its sizes or resources.
bool is_refusal(Result result);

} // namespace gputest::runtime::cuda
