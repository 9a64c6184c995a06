// The memory that kernels allocate from is the device's.
__global__ void build(int* out) {
  int* const list = new int[4];
  list[2] = 7;
  *out = list[2];
  delete[] list;
}

int main() {
  int *out, host = 0;
  cudaMalloc(&out, sizeof *out);
  build<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  return host == 7 ? 0 : 1;
}
