// CHECK-DAG: the kernel waits for all blocks of its grid, and was not launched with cudaLaunchCooperativeKernel
#include <cooperative_groups.h>
__global__ void k() {
  cooperative_groups::this_grid().sync();
}
int main() {
  k<<<2, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
