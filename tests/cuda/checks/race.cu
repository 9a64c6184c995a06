// CHECK-DAG: race.cu:6:{{[0-9]+}}: error: data race on byte 128 of 'sums', within a block: thread (32, 0, 0) of block (0, 0, 0) writes here, and thread (0, 0, 0) of block (0, 0, 0) reads at {{[^ ]*}}race.cu:9:
#include <cstdio>
__global__ void k(int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = t;
  // __syncthreads() is missing.
  if (t < 32)
    out[t] = sums[t + 32];
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
