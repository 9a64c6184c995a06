// CHECK-DAG: grid_left.cu:6{{.*}}sync() of the grid is not reached by all blocks: 2 of 4 blocks
#include <cooperative_groups.h>
__global__ void k(int* data) {
  if (blockIdx.x % 2 == 1)
    return;
  cooperative_groups::this_grid().sync();
  data[blockIdx.x] = 1;
}
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 16);
  void* arguments[] = {&data};
  cudaLaunchCooperativeKernel(k, 4, 1, arguments);
  return cudaDeviceSynchronize();
}
