// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the driver API that only call the runtime API, and the table of all functions.
#include "cuda/include/cuda_profiler_api.h"
#include "cuda/libcuda/libcuda.h"

#include <algorithm>
#include <dlfcn.h>
#include <string>
#include <string_view>

using namespace gputest::cuda;

CUresult gputest::cuda::result_of(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  default: // the driver API has one error for several of the runtime API
    return error > cudaErrorCudartUnloading && error < cudaErrorStubLibrary &&
                   error != cudaErrorProfilerDisabled
               ? CUDA_ERROR_INVALID_VALUE
           : error == cudaErrorMissingConfiguration ? CUDA_ERROR_INVALID_VALUE
                                                    : static_cast<CUresult>(error);
  }
}

namespace {

enum class Context { current, any };
struct Entry {
  const char* name;
  void* function;
  Context context;
};

// One of those with that name.
template <typename Function> void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

const Entry kEntries[] = {
#define GPUTEST_CUDA_FUNCTION(symbol, name, version, context, parameters, ...)                     \
  {#symbol, address<CUresult parameters>(symbol), Context::context},
#include "cuda/include/gputest_cuda/driver_calls.def"
};

// One function has two forms that programs ask for by the version.
void* function_named(std::string name, int version) {
  constexpr int kWithGreenContexts = 12050;
  if (name == "cuStreamGetCtx" && version >= kWithGreenContexts)
    name += "_v2";
  for (const Entry& entry : kEntries)
    if (name == entry.name || name + "_v2" == entry.name)
      return entry.function;
  return nullptr;
}

struct ErrorText {
  CUresult error;
  const char *name, *text;
};
const ErrorText kErrors[] = {
#define GPUTEST_CUDA_DRIVER_ERRORS
#define GPUTEST_CUDA_ERROR(name, driver, number, text) {driver, #driver, text},
#include "cuda/include/gputest_cuda/errors.def"
};

CUresult text_of(CUresult error, const char* ErrorText::* which, const char** text) {
  for (const ErrorText& one : kErrors)
    if (one.error == error) {
      *text = one.*which;
      return CUDA_SUCCESS;
    }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

} // namespace

bool gputest::cuda::needs_no_context(std::string_view function) {
  return std::ranges::any_of(kEntries, [&](const Entry& entry) {
    return function == entry.name && entry.context == Context::any;
  });
}

extern "C" {
#define GPUTEST_CUDA_FUNCTION(symbol, name, version, context, parameters)
#define GPUTEST_CUDA_CALL(symbol, name, version, context, parameters, ...)                         \
  CUresult symbol parameters {                                                                     \
    return driver_call([&] { return __VA_ARGS__; });                                               \
  }
#include "cuda/include/gputest_cuda/driver_calls.def"

CUresult cuGetErrorName(CUresult error, const char** text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  return text_of(error, &ErrorText::name, text);
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  return text_of(error, &ErrorText::text, text);
}
CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* found) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = function_named(name, version);
  if (found)
    *found = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
// Replaces dlopen() in programs that gputest-cuda links. Such a program contains the driver, so
// opening the driver opens the program itself.
void* __wrap_dlopen(const char* file, int mode) { // NOLINT: the linker's name
  static const auto real =
      reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  const std::string_view name = file ? file : "";
  return real(name == "libcuda.so" || name == "libcuda.so.1" ? nullptr : file, mode);
}
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* found) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, found);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
  return call([&](State&) {
    if (!name || !function || flags > cudaEnablePerThreadDefaultStream)
      return cudaErrorInvalidValue;
    *function = function_named(name, static_cast<int>(version));
    if (found)
      *found = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}
}
