#include <cooperative_groups.h>

template <typename T> __global__ void block_sum(const T* in, T* out, int n) {
  extern __shared__ T part[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void waits_for_all(int* data) {
  data[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}
