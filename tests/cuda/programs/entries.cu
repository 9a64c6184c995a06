// Functions that are asked for by name, what a device without clusters and without other processes
// answers, and semaphores.
#include "check.h"

#include <cuda.h>
#include <cuda/semaphore>
#include <new>

__global__ void add_one(int* p) {
  ++*p;
}

// At most two warps are inside at once.
__global__ void counted(int* most, int* sum, int* refused) {
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 2>;
  alignas(Semaphore) __shared__ char room[sizeof(Semaphore)];
  __shared__ int inside;
  auto& semaphore = *reinterpret_cast<Semaphore*>(room);
  if (threadIdx.x == 0) {
    new (&semaphore) Semaphore(2);
    inside = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    semaphore.acquire();
    atomicMax(most, atomicAdd(&inside, 1) + 1);
    atomicAdd(sum, 1);
    atomicSub(&inside, 1);
    semaphore.release();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    semaphore.acquire();
    const bool second = semaphore.try_acquire(), third = semaphore.try_acquire();
    *refused = second && !third;
    semaphore.release(2);
  }
}

static void named() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION < 13000
  EXPECT(cudaGetDriverEntryPoint("cuCtxSynchronize", &function, cudaEnableDefault, &found) ==
         cudaSuccess);
  EXPECT(function && found == cudaDriverEntryPointSuccess);
  EXPECT(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &found) == cudaSuccess);
  EXPECT(!function && found == cudaDriverEntryPointSymbolNotFound);
  // CUDA 13's driver does not survive this.
  EXPECT(cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &found) ==
         cudaErrorInvalidValue);
#endif
  EXPECT(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &function, 12000, cudaEnableDefault,
                                          &found) == cudaSuccess);
  cudaGetLastError();
  cudaFunction_t kernel = nullptr;
  EXPECT(cudaGetFuncBySymbol(&kernel, reinterpret_cast<const void*>(add_one)) == cudaSuccess);
  const int value = 4;
  Device<int> memory(1, &value);
  void* arguments[] = {&memory.data};
  using Launch = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, unsigned, CUstream, void**, void**);
  EXPECT(reinterpret_cast<Launch>(function)(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1,
                                            0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && memory[0] == 5);
  EXPECT(cudaGetFuncBySymbol(&kernel, static_cast<const void*>(&value)) ==
         cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

// A program asks whether there is such a thing before it uses it.
static void not_there() {
  int supported = 1, clusters = 1;
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrIpcEventSupport, 0) == cudaSuccess);
  if (!supported) {
    int* p = nullptr;
    cudaIpcMemHandle_t handle;
    EXPECT(cudaMalloc(&p, 4) == cudaSuccess);
    EXPECT(cudaIpcGetMemHandle(&handle, p) == cudaErrorNotSupported);
    EXPECT(cudaIpcGetMemHandle(nullptr, p) == cudaErrorInvalidValue);
    cudaFree(p);
  }
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolSupportedHandleTypes, 0) ==
         cudaSuccess);
  if (!supported) {
    cudaMemPool_t pool = nullptr;
    int handle = 0;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    EXPECT(cudaMemPoolExportToShareableHandle(&handle, pool, cudaMemHandleTypePosixFileDescriptor,
                                              0) == cudaErrorNotSupported);
  }
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0) == cudaSuccess);
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  if (supported)
    EXPECT(cudaOccupancyMaxActiveClusters(&clusters, reinterpret_cast<const void*>(add_one), &config) == cudaSuccess);
  cudaGetLastError();
}

int main() {
  cudaFree(nullptr);
  named();
  not_there();
  Device<int> most(1), sum(1), refused(1);
  counted<<<1, 256>>>(most.data, sum.data, refused.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(most[0] >= 1 && most[0] <= 2 && sum[0] == 8 && refused[0] == 1);
  return wrong;
}
