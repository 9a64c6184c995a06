// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and libraries: device code that programs load themselves.
#include "cuda/libcuda/libcuda.h"

using namespace gputest::cuda;

namespace {

CUresult load_file(CUmodule* module, const char* file, const JitLog& log,
                   const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        return module && !log.is_wrong() ? State::get().load_file(file, log, *module)
                                         : cudaErrorInvalidValue;
      },
      caller);
}

CUresult load(CUmodule* module, const void* image, const JitLog& log,
              const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        return module && image && !log.is_wrong() ? State::get().load_image(image, log, *module)
                                                  : cudaErrorInvalidValue;
      },
      caller);
}

CUresult variable_of(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name,
                     const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        if (!State::get().has(module))
          return CUDA_ERROR_INVALID_HANDLE;
        const auto found = module->variables.find(name ? name : "");
        if (found == module->variables.end())
          return CUDA_ERROR_NOT_FOUND;
        if (pointer)
          *pointer = found->second.address;
        if (bytes)
          *bytes = found->second.size;
        return CUDA_SUCCESS;
      },
      caller);
}

} // namespace

extern "C" {
CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return load_file(module, file, {});
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load(module, image, {});
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                            CUjit_option* options, void** values) {
  return load(module, image, JitLog(count, options, values));
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load(module, image, {});
}
CUresult cuModuleUnload(CUmodule module) {
  wait_for_device();
  return driver_call([&] {
    State& state = State::get();
    if (!state.has(module))
      return CUDA_ERROR_INVALID_HANDLE;
    state.flush();
    state.unload(*module);
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver_call([&] {
    if (!State::get().has(module))
      return CUDA_ERROR_INVALID_HANDLE;
    const auto found = module->functions.find(name ? name : "");
    if (found == module->functions.end())
      return CUDA_ERROR_NOT_FOUND;
    *function = &found->second;
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    if (!State::get().has(module))
      return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(module->functions.size());
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
  return driver_call([&] {
    if (!State::get().has(module))
      return CUDA_ERROR_INVALID_HANDLE;
    if (!functions)
      return CUDA_ERROR_INVALID_VALUE;
    unsigned given = 0;
    for (auto& [name, function] : module->functions)
      if (given < count)
        functions[given++] = &function;
    return CUDA_SUCCESS;
  });
}
// Device code is compiled when it is launched.
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_call([&] {
    if (!mode)
      return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return driver_call([&] {
    if (!state || !State::get().kernel(function))
      return state ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                              const char* name) {
  return variable_of(pointer, bytes, module, name);
}
CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options,
                           void** values, unsigned int count, CUlibraryOption*, void**,
                           unsigned int) {
  return load(library, code, JitLog(count, options, values));
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options,
                               void** values, unsigned int count, CUlibraryOption*, void**,
                               unsigned int) {
  return load_file(library, file, JitLog(count, options, values));
}
CUresult cuLibraryUnload(CUlibrary library) {
  return cuModuleUnload(library);
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return cuModuleGetFunction(kernel, library, name);
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return variable_of(pointer, bytes, library, name);
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return driver_call([&] {
    if (!module || !State::get().has(library))
      return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *module = library;
    return CUDA_SUCCESS;
  });
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return driver_call([&] {
    if (!function || !State::get().kernel(kernel))
      return function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *function = kernel;
    return CUDA_SUCCESS;
  });
}
}
