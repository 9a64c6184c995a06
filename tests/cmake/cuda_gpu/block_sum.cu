// Sums of blocks: a struct by value, dynamic and static __shared__ memory, variables of the device.
struct Range {
  short first;
  double weight;
  int last;
};

namespace {
__device__ int calls = 0; // each launch begins with 0
__constant__ float factors[2] = {1, 10};
} // namespace

namespace sums {
__global__ void block_sum(Range range, const float* values, float* sums, int* counts) {
  extern __shared__ float part[];
  __shared__ int seen;
  const unsigned thread = threadIdx.x;
  const int i = range.first + static_cast<int>(blockIdx.x * blockDim.x + thread);
  if (thread == 0)
    seen = 0;
  __syncthreads();
  part[thread] = i < range.last ? values[i] * factors[i % 2] : 0.0f;
  atomicAdd(&seen, 1);
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (thread < step)
      part[thread] += part[thread + step];
    __syncthreads();
  }
  if (thread == 0) {
    sums[blockIdx.x] = part[0] * static_cast<float>(range.weight);
    atomicAdd(&calls, seen);
    __threadfence();
    atomicMax(counts, atomicAdd(&calls, 0));
  }
}
} // namespace sums
