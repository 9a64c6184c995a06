// Atomic operations of the scope of a block: between blocks they race, and order nothing.
// CHECK-DAG: scopes.cu:15:{{[0-9]+}}: error: data race on byte 0 of 'data', between blocks: {{.*}}the scope of a block
// CHECK-DAG: scopes.cu:18:{{[0-9]+}}: error: data race on byte 4 of 'data', between blocks: {{.*}}the scope of a block
// CHECK-DAG: scopes.cu:24:{{[0-9]+}}: error: data race on byte 8 of 'data', between blocks: {{.*}}the scope of a block
// CHECK-DAG: scopes.cu:27:{{[0-9]+}}: error: data race on byte 12 of 'data', between blocks: {{.*}}the scope of a block
// CHECK-DAG: scopes.cu:35:{{[0-9]+}}: error: data race on byte 16 of 'data', between blocks: {{.*}}the scope of a block
// CHECK-DAG: scopes.cu:40:{{[0-9]+}}: error: data race on byte 24 of 'data', between blocks:
// CHECK-DAG: counts are 4 4
#include <cuda/atomic>
#include <cstdio>
using InBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
using OnDevice = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void adds(int* data) {
  atomicAdd_block(data, 1);
}
__global__ void swaps(int* data) {
  atomicCAS_block(data + 1, 0, 1);
}
__global__ void one_of_two(int* data) {
  if (blockIdx.x == 0)
    atomicAdd_block(data + 2, 1);
  else
    atomicAdd(data + 2, 1);
}
__global__ void refers(int* data) {
  InBlock(data[3]).fetch_add(1);
}
// The message comes, but not to the other block.
__global__ void tells(int* data) {
  if (blockIdx.x == 0) {
    data[6] = 1;
    InBlock(data[4]).store(1);
  } else {
    while (OnDevice(data[4]).load() == 0)
      ;
    data[7] = 1;
  }
  if (blockIdx.x == 1)
    data[6] = 2;
}
// Right: each block has a word of its own, in memory of either kind.
__global__ void apart(int* data) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  atomicAdd_block(&count, 1);
  InBlock(data[8 + blockIdx.x]).fetch_add(1);
  __syncthreads();
  if (threadIdx.x == 0 && count != 4)
    data[8 + blockIdx.x] = 0;
}
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 64);
  cudaMemset(data, 0, 64);
  adds<<<2, 1>>>(data);
  swaps<<<2, 1>>>(data);
  one_of_two<<<2, 1>>>(data);
  refers<<<2, 1>>>(data);
  tells<<<2, 1>>>(data);
  apart<<<2, 4>>>(data);
  int counts[2] = {};
  cudaMemcpy(counts, data + 8, sizeof counts, cudaMemcpyDeviceToHost);
  std::printf("counts are %d %d\n", counts[0], counts[1]);
  return cudaDeviceSynchronize();
}
