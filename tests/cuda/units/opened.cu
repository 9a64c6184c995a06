// Opens the driver while it runs, as C++ alone, or as a program that has CUDA's runtime, too: then
// both have one memory.
#include <cstddef>
#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>
#ifdef __CUDACC__
#include <cuda_runtime.h>

__global__ void fill(int* values) {
  values[threadIdx.x] = 7 * threadIdx.x;
}
#endif

int main(int, char** argv) {
  void* const driver = dlopen(argv[1], RTLD_NOW);
  if (!driver)
    return std::printf("%s\n", dlerror()), 1;
#define FUNCTION(name, full) reinterpret_cast<decltype(&name)>(dlsym(driver, full))
  const auto init = FUNCTION(cuInit, "cuInit");
  const auto retain = FUNCTION(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  const auto set_current = FUNCTION(cuCtxSetCurrent, "cuCtxSetCurrent");
  const auto allocate = FUNCTION(cuMemAlloc, "cuMemAlloc_v2");
  const auto to_device = FUNCTION(cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  const auto to_host = FUNCTION(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  int values[32] = {}, wanted[32];
  for (int i = 0; i < 32; ++i)
    wanted[i] = 7 * i;
  CUcontext context = nullptr;
  CUdeviceptr at = 0;
  if (init(0) || retain(&context, 0) || set_current(context))
    return 2;
#ifdef __CUDACC__
  void* memory = nullptr;
  if (cudaMalloc(&memory, sizeof values))
    return 3;
  fill<<<1, 32>>>(static_cast<int*>(memory));
  at = reinterpret_cast<CUdeviceptr>(memory);
  CUcontext own = nullptr;
  if (cuCtxGetCurrent(&own) || own != context)
    return 4;
  (void)allocate, (void)to_device;
#else
  if (allocate(&at, sizeof values) || to_device(at, wanted, sizeof values))
    return 5;
#endif
  if (to_host(values, at, sizeof values))
    return 6;
  for (int i = 0; i < 32; ++i)
    if (values[i] != wanted[i])
      return 7;
  return 0;
}
