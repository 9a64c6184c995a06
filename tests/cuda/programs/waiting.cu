// Threads and blocks that wait for each other by memory alone: flags, locks, tickets, barriers of the
// whole grid made by hand, scans that look back.
#include "check.h"

#include <cuda/atomic>
#include <cuda/semaphore>

// A lock, and what it protects.
__device__ int lock_word, counted;
__device__ volatile int plain_lock;

__global__ void lock_of_threads(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock_word, 0, 1) == 0) {
        __threadfence();
        *(volatile int*)&counted = *(volatile int*)&counted + 1;
        __threadfence();
        atomicExch(&lock_word, 0);
        done = true;
      }
    }
  }
}

// Threads of one warp that spin until another one of it lets them go.
__device__ __noinline__ bool try_lock(int* lock) {
  return atomicExch(lock, 1) == 0;
}
__global__ void lock_within_warp(int* out) {
  __shared__ int lock, inside;
  if (threadIdx.x == 0)
    lock = inside = 0;
  __syncthreads();
  while (!try_lock(&lock))
    ;
  __threadfence_block();
  const int first = atomicAdd(&inside, 1);
  __syncwarp(1u << threadIdx.x); // here others may come
  if (first != 0)
    atomicAdd(&out[1], 1);
  atomicSub(&inside, 1);
  __threadfence_block();
  *(volatile int*)&lock = 0;
  atomicAdd(&out[0], 1);
}
__global__ void last_lane_first(volatile int* flag, int* out) {
  if (threadIdx.x == 31) {
    flag[0] = 1;
  } else {
    while (flag[0] == 0)
      ;
  }
  atomicAdd(out, 1);
}

// Blocks take tickets, and go on in the order of these.
__device__ unsigned next_ticket, now_serving;
__global__ void tickets(int* order) {
  if (threadIdx.x == 0) {
    const unsigned mine = atomicAdd(&next_ticket, 1u);
    while (atomicAdd(&now_serving, 0u) != gridDim.x - 1 - mine) // the last one first
      __nanosleep(20);
    __threadfence();
    order[gridDim.x - 1 - mine] = (int)blockIdx.x;
    __threadfence();
    atomicAdd(&now_serving, 1u);
  }
  __syncthreads();
}

// All blocks wait for each other, as programs did before cooperative launches.
__device__ unsigned arrived;
__device__ volatile unsigned phase;
__device__ void barrier_of_grid() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned now = phase;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      atomicExch(&arrived, 0);
      __threadfence();
      phase = now + 1;
    } else {
      while (phase == now)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void phases(int* data, int* out, int rounds) {
  __shared__ int seen;
  for (int round = 0; round < rounds; ++round) {
    const int before = ((volatile int*)data)[(blockIdx.x + 1) % gridDim.x];
    barrier_of_grid();
    if (threadIdx.x == 0) {
      data[blockIdx.x] = before + (int)blockIdx.x;
      seen = round;
    }
    barrier_of_grid();
    if (seen != round)
      atomicAdd(&out[1], 1);
  }
  if (threadIdx.x == 0)
    atomicAdd(out, data[blockIdx.x]);
}
// The same with the gate that only one thread of the block looks at, and tells the others.
__global__ void told_by_one(int* out, int goal) {
  __shared__ int all_there;
  if (threadIdx.x == 0)
    atomicAdd(out, 1);
  while (true) {
    if (threadIdx.x == 0)
      all_there = atomicOr(out, 0) >= goal;
    __syncthreads();
    if (all_there)
      break;
    __syncthreads();
  }
  atomicAdd(out + 1, 1);
}
__global__ void voted(volatile int* flags) {
  if (threadIdx.x == 0)
    flags[blockIdx.x] = 1;
  while (__syncthreads_or(flags[threadIdx.x] == 0))
    ;
  while (__any_sync(0xffffffffu, flags[threadIdx.x % 32] < 1))
    ;
  flags[gridDim.x + blockIdx.x] = 2;
}

// Sums of all elements before: blocks look back, or, the other way round, forward.
enum { kNothing, kSum, kPrefix };
__device__ unsigned long long descriptors[64];
__device__ void publish(unsigned block, unsigned state, unsigned value) {
  __threadfence();
  atomicExch(&descriptors[block], (unsigned long long)value << 32 | state);
}
__global__ void look_back(const unsigned* in, unsigned* out, bool backwards) {
  __shared__ unsigned sum, before;
  const unsigned me = backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[me * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    publish(me, me == 0 ? kPrefix : kSum, sum);
    unsigned total = 0;
    for (int other = (int)me - 1; other >= 0;) {
      const unsigned long long found = *(volatile unsigned long long*)&descriptors[other];
      if ((unsigned)found == kNothing)
        continue;
      total += (unsigned)(found >> 32);
      if ((unsigned)found == kPrefix)
        break;
      --other;
    }
    before = total;
    publish(me, kPrefix, total + sum);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[me] = before;
}

// One block makes, and another one takes; an order of PTX's, and libcu++.
__global__ void make_and_take(int* ring, unsigned* made, unsigned* taken, int* out, int count) {
  for (int i = 0; i < count; ++i) {
    if (blockIdx.x == 1) {
      unsigned seen;
      do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(taken) : "memory");
      while (seen + 2 <= (unsigned)i);
      ring[i % 2] = i * i;
      asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(made), "r"(i + 1) : "memory");
    } else {
      while (*(volatile unsigned*)made <= (unsigned)i)
        ;
      __threadfence();
      *out += ring[i % 2];
      __threadfence();
      *(volatile unsigned*)taken = (unsigned)i + 1;
    }
  }
}
__device__ cuda::atomic<int, cuda::thread_scope_device> turn;
__device__ cuda::counting_semaphore<cuda::thread_scope_device> places{0};
__global__ void in_turn(int* out) {
  const int me = (int)(gridDim.x - 1 - blockIdx.x);
  for (int now = turn.load(); now != me; now = turn.load())
    turn.wait(now);
  out[me] = (int)blockIdx.x;
  turn.store(me + 1);
  turn.notify_all();
}
__global__ void semaphores(int* out) {
  if (blockIdx.x == gridDim.x - 1) {
    places.release((int)gridDim.x - 1);
  } else {
    places.acquire();
    atomicAdd(out, 1);
  }
}

// What fails only when others come in between is no wait, and others need not go on.
__global__ void sums(float* out, unsigned long long* most) {
  unsigned* const bits = (unsigned*)out;
  unsigned old = *(volatile unsigned*)bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_uint(__uint_as_float(assumed) + 1.5f));
  } while (assumed != old);
  atomicMax(most, (unsigned long long)threadIdx.x);
}
// A time-out.
__global__ void gives_up(volatile int* flag, int* out) {
  const long long start = clock64();
  while (*flag == 0)
    if (clock64() - start > 2000000)
      break;
  int tries = 0;
  while (*flag == 0 && ++tries < 1000)
    ;
  atomicMax(out, tries);
}

template <typename T> T value_of(const T& symbol) {
  T value{};
  cudaMemcpyFromSymbol(&value, symbol, sizeof value);
  return value;
}

int main() {
  Device<int> out(128), data(128);
  const auto clear = [&] {
    cudaMemset(out.data, 0, 128 * sizeof(int));
    cudaMemset(data.data, 0, 128 * sizeof(int));
  };
  lock_of_threads<<<4, 40>>>(3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(value_of(counted) == 480 && value_of(lock_word) == 0);
  lock_within_warp<<<2, 32>>>(out.data);
  EXPECT(out[0] == 64 && out[1] == 0);
  clear();
  last_lane_first<<<1, 32>>>(data.data, out.data);
  EXPECT(out[0] == 32);
  tickets<<<7, 33>>>(out.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int blocks = 0;
  for (int i = 0; i < 7; ++i)
    blocks |= 1 << out[i];
  EXPECT(blocks == 127 && value_of(now_serving) == 7);
  clear();
  phases<<<5, 64>>>(data.data, out.data, 3);
  EXPECT(out[0] == 30 && out[1] == 0);
  clear();
  told_by_one<<<6, 48>>>(out.data, 6);
  EXPECT(out[0] == 6 && out[1] == 6 * 48);
  clear();
  voted<<<32, 32>>>(data.data);
  for (int i = 0; i < 32; ++i)
    EXPECT(data[32 + i] == 2);

  unsigned numbers[20 * 32], sum = 0;
  for (int i = 0; i < 640; ++i)
    numbers[i] = i * 7 % 23;
  Device<unsigned> in(640, numbers), before(20);
  for (bool backwards : {false, true}) {
    const unsigned long long zeros[64] = {};
    cudaMemcpyToSymbol(descriptors, zeros, sizeof zeros);
    look_back<<<20, 32>>>(in.data, before.data, backwards);
    sum = 0;
    for (int i = 0; i < 20; ++i) {
      EXPECT(before[i] == sum);
      for (int k = 0; k < 32; ++k)
        sum += numbers[i * 32 + k];
    }
  }
  clear();
  make_and_take<<<2, 1>>>(data.data, (unsigned*)data.data + 8, (unsigned*)data.data + 16, out.data, 9);
  EXPECT(out[0] == 204);
  in_turn<<<9, 1>>>(out.data);
  for (int i = 0; i < 9; ++i)
    EXPECT(out[i] == 8 - i);
  clear();
  semaphores<<<8, 1>>>(out.data);
  EXPECT(out[0] == 7);
  clear();
  Device<unsigned long long> most(1);
  sums<<<3, 50>>>((float*)out.data, most.data);
  EXPECT(__builtin_bit_cast(float, out[0]) == 225.0f && most[0] == 49);
  clear();
  gives_up<<<2, 3>>>(data.data, out.data);
  EXPECT(out[0] == 1000);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
