// CHECK-DAG: out_of_bounds.cu:8:{{[0-9]+}}: error: a thread of block (0, 0, 0) writes byte 16384 of 'data', which has 256 [out_of_bounds]
// Exit: 700
#include <cstdio>
__global__ void k(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // No test of i.
  if (n > 0)
    data[i + 4096] = i;
}
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  k<<<1, 64>>>(data, 1);
  const cudaError_t first = cudaDeviceSynchronize();
  if (cudaMalloc(&data, 4) != first || cudaGetLastError() != first || cudaDeviceSynchronize() != first)
    return 1; // it stays
  std::printf("exit %d\n", (int)first);
  return first == cudaErrorIllegalAddress ? 0 : 2;
}
