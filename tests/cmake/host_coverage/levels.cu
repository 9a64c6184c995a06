#include "clamp.cuh"
#include "levels.h"

__global__ void raise(int* values, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = clamp(values[i] + by);
}

bool raise_all(int* values, int n, int by) {
  if (n == 0)
    return false;
  int* memory = nullptr;
  cudaMalloc(&memory, n * sizeof(int));
  cudaMemcpy(memory, values, n * sizeof(int), cudaMemcpyDefault);
  raise<<<(n + 63) / 64, 64>>>(memory, n, by);
  cudaMemcpy(values, memory, n * sizeof(int), cudaMemcpyDefault);
  return cudaFree(memory) == cudaSuccess;
}

int brightest() {
  return clamp(1000);
}
