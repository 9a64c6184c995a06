// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches and attributes of kernels.
#include "cuda/include/gputest_cuda/device_facts.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/limits.h"

#include <algorithm>

using namespace gputest::cuda;

namespace {

cudaError_t wrong_shape(const KernelInfo& kernel, const LaunchShape& shape) {
  const std::uint64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  for (unsigned i = 0; i < 3; ++i)
    if (shape.grid[i] == 0 || shape.block[i] == 0 || shape.grid[i] > kMostBlocks[i] ||
        shape.block[i] > kMostThreads[i])
      return cudaErrorInvalidConfiguration;
  if (threads > kThreadsOfBlock)
    return cudaErrorInvalidConfiguration;
  if (threads > kernel.most_threads)
    return cudaErrorLaunchOutOfResources;
  const std::size_t dynamic =
      std::max<std::size_t>(kSharedOfBlock - std::min(kSharedOfBlock, kernel.shared_size),
                            static_cast<std::size_t>(kernel.dynamic_limit));
  return shape.shared_bytes > dynamic ? cudaErrorInvalidValue : cudaSuccess;
}

int blocks_of_multiprocessor(const KernelInfo& kernel, int block_size, size_t shared_memory) {
  return gputest_blocks_of_multiprocessor(
      {kBlocksOfMultiprocessor, kThreadsOfMultiprocessor, kSharedOfMultiprocessor, 1024},
      kernel.most_threads, kernel.shared_size + shared_memory, block_size);
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t shared_memory, cudaStream_t stream, const LaunchShape& how = {}) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (state.is_broken())
    return state.report(state.device_error());
  if (wrong_stream(stream) || device_of(stream) != State::device()) // the thread has chosen another
    return state.report(cudaErrorInvalidResourceHandle);
  std::shared_ptr<KernelWork> work;
  const cudaKernelNodeParams params{.func = const_cast<void*>(function),
                                    .gridDim = grid,
                                    .blockDim = block,
                                    .sharedMemBytes = static_cast<unsigned>(shared_memory),
                                    .kernelParams = arguments,
                                    .extra = nullptr};
  if (const cudaError_t error = kernel_work(state, params, how, work))
    return state.report(error);
  return in_stream(stream, cudaGraphNodeTypeKernel, Work(work));
}

constexpr std::uint64_t kMostBlocksOfCluster = 8; // portable ones have no more

// The kernel's cluster size takes precedence; a launch may only repeat it.
cudaError_t complete_cluster(const KernelInfo& kernel, LaunchShape& shape) {
  if (kernel.cluster[0] > 0) {
    if (shape.cluster[0] > 0 && shape.cluster != kernel.cluster)
      return cudaErrorInvalidClusterSize;
    shape.cluster = kernel.cluster;
  }
  for (std::uint64_t& blocks : shape.cluster)
    blocks = std::max<std::uint64_t>(blocks, 1);
  if (shape.cluster[0] * shape.cluster[1] * shape.cluster[2] > kMostBlocksOfCluster)
    return cudaErrorInvalidClusterSize;
  for (unsigned i = 0; i < 3; ++i)
    if (shape.grid[i] % shape.cluster[i] != 0)
      return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

LaunchShape shape_of_attributes(const cudaLaunchConfig_t& config) {
  LaunchShape how;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative)
      how.cooperative = attribute.val.cooperative != 0;
    else if (attribute.id == cudaLaunchAttributeClusterDimension)
      how.cluster = {cluster.x, cluster.y, cluster.z};
  }
  return how;
}

} // namespace

cudaError_t gputest::cuda::kernel_work(State& state, const cudaKernelNodeParams& params,
                                       const LaunchShape& how, std::shared_ptr<KernelWork>& work) {
  KernelInfo* const kernel = state.kernel(params.func);
  if (const cudaError_t error = state.device_error())
    return error;
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  LaunchShape shape{.grid = {params.gridDim.x, params.gridDim.y, params.gridDim.z},
                    .block = {params.blockDim.x, params.blockDim.y, params.blockDim.z},
                    .shared_bytes = params.sharedMemBytes,
                    .cooperative = how.cooperative,
                    .cluster = how.cluster};
  if (const cudaError_t error = wrong_shape(*kernel, shape))
    return error;
  if (const cudaError_t error = complete_cluster(*kernel, shape))
    return error;
  if (shape.cooperative &&
      shape.grid[0] * shape.grid[1] * shape.grid[2] >
          static_cast<std::uint64_t>(kMultiprocessors) *
              static_cast<unsigned>(blocks_of_multiprocessor(
                  *kernel, static_cast<int>(shape.block[0] * shape.block[1] * shape.block[2]),
                  shape.shared_bytes)))
    return cudaErrorCooperativeLaunchTooLarge;
  if (!kernel->offsets.empty() && !params.kernelParams)
    return cudaErrorInvalidValue;
  work = std::make_shared<KernelWork>();
  work->params = params;
  work->kernel = kernel;
  work->shape = shape;
  work->arguments = State::argument_block(*kernel, params.kernelParams);
  for (const std::size_t offset : kernel->offsets)
    work->values.push_back(work->arguments.data() + offset);
  work->params.kernelParams = work->values.data();
  return cudaSuccess;
}

extern "C" {
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t sharedMemory, cudaStream_t stream) {
  return launch(function, grid, block, arguments, sharedMemory, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (!config)
    return State::get().report(cudaErrorInvalidValue);
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                config->stream, shape_of_attributes(*config));
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t sharedMemory,
                                        cudaStream_t stream) {
  LaunchShape how;
  how.cooperative = true;
  return launch(function, grid, block, arguments, sharedMemory, stream, how);
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call_with({name}, [&](State& state) {
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, const void* function,
                                                      int blocks, int) {
  return call_with({size}, [&](State& state) {
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel || blocks <= 0)
      return kernel ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
    const std::size_t each = kSharedOfMultiprocessor / static_cast<unsigned>(blocks);
    const std::size_t taken = kernel->shared_size + 1024;
    *size = std::min(each - std::min(each, taken), kSharedOfBlockOptIn - kernel->shared_size);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return call([&](State& state) {
    if (!clusters || !config)
      return cudaErrorInvalidValue;
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    LaunchShape shape = shape_of_attributes(*config);
    shape.grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
    if (const cudaError_t error = complete_cluster(*kernel, shape))
      return error;
    const auto threads =
        static_cast<int>(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    *clusters = kMultiprocessors *
                blocks_of_multiprocessor(*kernel, threads, config->dynamicSmemBytes) /
                static_cast<int>(shape.cluster[0] * shape.cluster[1] * shape.cluster[2]);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return call([&](State& state) {
    if (!size || !config)
      return cudaErrorInvalidValue;
    *size = static_cast<int>(kMostBlocksOfCluster);
    return state.kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return call([&](State& state) {
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel || !offset || index >= kernel->offsets.size())
      return kernel ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
    *offset = kernel->offsets[index];
    if (size)
      *size = kernel->sizes[index];
    return cudaSuccess;
  });
}
// For cuda/gpu/remote_launches.cpp, which on a GPU asks the driver. Returns 0 if the kernel has the
// parameter.
int gputest_cuda_parameter(void* function, size_t index, size_t* offset, size_t* size) {
  State& state = State::get();
  const Lock lock(state.mutex);
  const KernelInfo* const kernel = state.kernel(function);
  if (!kernel || index >= kernel->offsets.size())
    return 1;
  *offset = kernel->offsets[index];
  *size = kernel->sizes[index];
  return 0;
}
// The host's function serves as the kernel's handle, like a CUfunction.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return call([&](State& state) {
    if (!function || !symbol)
      return cudaErrorInvalidValue;
    if (!state.kernel(symbol))
      return cudaErrorInvalidDeviceFunction;
    *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&](State& state) {
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (!attributes)
      return cudaErrorInvalidValue;
    *attributes = {};
    attributes->sharedSizeBytes = kernel->shared_size;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->most_threads);
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 10 * kMajor + kMinor;
    attributes->maxDynamicSharedSizeBytes =
        kernel->dynamic_limit ? kernel->dynamic_limit
                              : static_cast<int>(kSharedOfBlock - kernel->shared_size);
    attributes->preferredShmemCarveout = -1;
    attributes->clusterDimMustBeSet = kernel->cluster[0] > 0;
    attributes->requiredClusterWidth = static_cast<int>(kernel->cluster[0]);
    attributes->requiredClusterHeight = static_cast<int>(kernel->cluster[1]);
    attributes->requiredClusterDepth = static_cast<int>(kernel->cluster[2]);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call([&](State& state) {
    KernelInfo* const kernel = state.kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) + kernel->shared_size > kSharedOfBlockOptIn)
      return cudaErrorInvalidValue;
    kernel->dynamic_limit = value;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call([&](State& state) {
    return state.kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int blockSize, size_t sharedMemory) {
  return call([&](State& state) {
    const KernelInfo* const kernel = state.kernel(function);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (!blocks)
      return cudaErrorInvalidValue;
    *blocks = blocks_of_multiprocessor(*kernel, blockSize, sharedMemory);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int blockSize,
                                                                   size_t sharedMemory, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, sharedMemory);
}
}
