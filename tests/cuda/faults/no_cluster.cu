// CHECK-DAG: the kernel asks for the shared memory of block 6 of its grid: the block is not there, or the pointer is to no shared memory
#include <cooperative_groups.h>

// Block 2 is in a cluster of one block: there is no other.
__global__ void k(int* out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 || defined(__GPUTEST_CUDA__)
  __shared__ int mine;
  mine = 1;
  if (blockIdx.x == 2)
    *out = *cooperative_groups::this_cluster().map_shared_rank(&mine, 1);
#endif
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4);
  k<<<4, 1>>>(out);
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
