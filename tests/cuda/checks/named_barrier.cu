// CHECK-DAG: named_barrier.cu:6:{{[0-9]+}}: error: thread {{.*}} waits here for others, none of which can go on [divergent_warp]
// A barrier of 64 threads that 32 come to; and a ring of buffers, with which nothing is wrong.
__global__ void stuck(int* out) {
  if (threadIdx.x < 32)
    // The others never come.
    asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}

__global__ void ring(int* out, const int* in, int count) {
  __shared__ int buffers[2][32];
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < count; ++i) {
    int* const buffer = buffers[i % 2];
    if (threadIdx.x < 32) {
      if (i >= 2) // it is empty
        asm volatile("bar.sync %0, 64;" ::"r"(3 + i % 2) : "memory");
      buffer[lane] = in[i * 32 + lane];
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + i % 2) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + i % 2) : "memory");
      out[i * 32 + lane] = buffer[31 - lane];
      if (i + 2 < count)
        asm volatile("bar.arrive %0, 64;" ::"r"(3 + i % 2) : "memory");
    }
  }
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i)
    in[i] = i;
  ring<<<1, 64>>>(out, in, 8);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 256; ++i)
    if (out[i] != i / 32 * 32 + 31 - i % 32)
      return 2;
  stuck<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
