// CHECK-DAG: barrier.cu:5:{{[0-9]+}}: error: __syncthreads() is not reached by all threads of block (0, 0, 0): 8 of 16 threads wait here
__global__ void k(int* out) {
  __shared__ int s[16]; const int t = threadIdx.x;
  if (t < 8) {
    s[t] = 1; __syncthreads();
  } else {
    s[t] = 2; __syncthreads();
  }
  out[t] = s[15 - t];
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64);
  k<<<1, 16>>>(out);
  return cudaDeviceSynchronize();
}
