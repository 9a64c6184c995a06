// CHECK-DAG: global_race.cu:5:{{[0-9]+}}: error: data race on byte 0 of 'total', between blocks
__global__ void k(const int* in, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 32 == 0)
    *total += in[i];
}
int main() {
  int *in = nullptr, *total = nullptr;
  cudaMalloc(&in, 256);
  cudaMalloc(&total, 4);
  cudaMemset(in, 1, 256);
  cudaMemset(total, 0, 4);
  k<<<2, 32>>>(in, total);
  return cudaDeviceSynchronize();
}
