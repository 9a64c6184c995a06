// CHECK-DAG: deadlock.cu:7:{{.*}} the kernel never ends: thread (0, 0, 0) of block (0, 0, 0) waits here
__device__ int lock;
__global__ void k(int* out) {
  for (int i = 0; i < 2; ++i) {
    bool done = false;
    while (!done)
      if (atomicCAS(&lock, 0, 1) == 0) {
        *out += 1;
        done = true; // and nobody unlocks
      }
  }
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4);
  k<<<2, 33>>>(out);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1;
}
