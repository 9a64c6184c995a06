// Locks that lack a fence, or have one that is too narrow; and an access beside the lock. Messages whose writer or
// reader lacks a fence, or has one that is too narrow. Locks whose first or last holder lacks one.
// CHECK-DAG: fences.cu:46:{{[0-9]+}}: error: data race on byte 0 of 'data', between blocks:
// CHECK-DAG: fences.cu:52:{{[0-9]+}}: error: data race on byte 4 of 'data', between blocks: {{.*}}has a fence or release after its access, but thread {{.*}} has no __threadfence
// CHECK-DAG: fences.cu:59:{{[0-9]+}}: error: data race on byte 8 of 'data', between blocks: {{.*}}has the scope of a block
// CHECK-DAG: fences.cu:69:{{[0-9]+}}: error: data race on byte 12 of 'data', between blocks:
// CHECK-DAG: fences.cu:82:{{[0-9]+}}: error: data race on byte 16 of 'data', between blocks:
// CHECK-DAG: fences.cu:100:{{[0-9]+}}: error: data race on byte 0 of 'table', between blocks: {{.*}}; {{.*}}block (0, 0, 0) has no __threadfence() between its access and its write of what was told, and {{.*}}block (1, 0, 0) has no __threadfence() between its read of what was told and this access [race]
// CHECK-DAG: fences.cu:101:{{[0-9]+}}: error: data race on byte 4 of 'table', between blocks: {{.*}}; {{.*}}block (0, 0, 0) has no __threadfence() between its access and its write of what was told, and {{.*}}the fence or acquire of thread {{.*}} of block (1, 0, 0) after its read of what was told has the scope of a block, and thread {{.*}} of block (0, 0, 0) is of another block: it needs __threadfence() [race]
// CHECK-DAG: fences.cu:102:{{[0-9]+}}: error: data race on byte 8 of 'table', between blocks: {{.*}}; {{.*}}block (1, 0, 0) has a fence or acquire after its read of what was told, but {{.*}}block (0, 0, 0) has no __threadfence() between its access and its write of what was told [race]
// CHECK-DAG: fences.cu:103:{{[0-9]+}}: error: data race on byte 12 of 'table', between blocks: {{.*}}; {{.*}}the fence or release of thread {{.*}} of block (0, 0, 0) after its access has the scope of a block, and thread {{.*}} of block (1, 0, 0) is of another block: it needs __threadfence(), and {{.*}}block (1, 0, 0) has no __threadfence() between its read of what was told and this access [race]
// CHECK-DAG: fences.cu:104:{{[0-9]+}}: error: data race on byte 16 of 'table', between blocks: {{.*}}; {{.*}}the fence or release of thread {{.*}} of block (0, 0, 0) after its access has the scope of a block, and thread {{.*}} of block (1, 0, 0) is of another block: it needs __threadfence(), and {{.*}}the fence or acquire of thread {{.*}} of block (1, 0, 0) after its read of what was told has the scope of a block, and thread {{.*}} of block (0, 0, 0) is of another block: it needs __threadfence() [race]
// CHECK-DAG: fences.cu:105:{{[0-9]+}}: error: data race on byte 20 of 'table', between blocks: {{.*}}; {{.*}}block (1, 0, 0) has a fence or acquire after its read of what was told, but {{.*}}the fence or release of thread {{.*}} of block (0, 0, 0) after its access has the scope of a block, and thread {{.*}} of block (1, 0, 0) is of another block: it needs __threadfence() [race]
// CHECK-DAG: fences.cu:106:{{[0-9]+}}: error: data race on byte 24 of 'table', between blocks: {{.*}}; {{.*}}block (0, 0, 0) has a fence or release after its access, but {{.*}}block (1, 0, 0) has no __threadfence() between its read of what was told and this access [race]
// CHECK-DAG: fences.cu:107:{{[0-9]+}}: error: data race on byte 28 of 'table', between blocks: {{.*}}; {{.*}}block (0, 0, 0) has a fence or release after its access, but {{.*}}the fence or acquire of thread {{.*}} of block (1, 0, 0) after its read of what was told has the scope of a block, and thread {{.*}} of block (0, 0, 0) is of another block: it needs __threadfence() [race]
// CHECK-DAG: fences.cu:113:{{[0-9]+}}: error: data race on byte 0 of 'turns', between blocks: {{.*}}; a lock orders the two in this run, but nothing does if thread {{.*}} of block (1, 0, 0) takes it first: thread {{.*}} of block (0, 0, 0) has no __threadfence() between taking the lock and its access [race]
// CHECK-DAG: fences.cu:120:{{[0-9]+}}: error: data race on byte 4 of 'turns', between blocks: {{.*}}; a lock {{.*}} if thread {{.*}} of block (2, 0, 0) takes it first: thread {{.*}} of block (2, 0, 0) has no __threadfence() between its access and giving the lock back [race]
// CHECK-DAG: fences.cu:128:{{[0-9]+}}: error: data race on byte 8 of 'turns', between blocks: {{.*}}; a lock {{.*}}the fence or acquire of thread {{.*}} of block (0, 0, 0) after it takes the lock has the scope of a block: it needs __threadfence() [race]
// CHECK-DAG: fences.cu:138:{{[0-9]+}}: error: data race on byte 12 of 'turns', within a block: {{.*}}; a lock {{.*}} thread (0, 0, 0) of block (0, 0, 0) has no __threadfence_block() between taking
// CHECK-DAG: fences.cu:148:{{[0-9]+}}: error: data race on byte 16 of 'turns', between blocks: {{.*}}; a lock {{.*}} block (0, 0, 0) has no __threadfence() between taking
// CHECK-DAG: fences.cu:159:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'turns', between blocks: {{.*}}; a lock {{.*}} block (0, 0, 0) has no __threadfence() between taking
// CHECK-DAG: fences.cu:176:{{[0-9]+}}: error: data race on byte 20 of 'turns', between blocks: {{.*}}; a lock {{.*}} block (0, 0, 0) has no __threadfence() between taking
// CHECK-DAG: fences.cu:197:{{[0-9]+}}: error: data race on byte 24 of 'turns', between blocks: {{.*}}; a lock orders the two with the help of others in this run
// NEVER-NOT: {{byte 32 of 'table'|of 'sound'|byte 28 of 'data'}}
// CHECK-DAG: right is right
#include <cstdio>
#include <cuda/atomic>
__device__ int lock_word, flag;
__device__ void lock() {
  while (atomicCAS(&lock_word, 0, 1) != 0)
    ;
}
__device__ void unlock() {
  atomicExch(&lock_word, 0);
}
__global__ void right(int* data) {
  lock();
  __threadfence();
  data[7] += 1;
  __threadfence();
  unlock();
}
__global__ void no_release(int* data) {
  lock();
  __threadfence();
  data[0] += 1;
  unlock(); // what comes before it is not ordered
}
__global__ void no_acquire(int* data) {
  __threadfence();
  lock(); // what comes after it is not ordered
  data[1] += 1;
  __threadfence();
  unlock();
}
__global__ void too_narrow(int* data) {
  lock();
  __threadfence_block();
  data[2] += 1;
  __threadfence_block();
  unlock();
}
__global__ void beside(int* data) {
  lock();
  __threadfence();
  data[3] += 1;
  __threadfence();
  unlock();
  data[3] = 0;
}
__global__ void told(int* data) {
  if (blockIdx.x == 0) {
    data[4] = 1;
    *(volatile int*)&flag = 1; // before it a fence
  } else {
    while (*(volatile int*)&flag == 0)
      ;
    __threadfence();
    data[5] = 1;
  }
  if (blockIdx.x == 1)
    data[4] = 2;
}
__device__ int flags[9], other_lock, next_number, serving;
// A message with these fences of the writer and of the reader. The first fence is of no use.
#define MESSAGE(number, WRITER, READER)                                                                                \
  __global__ void message_##number(int* table) {                                                                       \
    __threadfence();                                                                                                   \
    if (blockIdx.x != 0) {                                                                                             \
      while (*(volatile int*)&flags[number] == 0)                                                                      \
        ;                                                                                                              \
      READER;                                                                                                          \
    }                                                                                                                  \
    table[number] = 1 + blockIdx.x;                                                                                    \
    if (blockIdx.x == 0) {                                                                                             \
      WRITER;                                                                                                          \
      *(volatile int*)&flags[number] = 1;                                                                              \
    }                                                                                                                  \
  }
MESSAGE(0, , ) // message 0
MESSAGE(1, , __threadfence_block()) // message 1
MESSAGE(2, , __threadfence()) // message 2
MESSAGE(3, __threadfence_block(), ) // message 3
MESSAGE(4, __threadfence_block(), __threadfence_block()) // message 4
MESSAGE(5, __threadfence_block(), __threadfence()) // message 5
MESSAGE(6, __threadfence(), ) // message 6
MESSAGE(7, __threadfence(), __threadfence_block()) // message 7
MESSAGE(8, __threadfence(), __threadfence()) // message 8
__global__ void first_lacks(int* turns) {
  lock();
  if (blockIdx.x != 0)
    __threadfence();
  turns[0] = blockIdx.x; // the first
  __threadfence();
  unlock();
}
__global__ void last_lacks(int* turns) {
  lock();
  __threadfence();
  turns[1] = blockIdx.x; // the last
  if (blockIdx.x != 2)
    __threadfence();
  unlock();
}
__global__ void first_narrow(int* turns) {
  lock();
  blockIdx.x == 0 ? __threadfence_block() : __threadfence();
  turns[2] = blockIdx.x; // narrow
  __threadfence();
  unlock();
}
__global__ void of_warps(int* turns) {
  if (threadIdx.x % 32 != 0)
    return;
  lock();
  if (threadIdx.x != 0)
    __threadfence_block();
  turns[3] = threadIdx.x; // warps
  __threadfence_block();
  unlock();
}
__global__ void by_number(int* turns) {
  const int mine = atomicAdd(&next_number, 1);
  while (*(volatile int*)&serving != mine)
    ;
  if (blockIdx.x != 0)
    __threadfence();
  turns[4] = mine; // tickets
  __threadfence();
  atomicAdd(&serving, 1);
}
__global__ void of_block(int* turns) { // one thread takes the lock for all
  if (threadIdx.x == 0) {
    lock();
    if (blockIdx.x != 0)
      __threadfence();
  }
  __syncthreads();
  turns[32 + threadIdx.x] = blockIdx.x; // shared
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unlock();
  }
}
using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void by_orders(int* turns) {
  Word word(lock_word);
  const auto order = blockIdx.x == 0 ? cuda::std::memory_order_relaxed : cuda::std::memory_order_acquire;
  if (blockIdx.x == 0)
    while (word.exchange(1, cuda::std::memory_order_relaxed) != 0)
      ;
  else
    while (word.exchange(1, cuda::std::memory_order_acquire) != 0)
      ;
  turns[5] = (int)order; // orders
  word.store(0, cuda::std::memory_order_release);
}
// Another lock, which the second block might take first, orders the two.
__global__ void helped(int* turns) {
  if (blockIdx.x == 0) {
    lock();
    __threadfence();
    turns[6] = 1;
    unlock();
    while (atomicExch(&other_lock, 1) != 0)
      ;
    __threadfence();
    atomicExch(&other_lock, 0);
  } else {
    while (atomicExch(&other_lock, 1) != 0)
      ;
    __threadfence();
    atomicExch(&other_lock, 0);
    lock();
    __threadfence();
    turns[6] = 2; // helped
    __threadfence();
    unlock();
  }
}
// Right: the second block waits for a message of the first one before it takes the lock, so it is never the first.
__global__ void in_order(int* sound) {
  if (blockIdx.x != 0)
    while (*(volatile int*)&flag != 2)
      ;
  lock();
  if (blockIdx.x != 0)
    __threadfence();
  sound[0] += 1;
  if (blockIdx.x == 0)
    __threadfence();
  unlock();
  if (blockIdx.x == 0)
    *(volatile int*)&flag = 2;
}
// Right: fences and orders of libcu++.
__global__ void of_library(int* sound) {
  Word word(lock_word);
  int expected = 0;
  while (!word.compare_exchange_strong(expected, 1, cuda::std::memory_order_acquire))
    expected = 0;
  sound[1] += 1;
  word.store(0, cuda::std::memory_order_release);
  while (word.exchange(1, cuda::std::memory_order_relaxed) != 0)
    ;
  cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_device);
  sound[2] += 1;
  cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_device);
  word.store(0, cuda::std::memory_order_relaxed);
}
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 128);
  cudaMemset(data, 0, 128);
  right<<<3, 33>>>(data);
  int count = 0;
  cudaMemcpy(&count, data + 7, 4, cudaMemcpyDeviceToHost);
  if (count == 99)
    std::puts("right is right");
  no_release<<<3, 1>>>(data);
  no_acquire<<<3, 1>>>(data);
  too_narrow<<<3, 1>>>(data);
  beside<<<3, 1>>>(data);
  told<<<2, 1>>>(data);
  int* table = nullptr;
  cudaMalloc(&table, 64);
  message_0<<<2, 1>>>(table);
  message_1<<<2, 1>>>(table);
  message_2<<<2, 1>>>(table);
  message_3<<<2, 1>>>(table);
  message_4<<<2, 1>>>(table);
  message_5<<<2, 1>>>(table);
  message_6<<<2, 1>>>(table);
  message_7<<<2, 1>>>(table);
  message_8<<<2, 1>>>(table);
  int* turns = nullptr;
  cudaMalloc(&turns, 512);
  first_lacks<<<3, 1>>>(turns);
  last_lacks<<<3, 1>>>(turns);
  first_narrow<<<3, 1>>>(turns);
  of_warps<<<1, 96>>>(turns);
  by_number<<<3, 1>>>(turns);
  of_block<<<2, 64>>>(turns);
  by_orders<<<2, 1>>>(turns);
  helped<<<2, 1>>>(turns);
  int* sound = nullptr;
  cudaMalloc(&sound, 32);
  cudaMemset(sound, 0, 32);
  in_order<<<2, 1>>>(sound);
  of_library<<<3, 33>>>(sound);
  return cudaDeviceSynchronize();
}
