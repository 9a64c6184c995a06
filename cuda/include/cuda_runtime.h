// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's runtime API with its C++ functions and, in CUDA sources, the functions of device code.
#ifndef GPUTEST_CUDA_RUNTIME_H
#define GPUTEST_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ // programs ask whether it was included

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"

#ifdef __CUDA__
#include "gputest_cuda/device.h"
#endif

#ifdef __cplusplus

#include <cstdint>
#include <utility>

template <typename T> inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc((void**)pointer, size);
}
template <typename T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
template <typename T> inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
template <typename T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)pointer, size, flags);
}
template <typename T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void**)pointer, size, stream);
}
template <typename T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, count, offset, kind);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, count, offset, kind,
                                 stream);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), count, offset, kind);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), count, offset, kind,
                                   stream);
}
template <typename T> inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}
template <typename T> inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, static_cast<const void*>(&symbol));
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise(pointer, count, advice,
                       location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location,
                                        unsigned int, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(
      pointer, count, location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id,
      stream);
}
template <typename T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
inline cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, size, pool, stream);
}

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  return {pointer, pitch, xsize, ysize};
}

// Returns the format of a texel of type T.
template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define GPUTEST_CHANNELS(V, S, kind)                                                               \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<S>() {                            \
    return cudaCreateChannelDesc(8 * sizeof(S), 0, 0, 0, kind);                                    \
  }                                                                                                \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<V##1>() {                         \
    return cudaCreateChannelDesc(8 * sizeof(S), 0, 0, 0, kind);                                    \
  }                                                                                                \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<V##2>() {                         \
    return cudaCreateChannelDesc(8 * sizeof(S), 8 * sizeof(S), 0, 0, kind);                        \
  }                                                                                                \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<V##4>() {                         \
    return cudaCreateChannelDesc(8 * sizeof(S), 8 * sizeof(S), 8 * sizeof(S), 8 * sizeof(S),       \
                                 kind);                                                            \
  }
GPUTEST_CHANNELS(char, signed char, cudaChannelFormatKindSigned)
GPUTEST_CHANNELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
GPUTEST_CHANNELS(short, short, cudaChannelFormatKindSigned)
GPUTEST_CHANNELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
GPUTEST_CHANNELS(int, int, cudaChannelFormatKindSigned)
GPUTEST_CHANNELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
GPUTEST_CHANNELS(float, float, cudaChannelFormatKindFloat)
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<char>() {
  return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}
#undef GPUTEST_CHANNELS

// The declaration of CUDA 12.8. The second one has one attribute for all copies.
inline cudaError_t cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes, size_t count,
                                        cudaMemcpyAttributes* attributes, size_t* starts,
                                        size_t attribute_count, size_t* failed,
                                        cudaStream_t stream) {
  const cudaError_t error = cudaMemcpyBatchAsync(to, const_cast<const void* const*>(from), sizes,
                                                 count, attributes, starts, attribute_count, stream);
  if (failed && error != cudaSuccess)
    *failed = SIZE_MAX; // which one is not known
  return error;
}
template <typename T, typename U>
inline cudaError_t cudaMemcpyBatchAsync(T* const* to, U* const* from, const size_t* sizes,
                                        size_t count, cudaMemcpyAttributes attributes,
                                        cudaStream_t stream) {
  size_t first = 0;
  return cudaMemcpyBatchAsync((void* const*)to, (const void* const*)from, sizes, count, &attributes,
                              &first, 1, stream);
}
// The declaration of CUDA 12.8.
inline cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations, size_t* failed,
                                          unsigned long long flags, cudaStream_t stream) {
  const cudaError_t error = cudaMemcpy3DBatchAsync(count, operations, flags, stream);
  if (failed && error != cudaSuccess)
    *failed = SIZE_MAX; // which one is not known
  return error;
}
// Functions with pointers of any type, and with one location for all.
#define GPUTEST_PREFETCHES(name)                                                                   \
  template <typename T>                                                                            \
  inline cudaError_t name(T** pointers, size_t* sizes, size_t count, cudaMemLocation* places,      \
                          size_t* starts, size_t place_count, unsigned long long flags,            \
                          cudaStream_t stream) {                                                   \
    return name((void**)pointers, sizes, count, places, starts, place_count,                       \
                flags, stream);                                                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  inline cudaError_t name(T** pointers, size_t* sizes, size_t count, cudaMemLocation place,        \
                          unsigned long long flags, cudaStream_t stream) {                         \
    size_t first = 0;                                                                              \
    return name((void**)pointers, sizes, count, &place, &first, 1, flags,                          \
                stream);                                                                           \
  }
GPUTEST_PREFETCHES(cudaMemPrefetchBatchAsync)
GPUTEST_PREFETCHES(cudaMemDiscardAndPrefetchBatchAsync)
#undef GPUTEST_PREFETCHES

// Functions that take a kernel's function.
template <typename T> inline cudaError_t cudaGetKernel(cudaKernel_t* kernel, T* function) {
  return cudaGetKernel(kernel, reinterpret_cast<const void*>(function));
}
template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    return cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
  }(std::forward<Arguments>(arguments)...);
}
template <typename T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_memory = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                          shared_memory, stream);
}
template <typename T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared_memory = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                     shared_memory, stream);
}
template <typename T>
__host__ __device__ inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <typename T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <typename T> inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return cudaFuncGetName(name, reinterpret_cast<const void*>(kernel));
}
template <typename T>
inline cudaError_t cudaFuncGetParamInfo(T* kernel, size_t index, size_t* offset, size_t* size) {
  return cudaFuncGetParamInfo(reinterpret_cast<const void*>(kernel), index, offset, size);
}
template <typename T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <typename T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, T* kernel, int blocks,
                                                             int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(size, reinterpret_cast<const void*>(kernel),
                                                   blocks, block_size);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}
template <typename T> inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, T* kernel) {
  return cudaGetFuncBySymbol(function, reinterpret_cast<const void*>(kernel));
}
template <typename T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                 int block_size,
                                                                 size_t shared_memory) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared_memory);
}
template <typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                          int block_size,
                                                                          size_t shared_memory,
                                                                          unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared_memory, flags);
}
template <typename F, typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T kernel,
                                                                  F shared_of_block,
                                                                  int limit = 0) {
  cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  int device = 0, multiprocessors = 0, best = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (limit == 0 || limit > attributes.maxThreadsPerBlock)
    limit = attributes.maxThreadsPerBlock;
  *grid = *block = 0;
  for (int size = limit / 32 * 32; error == cudaSuccess && size > 0; size -= 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, reinterpret_cast<const void*>(kernel), size, shared_of_block(size));
    if (blocks * size > best) {
      best = blocks * size;
      *block = size;
      *grid = blocks * multiprocessors;
    }
  }
  return error;
}
template <typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T kernel,
                                                      size_t shared_memory = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [=](int) { return shared_memory; }, limit);
}
template <typename F, typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid, int* block,
                                                                           T kernel,
                                                                           F shared_of_block,
                                                                           int limit = 0,
                                                                           unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared_of_block,
                                                        limit);
}
template <typename T>
__host__ __device__ inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, T kernel,
                                                               size_t shared_memory = 0,
                                                               int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_memory, limit);
}

#endif

#ifdef __CUDA__
#include "gputest_cuda/alignas.h"
#endif

#endif
