// What a program reads back in each way, and looks at nothing of it.
#include "check.h"

#include <vector>

constexpr int n = 64;
__device__ int variable[n];

__global__ void to_pageable(int* to) {
  to[threadIdx.x] = threadIdx.x + 3;
}
__global__ void to_pinned(int* to) {
  to[threadIdx.x] = threadIdx.x + 4;
}
__global__ void in_managed(int* to) {
  to[threadIdx.x] = threadIdx.x + 5;
}
__global__ void in_mapped(int* to) {
  to[threadIdx.x] = threadIdx.x + 6;
}
__global__ void in_rows(int* to) {
  to[threadIdx.x] = threadIdx.x + 7;
}
__global__ void in_variable() {
  variable[threadIdx.x] = threadIdx.x + 8;
}
__global__ void by_addresses(int* to) {
  to[threadIdx.x] = threadIdx.x + 9;
}
__global__ void in_array(cudaSurfaceObject_t to) {
  surf2Dwrite(static_cast<int>(threadIdx.x + 10), to, threadIdx.x * 4, 0);
}
__global__ void unread(int* to) {
  to[threadIdx.x] = threadIdx.x + 11;
}

int main() {
  int *device, *pinned, *managed, *mapped, *rows, host[n];
  std::size_t pitch = 0;
  cudaStream_t stream;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMallocHost(&pinned, sizeof host));
  CHECK(cudaMallocManaged(&managed, sizeof host));
  CHECK(cudaHostAlloc(&mapped, sizeof host, cudaHostAllocMapped));
  CHECK(cudaMallocPitch(&rows, &pitch, n, 4));
  CHECK(cudaStreamCreate(&stream));

  to_pageable<<<1, n, 0, stream>>>(device);
  CHECK(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  to_pinned<<<1, n, 0, stream>>>(device);
  CHECK(cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  in_managed<<<1, n>>>(managed);
  in_mapped<<<1, n>>>(mapped);
  CHECK(cudaDeviceSynchronize());
  in_rows<<<1, n / 4>>>(rows);
  CHECK(cudaMemcpy2D(host, n, rows, pitch, n, 4, cudaMemcpyDeviceToHost));
  in_variable<<<1, n>>>();
  CHECK(cudaMemcpyFromSymbol(host, variable, sizeof host));
  by_addresses<<<1, n>>>(device);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault));

  cudaArray_t array;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  CHECK(cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  in_array<<<1, 8>>>(surface);
  CHECK(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 1, cudaMemcpyDeviceToHost));

  CHECK(cudaFree(managed)); // is not read any more
  unread<<<1, n>>>(device);
  CHECK(cudaMemcpy(host, pinned, sizeof host, cudaMemcpyHostToHost));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
