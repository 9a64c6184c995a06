// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kernels.cl on an NVIDIA GPU, for its counters:
//   nvcc -O3 -arch=native hardware.cu -o hardware && ncu --clock-control none --metrics … ./hardware
// hardware.json has what was read, and the names of the metrics.
typedef unsigned int uint;
#define kernel extern "C" __global__
#define GLOBAL
#define local __shared__
#define U threadIdx.x
#define V threadIdx.y
#define X (blockIdx.x * blockDim.x + U)
#define Y (blockIdx.y * blockDim.y + V)
#define WAIT __syncthreads()
#define COUNT(p) atomicAdd(p, 1)
#define LOCAL_COUNT(p) atomicAdd(p, 1)
#define ADD(p, n) atomicAdd(p, n)
#include "kernels.cl"

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024 * 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * 1024 * sizeof(float));
  const dim3 block(32, 32), large(32, 32), small(8, 8);
#define RUN(k) k<<<large, block>>>(in, out, 1024)
  RUN(init);
  RUN(copy);
  RUN(copy2);
  RUN(copy8);
  RUN(naive);
  RUN(tiled);
  RUN(padded);
  RUN(interleaved);
  RUN(sequential);
  multiply<<<small, block>>>(in, out, 256);
  multiply_tiled<<<small, block>>>(in, out, 256);
  RUN(histogram);
  RUN(histogram_local);
  return cudaDeviceSynchronize();
}
