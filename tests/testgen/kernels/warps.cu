// Branches on what threads told each other: values that nobody comes by at random.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void of_a_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = in[i] * 3;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0 && sum == 1234569)
    out[0] = sum;
  if (__popc(__ballot_sync(0xffffffff, (in[i] ^ 0x5bd1e995) == 77 * i)) == 5)
    out[i] = 1;
  if (__match_any_sync(0xffffffff, in[i] ^ i * 40503) == 0x15u)
    out[i] = 2;
  int before = in[i];
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffff, before, step);
    if (lane >= step)
      before += other;
  }
  if (lane == 6 && (before ^ 0x1234567) == 0xabcdef)
    out[i] = 3;
}

__global__ void of_a_block(int* data, int* rounds) {
  int value = data[threadIdx.x], turns = 0;
  if (__syncthreads_count((value ^ 0x5bd1e995) == 4099 + threadIdx.x) == 3)
    rounds[1] = 1;
  if (__syncthreads_and((value ^ 0x2545f491) == 77 * threadIdx.x))
    rounds[2] = 1;
  while (__syncthreads_or(value > 1000000)) {
    value /= 2;
    ++turns;
  }
  rounds[0] = turns;
}

__global__ void of_a_part(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int most = cg::reduce(tile, value, cg::greater<int>());
  if (most * 9 + tile.shfl(value, 2) == 0x1234567)
    out[i] = 1;
  const unsigned large = __ballot_sync(0xffffffff, value > 500);
  if (value > 500) {
    if (__reduce_add_sync(large, value * 3) == 777777)
      out[i] = 2;
  } else if (__any_sync(~large, (value ^ -12345) == 4711)) {
    out[i] = 3;
  }
}

__global__ void not_all_come(const int* in, int* out, int apart) {
  int value = in[threadIdx.x];
  if (apart && threadIdx.x == 0)
    value = 3;
  else
    value = __shfl_xor_sync(0xffffffff, value, 1);
  __syncthreads();
  if (value == 4711)
    out[threadIdx.x] = 1;
}
