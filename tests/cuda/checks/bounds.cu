// CHECK-DAG: bounds.cu:9:{{[0-9]+}}: error: thread (63, 0, 0) of block (0, 0, 0) reads 4 bytes at byte 256 of 'in'
// CHECK-DAG: bounds.cu:6:{{[0-9]+}}: error: thread {{.*}} writes 4 bytes at byte 128 of 'dynamic', which has 128 bytes
struct Buffers { const int* in; int* out; };
__global__ void k(const int* in, int* out) {
  extern __shared__ int dynamic[];
  if (threadIdx.x == 32) dynamic[threadIdx.x] = 1;
}
__global__ void next(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}
int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  k<<<1, 64, 128>>>(in, out);
  next<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
