#include "histogram.h"

namespace {

// Each block counts in shared memory first.
__global__ void count(const int* values, int n, int* bins) {
  __shared__ int part[kBins];
  if (threadIdx.x < kBins)
    part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (values[i] >= 0 && values[i] < kBins)
      atomicAdd(&part[values[i]], 1);
  __syncthreads();
  if (threadIdx.x < kBins)
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

} // namespace

std::vector<int> histogram(const std::vector<int>& values) {
  const int n = static_cast<int>(values.size());
  std::vector<int> result(kBins);
  int *device_values = nullptr, *bins = nullptr;
  cudaMalloc(&device_values, n * sizeof(int));
  cudaMalloc(&bins, kBins * sizeof(int));
  cudaMemcpy(device_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, kBins * sizeof(int));
  count<<<3, 64>>>(device_values, n, bins);
  const cudaError_t error =
      cudaMemcpy(result.data(), bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_values);
  cudaFree(bins);
  return error == cudaSuccess ? result : std::vector<int>();
}
