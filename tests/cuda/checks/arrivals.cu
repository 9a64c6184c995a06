// Barriers at which some threads arrive: they order what those threads did for those that wait. The
// kernels of `right` use them well, and each of the others reads or writes without it.
// CHECK-DAG: arrivals.cu:66:{{[0-9]+}}: error: data race on byte 508 of 's', within a block: thread (0, 0, 0) {{.*}} reads here, and thread (127, 0, 0) {{.*}} writes at
// CHECK-DAG: arrivals.cu:77:{{[0-9]+}}: error: data race on byte 124 of 's', within a block: thread (32, 0, 0) {{.*}} reads here, and thread (31, 0, 0) {{.*}} writes at {{.*}}arrivals.cu:74:
// CHECK-DAG: arrivals.cu:90:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'late', within a block:
// CHECK-DAG: arrivals.cu:105:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'buffer', within a block: thread {{.*}} reads here
// CHECK-DAG: arrivals.cu:133:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'part', between blocks:
// NEVER-NOT: {{of 'sound'}}
// CHECK-DAG: right is right
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Producers fill buffers, and consumers empty them: two barriers for each buffer.
__global__ void specialised(int* out, const int* in, int count) {
  __shared__ Barrier full[2], empty[2];
  __shared__ int sound[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  for (int i = 0; i < count; ++i) {
    if (threadIdx.x < 32) {
      if (i >= 2)
        empty[i % 2].arrive_and_wait();
      sound[i % 2][lane] = in[i * 32 + lane];
      (void)full[i % 2].arrive();
    } else {
      full[i % 2].arrive_and_wait();
      out[i * 32 + lane] = sound[i % 2][31 - lane];
      if (i + 2 < count)
        (void)empty[i % 2].arrive();
    }
  }
}

__global__ void latched(int* out) {
  __shared__ cuda::latch<cuda::thread_scope_block>* latch;
  __shared__ alignas(8) char memory[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ int sound[128];
  if (threadIdx.x == 0)
    latch = new (memory) cuda::latch<cuda::thread_scope_block>(64);
  __syncthreads();
  if (threadIdx.x >= 64) {
    sound[threadIdx.x] = threadIdx.x;
    latch->count_down();
  } else {
    latch->wait();
    out[threadIdx.x] = sound[127 - threadIdx.x];
  }
}

__global__ void other_half(int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[threadIdx.x] = s[127 - threadIdx.x]; // of the other half
}

__global__ void only_arrives(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    s[threadIdx.x] = 1; // others still read
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[63 - threadIdx.x];
  }
}

__global__ void writes_late(int* out) {
  __shared__ Barrier barrier;
  __shared__ int late[64];
  if (threadIdx.x == 0)
    init(&barrier, 64);
  __syncthreads();
  auto token = barrier.arrive();
  late[threadIdx.x] = threadIdx.x; // after the arrival
  barrier.wait(std::move(token));
  out[threadIdx.x] = late[63 - threadIdx.x];
}

__global__ void forgets_to_wait(int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int buffer[32];
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  if (threadIdx.x < 32) {
    pipe.producer_acquire();
    buffer[threadIdx.x] = threadIdx.x;
    pipe.producer_commit();
  } else {
    if (threadIdx.x != 40) // which goes on at once
      pipe.consumer_wait();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
    pipe.consumer_release();
  }
}

// The last block adds up what all blocks have left. `Fences`: bits for those before a block is counted, by all threads
// and by the one that counts; and those after it, by that one and by all.
__device__ unsigned counted[16];
template <int Fences> __global__ void last_block(int* out, int* part) {
  __shared__ bool last;
  part[blockIdx.x * 32 + threadIdx.x] = 1;
  if (Fences & 1)
    __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (Fences & 2)
      __threadfence();
    last = atomicInc(&counted[Fences], gridDim.x - 1) == gridDim.x - 1;
    if (Fences & 4)
      __threadfence();
  }
  __syncthreads();
  if (!last)
    return;
  if (Fences & 8)
    __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i)
    sum += part[i * 32 + (threadIdx.x + 1) % 32];
  out[threadIdx.x] = sum;
}
template <int Fences> void run_last_block(int* out, int* sound) {
  last_block<Fences><<<4, 32>>>(out, sound);
  cudaDeviceSynchronize();
  if (out[5] != 4)
    printf("last_block<%d> is wrong\n", Fences);
}

int main() {
  int *in = nullptr, *out = nullptr, *sound = nullptr, *part = nullptr;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&sound, 128 * sizeof(int));
  cudaMallocManaged(&part, 128 * sizeof(int));
  for (int i = 0; i < 256; ++i)
    in[i] = i;
  specialised<<<1, 64>>>(out, in, 8);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 256; ++i)
    right = right && out[i] == i / 32 * 32 + 31 - i % 32;
  latched<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    right = right && out[i] == 127 - i;
  run_last_block<5>(out, sound);
  run_last_block<6>(out, sound);
  run_last_block<9>(out, sound);
  run_last_block<10>(out, sound);
  printf("right is %s\n", right ? "right" : "wrong");
  other_half<<<1, 128>>>(out);
  only_arrives<<<1, 64>>>(out);
  writes_late<<<1, 64>>>(out);
  forgets_to_wait<<<1, 64>>>(out);
  last_block<1><<<4, 32>>>(out, part); // nobody has a fence behind the count
  return cudaDeviceSynchronize();
}
