#include "range.h"

namespace sums {

__device__ float value_at(const Range& range, const float* values, int i) {
  return i < range.last ? values[i] : 0.0f;
}

// sums[b] is the sum of those values of the range that the threads of block b have. The number of
// threads of a block is a power of two; part has one element for each of them.
__global__ void block_sum(Range range, const float* values, float* sums) {
  extern __shared__ float part[];
  const unsigned thread = threadIdx.x;
  part[thread] = value_at(range, values, range.first + blockIdx.x * blockDim.x + thread);
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (thread < step)
      part[thread] += part[thread + step];
    __syncthreads();
  }
  if (thread == 0)
    sums[blockIdx.x] = part[0];
}

} // namespace sums
