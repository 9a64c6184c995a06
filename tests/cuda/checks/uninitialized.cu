// CHECK-DAG: uninitialized.cu:5:{{[0-9]+}}: error: thread {{.*}} uses a value of {{.*}} here that nobody has written
__global__ void k(const int* in, int* out) {
  __shared__ int part[32];
  if (threadIdx.x < 16) part[threadIdx.x] = in[threadIdx.x]; __syncthreads();
  out[threadIdx.x] = part[threadIdx.x];
}
int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 128);
  k<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
