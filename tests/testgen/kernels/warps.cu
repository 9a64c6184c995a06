// Branches on what threads told each other: values that nobody comes by at random.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void warp_sum(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i] * 3;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0 && sum == 1234569)
    out[0] = sum;
}

__global__ void ballot_count(const unsigned* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffff, (in[i] ^ 0x5bd1e995u) == 77u * i);
  if (__popc(votes) == 5)
    out[i] = 1;
}

__global__ void alike(const unsigned* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__match_any_sync(0xffffffff, in[i] * 2654435761u + i) == 0x15u)
    out[i] = 1;
}

__global__ void count_in_block(const unsigned* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__syncthreads_count(in[i] % 100003u == 4099u + threadIdx.x) == 3)
    out[i] = 1;
}

__global__ void scan(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = in[i];
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step)
      sum += other;
  }
  if (sum == 1000003 && lane == 6)
    out[i] = sum;
}

__global__ void tiles(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int most = cg::reduce(tile, in[i], cg::greater<int>());
  if (most + tile.shfl(in[i], 2) == 0x1234567)
    out[i] = most;
}

__global__ void divergent(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned large = __ballot_sync(0xffffffff, in[i] > 500);
  if (in[i] > 500) {
    if (__reduce_add_sync(large, in[i]) == 777777)
      out[i] = 1;
  } else if (__any_sync(~large, in[i] == -4711)) {
    out[i] = 2;
  }
}

__global__ void settle(int* data, int* rounds) {
  int value = data[threadIdx.x], turns = 0;
  while (__syncthreads_or(value > 1000000) && turns < 40) {
    value /= 2;
    ++turns;
  }
  if (__syncthreads_and(value == 700001))
    rounds[0] = turns;
}
