// The GPU is used before main().
static int* allocate() {
  int* memory = nullptr;
  cudaMalloc(&memory, 64);
  return memory;
}
static int* const early = allocate();

__global__ void put(int* out) { out[threadIdx.x] = 2 * threadIdx.x; }

int main() {
  int host[16];
  put<<<1, 16>>>(early);
  cudaMemcpy(host, early, sizeof host, cudaMemcpyDeviceToHost);
  return host[3] == 6 ? 0 : 1;
}
