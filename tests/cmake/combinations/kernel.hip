#include <hip/hip_runtime.h>
#include "offset.h"

__device__ int affine(int value) { return FACTOR * value + OFFSET; }

__global__ void scale(const int* x, int* y, int n) {
  __shared__ int tile[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x;
  tile[at] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = affine(tile[at]) + (at % 2 ? 1 : FAULT);
}
