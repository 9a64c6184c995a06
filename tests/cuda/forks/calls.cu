// Devices, streams, events, variables and every way to launch: what a process without the GPU has called elsewhere.
#include "check.h"

#include <cuda_profiler_api.h>

#include <cstring>
#include <thread>
#include <vector>

struct Pair {
  char first;
  double second;
};
constexpr int n = 100;
__constant__ int factors[2];
__device__ int launches = 5;

__global__ void add(int* out, const Pair pair, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count)
    out[i] += factors[1] * i + static_cast<int>(pair.second);
  if (i == 0)
    ++launches;
}

static void launch_each_way(int* out, cudaStream_t stream) {
  Pair pair{'a', 3.0};
  int count = n;
  void* values[] = {&out, &pair, &count};
  add<<<2, 64, 0, stream>>>(out, pair, count);
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(add), dim3(2), dim3(64), values, 0, stream));
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add), dim3(2), dim3(64), values, 0, stream));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 2;
  config.blockDim = 64;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(add), values));
}

static void devices() {
  int count = 0, device = -1, value = 0, version = 0, least = 0, greatest = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&device));
  EXPECT(count >= 1 && device == 0);
  EXPECT(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  cudaDeviceProp properties;
  std::memset(&properties, 0x77, sizeof properties);
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(value == 32 && properties.warpSize == 32 && std::strlen(properties.name) > 3);
  CHECK(cudaRuntimeGetVersion(&version));
  EXPECT(version >= 11000);
  CHECK(cudaDriverGetVersion(&version));
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);
  CHECK(cudaDeviceCanAccessPeer(&value, 0, 0));
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  cudaSetDeviceFlags(cudaDeviceScheduleAuto); // an error where the device is in use
  cudaGetLastError();
  EXPECT(cudaSetDevice(0) == cudaSuccess && cudaPeekAtLastError() == cudaSuccess);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strlen(cudaGetErrorString(cudaErrorInvalidValue)) > 3);
}

static void kernels() {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, add));
  EXPECT(attributes.maxThreadsPerBlock >= 64);
  CHECK(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  CHECK(cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0));
  EXPECT(blocks > 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add, 64, 0, cudaOccupancyDefault));
  EXPECT(blocks > 0);
}

static int called = 0;
static void CUDART_CB count_call(void* data) {
  called += *static_cast<int*>(data);
}
static void CUDART_CB count_stream_call(cudaStream_t, cudaError_t error, void*) {
  called += error == cudaSuccess;
}

int main() {
  devices();
  kernels();
  CHECK(cudaProfilerStart());
  int* out = nullptr;
  const int numbers[] = {1, 2};
  CHECK(cudaMalloc(&out, n * sizeof *out));
  CHECK(cudaMemset(out, 0, n * sizeof *out));
  CHECK(cudaMemcpyToSymbol(factors, numbers, sizeof numbers));

  cudaStream_t stream, other, urgent;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, 0));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreateWithFlags(&end, cudaEventDefault));
  CHECK(cudaEventRecord(begin, stream));
  launch_each_way(out, stream);
  CHECK(cudaEventRecordWithFlags(end, stream, cudaEventRecordDefault));
  CHECK(cudaStreamWaitEvent(other, end, 0));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventQuery(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  int one = 1;
  CHECK(cudaLaunchHostFunc(stream, count_call, &one));
  CHECK(cudaStreamAddCallback(stream, count_stream_call, nullptr, 0));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamQuery(stream));
  EXPECT(called == 2);

  std::vector<int> result(n);
  std::thread([&] { CHECK(cudaMemcpy(result.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost)); }).join();
  for (int i = 0; i < n; ++i)
    EXPECT(result[i] == 4 * (2 * i + 3));
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, launches, sizeof counted));
  EXPECT(counted == 9); // 5 at first, whatever ran before

  add<<<1, 4096>>>(out, Pair{}, 0);
  const cudaError_t refused = cudaPeekAtLastError(); // which one depends on the version of CUDA
  EXPECT(refused != cudaSuccess);
  EXPECT(cudaGetLastError() == refused);
  EXPECT(cudaGetLastError() == cudaSuccess);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaStreamDestroy(other)); // the rest is left
#if CUDART_VERSION < 13000
  CHECK(cudaThreadSynchronize());
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaProfilerStop());
  CHECK(cudaDeviceReset());
  return 0;
}
