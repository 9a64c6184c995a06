// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches and attributes of kernels in modules.
#include "cuda/libcuda/libcuda.h"

#include <algorithm>
#include <cstddef>

using namespace gputest::cuda;

cudaError_t gputest::cuda::unpack(const KernelInfo& kernel, void** extra,
                                  std::vector<void*>& arguments) {
  std::byte* block = nullptr;
  std::size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      block = static_cast<std::byte*>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<std::size_t*>(extra[1]);
    else
      return cudaErrorInvalidValue;
  if (!block || size < kernel.arguments_size)
    return cudaErrorInvalidValue;
  for (const std::size_t offset : kernel.offsets)
    arguments.push_back(block + offset);
  return cudaSuccess;
}

static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value) &&
              sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));

namespace {

CUresult launch(CUfunction function, const cudaLaunchConfig_t& config, void** arguments,
                void** extra) {
  return driver_call([&] {
    const KernelInfo* const kernel = State::get().kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    std::vector<void*> unpacked;
    if (extra && arguments)
      return cudaErrorInvalidValue;
    if (extra)
      if (const cudaError_t error = unpack(*kernel, extra, unpacked))
        return error;
    return cudaLaunchKernelExC(&config, function, extra ? unpacked.data() : arguments);
  });
}

} // namespace

extern "C" {
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  return launch(function,
                {.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
                 .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
                 .dynamicSmemBytes = config->sharedMemBytes,
                 .stream = config->hStream,
                 .attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs),
                 .numAttrs = config->numAttrs},
                arguments, extra);
}
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void** arguments, void** extra) {
  return launch(function,
                {.gridDim = {gridX, gridY, gridZ},
                 .blockDim = {blockX, blockY, blockZ},
                 .dynamicSmemBytes = sharedBytes,
                 .stream = stream,
                 .attrs = nullptr,
                 .numAttrs = 0},
                arguments, extra);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                   unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                                   void** arguments) {
  cudaLaunchAttribute cooperative{.id = cudaLaunchAttributeCooperative, .pad = {}, .val = {}};
  cooperative.val.cooperative = 1;
  return launch(function,
                {.gridDim = {gridX, gridY, gridZ},
                 .blockDim = {blockX, blockY, blockZ},
                 .dynamicSmemBytes = sharedBytes,
                 .stream = stream,
                 .attrs = &cooperative,
                 .numAttrs = 1},
                arguments, nullptr);
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return driver_call([&] {
    if (!State::get().kernel(function) || !module)
      return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *module = function->module;
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver_call([&] {
    cudaFuncAttributes all;
    if (const cudaError_t error = cudaFuncGetAttributes(&all, function))
      return error;
    if (!value)
      return cudaErrorInvalidValue;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = all.ptxVersion;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.binaryVersion;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = all.cacheModeCA;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = all.preferredShmemCarveout;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
// Finds the largest block, a multiple of a warp, with the most threads on a multiprocessor at once.
CUresult cuOccupancyMaxPotentialBlockSize(int* least, int* blockSize, CUfunction function,
                                          CUoccupancyB2DSize bytesOf, size_t sharedBytes,
                                          int limit) {
  return driver_call([&] {
    cudaFuncAttributes attributes;
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, function))
      return error;
    int best = 0, multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int most =
        limit > 0 ? std::min(limit, attributes.maxThreadsPerBlock) : attributes.maxThreadsPerBlock;
    for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
      const int threads = std::min(size, most);
      int blocks = 0;
      if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, function, threads, bytesOf ? bytesOf(threads) : sharedBytes))
        return error;
      if (blocks * threads > best) {
        best = blocks * threads;
        *blockSize = threads;
        *least = blocks * multiprocessors;
      }
    }
    return best > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
  });
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least, int* blockSize, CUfunction function,
                                                   CUoccupancyB2DSize bytesOf, size_t sharedBytes,
                                                   int limit, unsigned int) {
  return cuOccupancyMaxPotentialBlockSize(least, blockSize, function, bytesOf, sharedBytes, limit);
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                             unsigned int flags) {
  return driver_call([&] {
    if (!callback)
      return cudaErrorInvalidValue;
    struct Call {
      CUstreamCallback callback;
      void* data;
    } call{callback, data}; // it is called at once
    return cudaStreamAddCallback(
        stream,
        [](cudaStream_t of, cudaError_t status, void* what) {
          const Call& one = *static_cast<Call*>(what);
          one.callback(of, result_of(status), one.data);
        },
        &call, flags);
  });
}
}
