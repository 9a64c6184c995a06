// Expected: grid_left.cu:[0-9]+:[0-9]+: error: sync\(\) of the grid is not reached by all blocks: 2 of 4 blocks have left the kernel \(first \(1, 0, 0\)\), and the others wait for them here \(first \(0, 0, 0\)\)
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
