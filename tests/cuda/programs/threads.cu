// The driver API in threads of a program that uses the runtime API: the process is ready when one
// thread is, and each has a context of its own.
// Link: -lcuda
#include "check.h"

#include <cuda.h>
#include <thread>

int main() {
  CUcontext context = nullptr;
  EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cudaFree(nullptr) == cudaSuccess);
  EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context);
  std::thread([&] {
    CUcontext current = context;
    CUdeviceptr memory = 0;
    int count = 0, active = 0;
    unsigned flags = 0;
    EXPECT(cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 1);
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 1);
    EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && !current);
    EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    EXPECT(cuMemAlloc(&memory, 16) == CUDA_SUCCESS && cuMemFree(memory) == CUDA_SUCCESS);
  }).join();
  return wrong;
}
