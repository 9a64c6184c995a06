// Threads that wait for others than those of their warp or block: all blocks of a grid, and parts of a
// block by cuda::barrier and cuda::pipeline.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Each block leaves a sum, and after all have, the first one adds them; twice.
__global__ void two_phases(const int* in, int* sums, int* out, int n) {
  __shared__ int part;
  __shared__ double large[4096]; // each block has its own
  const auto grid = cg::this_grid();
  large[threadIdx.x] = blockIdx.x;
  const auto block = cg::this_thread_block();
  for (int round = 1; round <= 2; ++round) {
    if (block.thread_rank() == 0)
      part = 0;
    block.sync();
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
      atomicAdd(&part, in[i] * round);
    block.sync();
    if (block.thread_rank() == 0)
      sums[blockIdx.x] = part;
    grid.sync();
    if (grid.thread_rank() == 0)
      for (unsigned i = 0; i < gridDim.x; ++i)
        out[round - 1] += sums[i];
    grid.sync();
    const bool placed = grid.thread_index().x == blockIdx.x * blockDim.x + threadIdx.x &&
                        grid.thread_index().y == 0 && grid.dim_threads().x == grid.size();
    // shared memory is what it was
    if (part != sums[blockIdx.x] || large[threadIdx.x] != blockIdx.x || !placed)
      atomicAdd(&out[2], 1);
    block.sync();
  }
  if (grid.thread_rank() == 0)
    out[3] = grid.is_valid() + 10 * (int)grid.num_blocks();
}

// One warp fills a buffer while another one reads the one before.
__global__ void producer_consumer(int* out, int rounds) {
  __shared__ int buffer[2][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready[2], filled[2];
  if (threadIdx.x < 2) {
    init(&ready[threadIdx.x], 64);
    init(&filled[threadIdx.x], 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < rounds; ++i) {
      ready[i % 2].arrive_and_wait();
      buffer[i % 2][lane] = i * 100 + lane;
      auto token = filled[i % 2].arrive();
      (void)token;
    }
  } else {
    auto first = ready[0].arrive();
    auto second = ready[1].arrive();
    (void)first;
    (void)second;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      filled[i % 2].arrive_and_wait();
      sum += buffer[i % 2][(lane + 1) % 32];
      auto token = ready[i % 2].arrive();
      (void)token;
    }
    out[lane] = sum;
  }
}

__global__ void stages(const int* in, int* out, int tiles) {
  constexpr unsigned kStages = 2;
  __shared__ int tile[kStages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int next = 0, sum = 0;
  for (int now = 0; now < tiles; ++now) {
    for (; next < tiles && next < now + (int)kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % kStages], in + next * 64, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[now % kStages][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void copies(const int* in, int* out) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, part, in, sizeof(int) * 64);
  cg::wait(block);
  cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]);
  total.fetch_add(part[63 - threadIdx.x], cuda::std::memory_order_relaxed);
  const auto warp = cg::tiled_partition<32>(block);
  const auto even = cg::binary_partition(warp, threadIdx.x % 2 == 0);
  if (threadIdx.x == 6)
    out[1] = (int)even.size() * 100 + (int)even.thread_rank();
  const auto third = cg::labeled_partition(warp, (int)threadIdx.x % 3);
  if (threadIdx.x == 9)
    out[2] = (int)third.size() * 100 + (int)third.thread_rank();
}

int main() {
  int numbers[256], total = 0;
  for (int i = 0; i < 256; ++i)
    total += numbers[i] = (i * 29) % 37;
  Device<int> in(256, numbers), sums(8), out(64);
  int *in_data = in.data, *sums_data = sums.data, *out_data = out.data, n = 256;
  void* arguments[] = {&in_data, &sums_data, &out_data, &n};
  EXPECT(cudaLaunchCooperativeKernel(two_phases, 6, 40, arguments) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == total && out[1] == 2 * total && out[2] == 0 && out[3] == 61);

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cooperative = {};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  config.gridDim = 2;
  config.blockDim = 64;
  config.attrs = &cooperative;
  config.numAttrs = 1;
  cudaMemset(out.data, 0, 64 * sizeof(int));
  EXPECT(cudaLaunchKernelEx(&config, two_phases, (const int*)in_data, sums_data, out_data, n) ==
         cudaSuccess);
  EXPECT(out[0] == total && out[1] == 2 * total && out[3] == 21);

  int blocks = 0, processors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two_phases, 64, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  EXPECT(cudaLaunchCooperativeKernel(two_phases, blocks * processors + 1, 64, arguments) ==
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);

  producer_consumer<<<1, 64>>>(out.data, 5);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT(out[lane] == 1000 + 5 * ((lane + 1) % 32));
  stages<<<1, 64>>>(in.data, out.data, 4);
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += numbers[i * 64 + 63 - t];
    EXPECT(out[t] == sum);
  }
  cudaMemset(out.data, 0, 64 * sizeof(int));
  copies<<<1, 64>>>(in.data, out.data);
  int first = 0;
  for (int i = 0; i < 64; ++i)
    first += numbers[i];
  EXPECT(out[0] == first && out[1] == 1603 && out[2] == 1103);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
