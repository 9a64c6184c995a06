// Lanes of a warp that exchange values by volatile accesses and are ordered, or only pass messages. The check of races
// finds nothing here.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

template <typename T> __device__ void last_steps(volatile T* s, int t) {
  for (int by = 16; by > 0; by /= 2) {
    const T other = s[t + by];
    __syncwarp();
    s[t] += other;
    __syncwarp();
  }
}

__global__ void sum(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  sums[t + 32] = 0;
  __syncwarp();
  last_steps(sums, t);
  if (t == 0)
    *out = sums[0];
}

// The second half of the lanes knows of the first by way of those in the middle.
__global__ void by_way_of_others(int* out) {
  __shared__ volatile int first;
  const int t = threadIdx.x;
  if (t == 0)
    first = 5;
  if (t < 16)
    __syncwarp(0xffff);
  if (t >= 8)
    __syncwarp(0xffffff00);
  if (t != 0)
    out[t] = first;
}

// Loops that wait for a flag, which nobody has to be ordered with.
__global__ void flags(int* out) {
  __shared__ volatile int flag, stop;
  __shared__ volatile int data[32];
  const int t = threadIdx.x;
  if (t == 0)
    flag = stop = 0;
  __syncthreads();
  data[t] = t;
  if (t == 31) {
    __threadfence_block();
    flag = 1;
  } else {
    while (flag == 0)
      ;
    __threadfence_block();
  }
  out[t] = data[31];
  for (int i = 0; i < 100 && !stop; ++i)
    if (i == t)
      stop = t + 1;
  __syncthreads();
  out[32 + t] = stop > 0;
}

// Neither have those who wait for a lock, nor those who read what was told. A fence is no matter of steps.
__global__ void told(int* out) {
  __shared__ volatile int data, ready, total;
  __shared__ int lock;
  const int t = threadIdx.x;
  if (t == 0)
    ready = lock = total = 0;
  __syncthreads();
  if (t == 0) {
    data = 3;
    ready = 1;
  } else {
    while (ready == 0)
      ;
    out[t] = data;
  }
  for (bool done = false; !done;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      total = total + t;
      atomicExch(&lock, 0);
      done = true;
    }
  __syncthreads();
  if (t == 0)
    out[0] = total;
}

// In global memory: exchanged behind __syncwarp(), and met by chance, by way of indices.
__global__ void in_global_memory(const int* next, volatile int* values, volatile int* levels, int* out) {
  const int t = threadIdx.x;
  values[t] = t;
  __syncwarp();
  out[t] = values[31 - t];
  if (levels[next[t]] > 5)
    levels[t] = 5;
}

// Which lane wins does not matter.
__global__ void winners(int* out) {
  __shared__ volatile int winner[4];
  const int t = threadIdx.x;
  out[t] = 0;
  winner[t % 4] = t;
  __syncwarp();
  if (winner[t % 4] == t)
    out[t] = 1;
}

__global__ void groups(int* out) {
  __shared__ volatile double tile[32];
  const auto four = cg::tiled_partition<4>(cg::this_thread_block());
  const int t = threadIdx.x;
  tile[t] = t;
  four.sync();
  out[t] = (int)tile[t ^ 3];
  const int down = __shfl_down_sync(0xffffffff, t, 1);
  tile[t] = down;
  __any_sync(0xffffffff, down > 30);
  out[t] += (int)tile[31 - t];
}

int main() {
  const int count = 32;
  int *in = nullptr, *out = nullptr;
  EXPECT(cudaMallocManaged(&in, count * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMallocManaged(&out, 2 * count * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < count; ++i)
    in[i] = i;
  sum<<<1, count>>>(in, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 496);
  by_way_of_others<<<1, count>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[31] == 5);
  flags<<<1, count>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 31 && out[63] == 1);
  told<<<1, count>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 496 && out[31] == 3);
  int* values = nullptr;
  EXPECT(cudaMallocManaged(&values, 2 * count * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMemset(values, 0, 2 * count * sizeof(int)) == cudaSuccess);
  in_global_memory<<<1, count>>>(in, values, values + count, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 31);
  winners<<<1, count>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int won = 0;
  for (int i = 0; i < count; ++i)
    won += out[i];
  EXPECT(won == 4);
  groups<<<1, count>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 3 + 31);
  return wrong;
}
