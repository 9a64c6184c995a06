// Expected: grid_sync.cu:5:.*the_simulator_cannot_synchronise_a_grid
#include <cooperative_groups.h>
__global__ void k(int* p) {
  *p = 1;
  cooperative_groups::this_grid().sync();
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  void* arguments[] = {&p};
  const cudaError_t error = cudaLaunchCooperativeKernel(k, 1, 1, arguments);
  return error == cudaErrorNotSupported ? 0 : 1;
}
