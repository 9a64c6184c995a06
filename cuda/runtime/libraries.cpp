// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries and their kernels: the driver API's modules under other names.
#include "cuda/runtime/call.h"

using namespace gputest::cuda;

namespace {

// Calls `what` with the library's kernel or variable of that name.
template <typename Of, typename What>
cudaError_t with_named(cudaLibrary_t library, const char* name, Of CUmod_st::* of, What&& what) {
  return call([&](State& state) {
    if (!state.has(library))
      return cudaErrorInvalidResourceHandle;
    const auto found = (library->*of).find(name ? name : "");
    return found == (library->*of).end() ? cudaErrorSymbolNotFound : what(found->second);
  });
}

cudaError_t give(const VariableInfo& variable, void** pointer, size_t* bytes) {
  if (pointer)
    *pointer = reinterpret_cast<void*>(variable.address);
  if (bytes)
    *bytes = variable.size;
  return cudaSuccess;
}

} // namespace

extern "C" {
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                void** values, unsigned int count, cudaLibraryOption*, void**,
                                unsigned int) {
  return call([&](State& state) {
    const JitLog log(count, options, values);
    return library && code && !log.is_wrong() ? state.load_image(code, log, *library)
                                              : cudaErrorInvalidValue;
  });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file,
                                    cudaJitOption* options, void** values, unsigned int count,
                                    cudaLibraryOption*, void**, unsigned int) {
  return call([&](State& state) {
    const JitLog log(count, options, values);
    return library && !log.is_wrong() ? state.load_file(file, log, *library)
                                      : cudaErrorInvalidValue;
  });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  wait_for_device();
  return call([&](State& state) {
    if (!state.has(library))
      return cudaErrorInvalidResourceHandle;
    state.flush();
    state.unload(*library);
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_named(library, name, &CUmod_st::functions, [&](CUfunc_st& function) {
    if (kernel)
      *kernel = &function;
    return kernel ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  return call([&](State& state) {
    if (!state.has(library) || !count)
      return count ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    *count = static_cast<unsigned>(library->functions.size());
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count,
                                        cudaLibrary_t library) {
  return call([&](State& state) {
    if (!state.has(library) || !kernels)
      return kernels ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    unsigned given = 0;
    for (auto& [name, function] : library->functions)
      if (given < count)
        kernels[given++] = &function;
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return with_named(library, name, &CUmod_st::variables,
                    [&](const VariableInfo& variable) { return give(variable, pointer, bytes); });
}
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return with_named(library, name, &CUmod_st::variables, [&](const VariableInfo& variable) {
    return variable.managed ? give(variable, pointer, bytes) : cudaErrorSymbolNotFound;
  });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return call([&](State& state) {
    return state.is_device(device) ? cudaFuncSetAttribute(kernel, attribute, value)
                                   : cudaErrorInvalidDevice;
  });
}
// The host's function stands for the kernel.
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return cudaGetFuncBySymbol(kernel, function);
}
}
