// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The occupancy calculator of CUDA's toolkit, which asks no device: how many blocks of a kernel are
// active on a multiprocessor, by the resources that they need.
#ifndef GPUTEST_CUDA_OCCUPANCY_H
#define GPUTEST_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

#ifdef __cplusplus
#define GPUTEST_OCC static inline
#else
#define GPUTEST_OCC static
#endif

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;
typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08
} cudaOccLimitingFactor;

typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
#ifdef __cplusplus
  cudaOccDeviceProp() = default;
  template <typename Properties> // cudaDeviceProp
  cudaOccDeviceProp(const Properties& of)
      : computeMajor(of.major), computeMinor(of.minor), maxThreadsPerBlock(of.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(of.maxThreadsPerMultiProcessor), regsPerBlock(of.regsPerBlock),
        regsPerMultiprocessor(of.regsPerMultiprocessor), warpSize(of.warpSize),
        sharedMemPerBlock(of.sharedMemPerBlock),
        sharedMemPerMultiprocessor(of.sharedMemPerMultiprocessor), numSms(of.multiProcessorCount),
        sharedMemPerBlockOptin(of.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(of.reservedSharedMemPerBlock) {}
#endif
} cudaOccDeviceProp;

typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock, numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
#ifdef __cplusplus
  cudaOccFuncAttributes() = default;
  template <typename Attributes> // cudaFuncAttributes
  cudaOccFuncAttributes(const Attributes& of)
      : maxThreadsPerBlock(of.maxThreadsPerBlock), numRegs(of.numRegs),
        sharedSizeBytes(of.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(of.maxDynamicSharedSizeBytes), numBlockBarriers(1) {}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
#ifdef __cplusplus
  cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors; // of cudaOccLimitingFactor
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

typedef size_t (*cudaOccBlockSizeToDynamicSMemSize)(int blockSize);

GPUTEST_OCC size_t gputest_occ_round(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Units in which a multiprocessor gives resources away (CUDA C++ Programming Guide, "Compute
// Capabilities"): registers of a warp by 256, in four parts; shared memory by 128 bytes since 8.0.
GPUTEST_OCC cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult* result, const cudaOccDeviceProp* device, const cudaOccFuncAttributes* kernel,
    const cudaOccDeviceState* state, int blockSize, size_t dynamicSmemSize) {
  if (!result || !device || !kernel || !state || blockSize <= 0 || device->warpSize <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  const int warps = (blockSize + device->warpSize - 1) / device->warpSize;
  const size_t of_warp =
      gputest_occ_round((size_t)kernel->numRegs * (size_t)device->warpSize, 256);
  const size_t of_part = (size_t)device->regsPerMultiprocessor / 4;
  const size_t shared = gputest_occ_round(
      kernel->sharedSizeBytes + dynamicSmemSize +
          (device->computeMajor >= 8 ? device->reservedSharedMemPerBlock : 0),
      device->computeMajor >= 8 ? 128 : 256);
  const size_t most_shared = kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN
                                 ? device->sharedMemPerBlockOptin
                                 : device->sharedMemPerBlock;
  const int too_large = blockSize > device->maxThreadsPerBlock ||
                         blockSize > kernel->maxThreadsPerBlock ||
                         kernel->sharedSizeBytes + dynamicSmemSize > most_shared ||
                         (size_t)warps * of_warp > (size_t)device->regsPerBlock;
  result->blockLimitWarps =
      too_large ? 0 : device->maxThreadsPerMultiprocessor / device->warpSize / warps;
  result->blockLimitRegs = too_large      ? 0
                           : of_warp == 0 ? INT_MAX
                                          : (int)(of_part / of_warp * 4) / warps;
  result->blockLimitSharedMem = too_large     ? 0
                                : shared == 0 ? INT_MAX
                                              : (int)(device->sharedMemPerMultiprocessor / shared);
  const int has_sixteen = device->computeMajor == 7 && device->computeMinor == 5;
  result->blockLimitBlocks = has_sixteen || (device->computeMajor == 8 && device->computeMinor)
                                 ? (has_sixteen || device->computeMinor < 9 ? 16 : 24)
                                 : 32;
  result->blockLimitBarriers = INT_MAX;
  int least = result->blockLimitBlocks;
  if (result->blockLimitWarps < least)
    least = result->blockLimitWarps;
  if (result->blockLimitRegs < least)
    least = result->blockLimitRegs;
  if (result->blockLimitSharedMem < least)
    least = result->blockLimitSharedMem;
  result->activeBlocksPerMultiprocessor = least;
  result->limitingFactors =
      (result->blockLimitWarps == least ? OCC_LIMIT_WARPS : 0u) |
      (result->blockLimitRegs == least ? OCC_LIMIT_REGISTERS : 0u) |
      (result->blockLimitSharedMem == least ? OCC_LIMIT_SHARED_MEMORY : 0u) |
      (result->blockLimitBlocks == least ? OCC_LIMIT_BLOCKS : 0u);
  result->allocatedRegistersPerBlock = (int)((size_t)warps * of_warp);
  result->allocatedSharedMemPerBlock = shared;
  result->partitionedGCConfig = PARTITIONED_GC_OFF;
  return CUDA_OCC_SUCCESS;
}

GPUTEST_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int* minGridSize, int* blockSize, const cudaOccDeviceProp* device,
    const cudaOccFuncAttributes* kernel, const cudaOccDeviceState* state,
    cudaOccBlockSizeToDynamicSMemSize sharedOfBlock, size_t dynamicSMemSize) {
  if (!minGridSize || !blockSize || !device || !kernel || device->warpSize <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  int limit = device->maxThreadsPerBlock < kernel->maxThreadsPerBlock ? device->maxThreadsPerBlock
                                                                      : kernel->maxThreadsPerBlock;
  int most = 0;
  *minGridSize = *blockSize = 0;
  for (int size = limit / device->warpSize * device->warpSize; size > 0; size -= device->warpSize) {
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, device, kernel, state, size, sharedOfBlock ? sharedOfBlock(size) : dynamicSMemSize);
    if (error != CUDA_OCC_SUCCESS)
      return error;
    if (result.activeBlocksPerMultiprocessor * size > most) {
      most = result.activeBlocksPerMultiprocessor * size;
      *blockSize = size;
      *minGridSize = result.activeBlocksPerMultiprocessor * device->numSms;
    }
  }
  return CUDA_OCC_SUCCESS;
}

#undef GPUTEST_OCC

#endif
