#include "part.cuh"

#ifdef BROKEN
__global__ void broken(int* p) {
  *p = not_declared;
}
#endif

__global__ void sum(const int* in, int* out, int n) {
  __shared__ int part[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? positive(in[i]) : positive(0u);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < 64; ++k)
      atomicAdd(out, part[k]);
}

int sum_of(const int* values, int n) {
  int *in = nullptr, *out = nullptr, result = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, values, n * sizeof(int), cudaMemcpyDefault);
  cudaMemset(out, 0, sizeof(int));
  sum<<<(n + 63) / 64, 64>>>(in, out, n);
  if (cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDefault) != cudaSuccess)
    result = -1;
  cudaFree(in);
  cudaFree(out);
  return result;
}
