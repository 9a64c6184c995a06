// CHECK-DAG: grid_race.cu:10:{{[0-9]+}}: error: data race on byte {{.*}} between blocks
#include <cooperative_groups.h>
__global__ void k(int* data, int* out) {
  const auto grid = cooperative_groups::this_grid();
  data[blockIdx.x] = (int)blockIdx.x;
  grid.sync(); // orders those before it and after it
  if (data[(blockIdx.x + 1) % gridDim.x] < 0)
    return;
  data[(blockIdx.x + 1) % gridDim.x] = 1;
  out[blockIdx.x] = data[blockIdx.x];
}
int main() {
  int *data = nullptr, *out = nullptr;
  cudaMalloc(&data, 16);
  cudaMalloc(&out, 16);
  void* arguments[] = {&data, &out};
  cudaLaunchCooperativeKernel(k, 4, 1, arguments);
  return cudaDeviceSynchronize();
}
