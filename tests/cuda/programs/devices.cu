// Environment: GPUTEST_CUDA_DEVICES=3
// Link: -lcuda
// Several devices: each has memory, variables, streams and contexts of its own.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <thread>
#include <vector>

__constant__ int factor = 2;
__device__ int counter;
__managed__ int all = 5;

__global__ void scale(int* data) {
  data[threadIdx.x] *= factor;
  if (threadIdx.x == 0)
    ++counter, ++all;
}

static void queries() {
  int count = 0, device = -1, value = 0;
  EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 3);
  EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 0);
  cudaDeviceProp first, last;
  EXPECT(cudaGetDeviceProperties(&first, 0) == cudaSuccess && cudaGetDeviceProperties(&last, 2) == cudaSuccess);
  EXPECT(cudaGetDeviceProperties(&last, 3) == cudaErrorInvalidDevice);
  EXPECT(first.pciBusID != last.pciBusID && std::memcmp(&first.uuid, &last.uuid, sizeof first.uuid) != 0);
  char bus[32];
  EXPECT(cudaDeviceGetPCIBusId(bus, sizeof bus, 1) == cudaSuccess);
  EXPECT(cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess && device == 1);
  EXPECT(cudaDeviceGetByPCIBusId(&device, "0000:77:00.0") == cudaErrorInvalidDevice);
  EXPECT(cudaDeviceGetByPCIBusId(&device, "here") == cudaErrorInvalidValue);
  EXPECT(cudaDeviceCanAccessPeer(&value, 0, 1) == cudaSuccess && value == 1);
  EXPECT(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess && value == 0);
  EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 2) == cudaSuccess && value == 1);
  EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported); // itself
  EXPECT(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();
}

// What each device does with its own factor, in streams of its own.
static void work() {
  int *data[3], host[32];
  cudaStream_t streams[3];
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  for (int d = 0; d < 3; ++d) {
    const int mine = 2 + d;
    EXPECT(cudaSetDevice(d) == cudaSuccess && cudaStreamCreate(&streams[d]) == cudaSuccess);
    EXPECT(cudaMalloc(&data[d], sizeof host) == cudaSuccess);
    if (d > 0)
      EXPECT(cudaMemcpyToSymbol(factor, &mine, sizeof mine) == cudaSuccess);
    EXPECT(cudaMemcpyAsync(data[d], host, sizeof host, cudaMemcpyHostToDevice, streams[d]) == cudaSuccess);
    cudaPointerAttributes attributes;
    EXPECT(cudaPointerGetAttributes(&attributes, data[d]) == cudaSuccess && attributes.device == d);
  }
  for (int d = 0; d < 3; ++d) {
    EXPECT(cudaSetDevice(d) == cudaSuccess);
    scale<<<1, 32, 0, streams[d]>>>(data[d]);
    EXPECT(cudaGetLastError() == cudaSuccess);
    scale<<<1, 32, 0, streams[(d + 1) % 3]>>>(data[d]); // of another device
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  }
  all += 10;
  for (int d = 0; d < 3; ++d) {
    int got[32], count = 0, device = -1;
    EXPECT(cudaSetDevice(d) == cudaSuccess && cudaStreamGetDevice(streams[d], &device) == cudaSuccess && device == d);
    EXPECT(cudaMemcpy(got, data[d], sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess && got[31] == 31 * (2 + d));
    EXPECT(cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess && count == 1);
  }
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && all == 18);
  EXPECT(cudaMemcpyPeer(data[0], 0, data[2], 3, sizeof host) == cudaErrorInvalidDevice);
  EXPECT(cudaMemcpyPeerAsync(data[0], -1, data[2], 2, sizeof host) == cudaErrorInvalidDevice);
  EXPECT(cudaMemcpyPeer(data[0], 0, data[2], 2, sizeof host) == cudaSuccess);
  EXPECT(cudaMemcpy(host, data[0], sizeof host, cudaMemcpyDefault) == cudaSuccess && host[3] == 12);
  EXPECT(cudaSetDevice(1) == cudaSuccess);
  cudaEvent_t event;
  EXPECT(cudaEventCreate(&event) == cudaSuccess && cudaEventRecord(event, streams[1]) == cudaSuccess);
  EXPECT(cudaEventRecord(event, streams[0]) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaStreamWaitEvent(streams[0], event) == cudaSuccess); // which may be of another
  cudaGetLastError();
}

static void memory() {
  std::size_t free[2], total = 0;
  void* pointer = nullptr;
  for (int d = 0; d < 2; ++d)
    EXPECT(cudaSetDevice(d) == cudaSuccess && cudaMemGetInfo(&free[d], &total) == cudaSuccess);
  cudaMemPool_t pools[2];
  EXPECT(cudaDeviceGetDefaultMemPool(&pools[0], 0) == cudaSuccess && cudaDeviceGetDefaultMemPool(&pools[1], 1) == cudaSuccess);
  EXPECT(pools[0] != pools[1] && cudaDeviceGetDefaultMemPool(&pools[1], 3) == cudaErrorInvalidDevice);
  EXPECT(cudaMallocFromPoolAsync(&pointer, 1 << 20, pools[0], nullptr) == cudaSuccess);
  cudaPointerAttributes attributes;
  EXPECT(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess && attributes.device == 0);
  std::size_t now = 0;
  EXPECT(cudaMemGetInfo(&now, &total) == cudaSuccess && now == free[1]); // of device 1
  EXPECT(cudaSetDevice(0) == cudaSuccess && cudaMemGetInfo(&now, &total) == cudaSuccess && now + (1 << 20) == free[0]);
  EXPECT(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  cudaGetLastError();
}

static void contexts() {
  CUdevice devices[2], current = -1;
  CUcontext own, primary;
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&devices[0], 1) == CUDA_SUCCESS && cuDeviceGet(&devices[1], 2) == CUDA_SUCCESS);
  EXPECT(cuDeviceGet(&current, 3) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuCtxCreate(&own, 0, devices[1]) == CUDA_SUCCESS && cuCtxGetDevice(&current) == CUDA_SUCCESS && current == devices[1]);
  int device = -1;
  EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 2);
  EXPECT(cuDevicePrimaryCtxRetain(&primary, devices[0]) == CUDA_SUCCESS && cuCtxPushCurrent(primary) == CUDA_SUCCESS);
  EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 1);
  EXPECT(cuCtxPopCurrent(&primary) == CUDA_SUCCESS && cudaGetDevice(&device) == cudaSuccess && device == 2);
  EXPECT(cudaSetDevice(1) == cudaSuccess);
  CUcontext context;
  EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == primary);
  EXPECT(cuDevicePrimaryCtxRelease(devices[0]) == CUDA_SUCCESS && cuCtxDestroy(own) == CUDA_SUCCESS);
}

int main() {
  queries();
  work();
  memory();
  std::thread([] { // begins with the first device
    int device = -1;
    EXPECT(cudaGetDevice(&device) == cudaSuccess && device == 0);
    EXPECT(cudaSetDevice(2) == cudaSuccess);
  }).join();
  contexts();
  return wrong;
}
