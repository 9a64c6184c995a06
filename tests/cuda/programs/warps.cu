// Warps against what the Programming Guide says about them, computed on the host.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <numeric>

namespace cg = cooperative_groups;

__global__ void shuffles(const int* in, int* out, int width) {
  const int t = threadIdx.x, v = in[t];
  out[t] = __shfl_sync(0xffffffff, v, t + 5, width);
  out[64 + t] = __shfl_up_sync(0xffffffff, v, 3, width);
  out[128 + t] = __shfl_down_sync(0xffffffff, v, 2, width);
  out[192 + t] = __shfl_xor_sync(0xffffffff, v, 5, width);
}

__global__ void parts(int* out) {
  const int t = threadIdx.x;
  // Two halves that are in different branches, each with a mask of its own.
  if (t % 32 < 16)
    out[t] = __shfl_xor_sync(0x0000ffff, t, 1);
  else
    out[t] = __reduce_add_sync(0xffff0000, t);
  out[64 + t] = __match_any_sync(0xffffffff, t % 4);
  out[128 + t] = __any_sync(0xffffffff, t == 40) * 2 + __all_sync(0xffffffff, t < 32);
  if (t % 3 == 0)
    out[192 + t] = __activemask();
  const double d = __shfl_sync(0xffffffff, t * 0.5, 7);
  out[256 + t] = (int)(d * 2);
}

__global__ void exited(int* out) {
  if (threadIdx.x >= 20)
    return; // the others do without
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1);
  __syncthreads();
  out[32 + threadIdx.x] = out[19 - threadIdx.x];
}

// This is the way from before __syncwarp().
__global__ void lock_step(const int* in, int* out) {
  __shared__ int sums[64];
  volatile int* v = sums;
  const int t = threadIdx.x;
  v[t] = in[t];
  __syncthreads();
  if (t < 32) {
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0)
    *out = sums[0];
}

// Reads and writes of the same places, one behind the other: in a loop without barriers, and with
// barriers, where there is nothing to wait for.
__global__ void lock_step_scans(const int* in, int* out) {
  __shared__ int places[3 * 64];
  volatile int* v = places;
  const int t = threadIdx.x, at = 32 + t % 32 + 64 * (t / 32);
  v[at - 32] = 0;
  v[at] = in[t];
  for (int by = 1; by < 32; by *= 2) {
    const int sum = v[at] + v[at - by];
    v[at] = sum;
  }
  out[t] = v[at];
  __syncthreads();
  v[t] = 0;
  v[64 + t] = in[t];
  for (int by = 1; by < 64; by *= 2) {
    __syncthreads();
    const int sum = v[64 + t] + v[64 + t - by];
    __syncthreads();
    v[64 + t] = sum;
  }
  out[64 + t] = v[64 + t];
}

__global__ void groups(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  const int t = block.thread_rank();
  out[t] = cg::reduce(four, in[t], cg::less<int>());
  out[64 + t] = cg::inclusive_scan(warp, in[t]);
  const cg::thread_group any = cg::tiled_partition(block, 16);
  any.sync();
  out[128 + t] = (int)any.size() * 100 + (int)any.thread_rank();
  if (in[t] % 2) {
    const auto active = cg::coalesced_threads();
    out[192 + t] = cg::reduce(active, 1, cg::plus<int>()) * 100 + active.thread_rank();
  }
}

// Threads 0 to 7 read beyond each other: what is not there is 0, as on an H200.
__global__ void sum_of_eight(const int* in, int* out) {
  const unsigned some = __ballot_sync(~0U, threadIdx.x < 8);
  if (threadIdx.x >= 8)
    return;
  int sum = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_down_sync(some, sum, by);
  out[threadIdx.x] = sum + __shfl_sync(some, sum, 20) + __shfl_xor_sync(some, sum, 8);
}

int main() {
  int numbers[64], total = 0;
  for (int i = 0; i < 64; ++i)
    total += numbers[i] = (i * 29) % 37;
  Device<int> in(64, numbers), out(320);
  for (int width = 4; width <= 32; width *= 2) {
    shuffles<<<1, 64>>>(in.data, out.data, width);
    for (int t = 0; t < 64; ++t) {
      const int begin = t / width * width, warp = t / 32 * 32;
      EXPECT(out[t] == numbers[begin + (t + 5) % width]);
      EXPECT(out[64 + t] == numbers[t - 3 >= begin ? t - 3 : t]);
      EXPECT(out[128 + t] == numbers[t + 2 < begin + width ? t + 2 : t]);
      const int other = warp + ((t % 32) ^ 5);
      EXPECT(out[192 + t] == numbers[other < begin + width ? other : t]);
    }
  }
  parts<<<1, 64>>>(out.data);
  for (int t = 0; t < 64; ++t) {
    const int half = t / 16 * 16;
    EXPECT(out[t] == (t % 32 < 16 ? t ^ 1 : 16 * half + 120));
    EXPECT((unsigned)out[64 + t] == 0x11111111u << t % 4);
    EXPECT(out[128 + t] == (t < 32 ? 1 : 2));
    if (t % 3 == 0) {
      unsigned lanes = 0;
      for (int k = t / 32 * 32; k < t / 32 * 32 + 32; ++k)
        lanes |= k % 3 == 0 ? 1u << k % 32 : 0;
      EXPECT((unsigned)out[192 + t] == lanes);
    }
    EXPECT(out[256 + t] == t / 32 * 32 + 7);
  }
  exited<<<1, 32>>>(out.data);
  for (int t = 0; t < 19; ++t)
    EXPECT(out[t] == t + 1);
  EXPECT(out[33] == 19 && out[51] == 1); // what comes from a thread that has ended is no value
  sum_of_eight<<<1, 32>>>(in.data, out.data);
  EXPECT(out[0] == std::accumulate(numbers, numbers + 8, 0));
  lock_step<<<1, 64>>>(in.data, out.data);
  EXPECT(out[0] == total);
  lock_step_scans<<<1, 64>>>(in.data, out.data);
  for (int t = 0, of_warp = 0, of_block = 0; t < 64; ++t) {
    of_warp = t % 32 == 0 ? numbers[t] : of_warp + numbers[t];
    of_block += numbers[t];
    EXPECT(out[t] == of_warp);
    EXPECT(out[64 + t] == of_block);
  }
  groups<<<1, 64>>>(in.data, out.data);
  for (int t = 0, sum = 0; t < 64; ++t) {
    sum = t % 32 == 0 ? numbers[t] : sum + numbers[t];
    int least = 1000, odd = 0, rank = 0;
    for (int k = t / 4 * 4; k < t / 4 * 4 + 4; ++k)
      least = numbers[k] < least ? numbers[k] : least;
    for (int k = t / 32 * 32; k < t / 32 * 32 + 32; ++k) {
      odd += numbers[k] % 2;
      rank += k < t ? numbers[k] % 2 : 0;
    }
    EXPECT(out[t] == least);
    EXPECT(out[64 + t] == sum);
    EXPECT(out[128 + t] == 1600 + t % 16);
    EXPECT(numbers[t] % 2 == 0 || out[192 + t] == odd * 100 + rank);
  }
  return wrong;
}
