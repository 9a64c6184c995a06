// Locks that lack a fence, or have one that is too narrow; and an access beside the lock.
// Expected: fences.cu:27:[0-9]+: error: data race on byte 0 of 'data', between blocks:
// Expected: fences.cu:33:[0-9]+: error: data race on byte 4 of 'data', between blocks: .*has a fence or release after its access, but thread .* has no __threadfence
// Expected: fences.cu:40:[0-9]+: error: data race on byte 8 of 'data', between blocks: .*has the scope of a block
// Expected: fences.cu:50:[0-9]+: error: data race on byte 12 of 'data', between blocks:
// Expected: fences.cu:63:[0-9]+: error: data race on byte 16 of 'data', between blocks:
// Expected: right is right
#include <cstdio>
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
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 32);
  cudaMemset(data, 0, 32);
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
  return cudaDeviceSynchronize();
}
