// Asynchronous copies that threads wait for. checks/unwaited_copies.cu leaves the waits out.
#ifndef WAIT
#define WAIT(text) text
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
constexpr int kThreads = 64;

__global__ void primitives(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
  WAIT(__pipeline_wait_prior(0);)
  __syncthreads();
  out[t] = tile[kThreads - 1 - t];
}

__global__ void arrive_on(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&bar, kThreads);
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  WAIT(__pipeline_arrive_on(&bar);)
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token)) {
  }
  out[t] = tile[kThreads - 1 - t];
}

__global__ void barriers(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  if (t == 0)
    init(&bar, kThreads);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(block, tile, in, sizeof tile, bar);
    WAIT(bar.arrive_and_wait();)
    out[t] = tile[kThreads - 1 - t] + round - 2;
    __syncthreads();
  }
}

__global__ void groups(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  WAIT(cg::wait(block);)
  block.sync();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void stages_of_groups(const int* in, int* out) {
  __shared__ int first[kThreads], second[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, second, in, sizeof second);
  cg::memcpy_async(block, first, in, sizeof first);
  WAIT(cg::wait_prior<1>(block);)
  block.sync();
  out[threadIdx.x] = second[kThreads - 1 - threadIdx.x];
  cg::wait(block);
  out[threadIdx.x] += first[threadIdx.x] - in[threadIdx.x];
}

__global__ void stages(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int next = 0, round = 0; round < 5; ++round) {
    for (; next < 5 && next < round + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % 2], in, sizeof tile[0], pipe);
      pipe.producer_commit();
    }
    WAIT(pipe.consumer_wait();)
    out[threadIdx.x] = tile[round % 2][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void of_threads(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i][t], &in[kThreads - 1 - t], sizeof(int), pipe);
    pipe.producer_commit();
  }
  for (int i = 0; i < 2; ++i) {
    WAIT(pipe.consumer_wait();)
    out[t] = tile[i][t];
    pipe.consumer_release();
  }
}

__global__ void ptx(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               :: "r"((unsigned)__cvta_generic_to_shared(&tile[t])), "l"(in + t) : "memory");
  WAIT(asm volatile("cp.async.wait_all;" ::: "memory");)
  __syncthreads();
  out[t] = tile[kThreads - 1 - t];
}

int main() {
  int *in = nullptr, *out = nullptr, values[kThreads], result[kThreads];
  for (int i = 0; i < kThreads; ++i)
    values[i] = 3 * i;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  int wrong = 0;
  for (const auto kernel : {primitives, arrive_on, barriers, groups, stages_of_groups, stages, of_threads, ptx}) {
    kernel<<<1, kThreads>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
      wrong += result[i] != values[kThreads - 1 - i];
  }
  return wrong != 0;
}
