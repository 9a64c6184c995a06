// The driver API in threads of a program that uses the runtime API: the process is ready when one
// thread is, and each has a context of its own. And a default stream, where they are asked for.
// Link: -lcuda --default-stream per-thread
#include "check.h"

#include <cuda.h>
#include <thread>

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0)
    ;
}
__global__ void set(int* value) {
  *value = 7;
}

// A kernel that waits for the host holds up its own thread's stream, and no other's.
void use_default_streams() {
  volatile int* flag = nullptr;
  int *value = nullptr, read = 0, priority = 1;
  unsigned flags = 1;
  cudaHostAlloc((void**)&flag, sizeof *flag, 0);
  cudaMalloc(&value, sizeof *value);
  *flag = 0;
  wait_for<<<1, 1>>>(flag);
  EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  EXPECT(cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady);
  std::thread([&] {
    set<<<1, 1>>>(value);
    EXPECT(cudaMemcpy(&read, value, sizeof read, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(nullptr) == cudaSuccess && read == 7);
  }).join();
  *flag = 1;
  EXPECT(cudaStreamSynchronize(nullptr) == cudaSuccess);
  EXPECT(cudaStreamGetPriority(cudaStreamPerThread, &priority) == cudaSuccess && priority == 0);
  EXPECT(cudaStreamGetFlags(cudaStreamLegacy, &flags) == cudaSuccess && flags == 0);
  // The thread's stream is captured as another is, and the legacy one is not.
  cudaGraph_t graph = nullptr;
  size_t nodes = 0;
  cudaEvent_t forked;
  EXPECT(cudaEventCreate(&forked) == cudaSuccess);
  EXPECT(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed) ==
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  set<<<1, 1>>>(value);
  EXPECT(cudaEventRecord(forked, cudaStreamPerThread) == cudaSuccess);
  std::thread([&] {
    cudaStreamCaptureStatus status;
    EXPECT(cudaStreamIsCapturing(cudaStreamPerThread, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusNone);
    set<<<1, 1>>>(value);
    EXPECT(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  }).join();
  EXPECT(cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess);
  EXPECT(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 1);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess && cudaEventDestroy(forked) == cudaSuccess);
  EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  EXPECT(cudaMemcpy(&read, value, sizeof read, cudaMemcpyDeviceToHost) ==
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(nullptr, &graph) == cudaErrorStreamCaptureInvalidated && !graph);
  cudaGetLastError();
  EXPECT(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle);
}

int main() {
  CUcontext context = nullptr;
  EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
  // The simulator goes on when the thread has ended that has started it.
  int* first = nullptr;
  std::thread([&] {
    cudaMalloc(&first, sizeof *first);
    set<<<1, 1>>>(first);
    EXPECT(cudaStreamSynchronize(nullptr) == cudaSuccess);
  }).join();
  set<<<1, 1>>>(first);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
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
  use_default_streams();
  return wrong;
}
