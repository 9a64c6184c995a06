// CHECK-DAG: await.cu:8:{{[0-9]+}}: error: thread {{.*}} waits here for others, none of which can go on
#include <cuda/barrier>
__global__ void k() {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0)
    init(&barrier, 65); // one more than there are
  __syncthreads();
  barrier.arrive_and_wait();
}
int main() {
  k<<<1, 64>>>();
  return cudaDeviceSynchronize();
}
