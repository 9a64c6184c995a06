// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kernels.cl on an NVIDIA GPU, for its counters:
// measure.py compiles and runs this, and writes what it reads to hardware.json. Each kernel runs
// five times.
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

// The start of a launch: measure.py takes it from these.
kernel void empty(float*, float*, uint) {}
kernel void empty_small(float*, float*, uint) {}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024 * 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * 1024 * sizeof(float));
  const dim3 block(32, 32), large(32, 32), small(8, 8);
  init<<<large, block>>>(in, out, 1024);
#define RUN(k) k<<<large, block>>>(in, out, 1024);
#define RUN_SMALL(k) k<<<small, block>>>(in, out, 256);
  for (int i = 0; i < 5; ++i) {
    RUN(empty)
    RUN_SMALL(empty_small)
    RUN(copy)
    RUN(copy2)
    RUN(copy8)
    RUN(naive)
    RUN(tiled)
    RUN(padded)
    RUN(interleaved)
    RUN(sequential)
    RUN_SMALL(multiply)
    RUN_SMALL(multiply_tiled)
    RUN(histogram)
    RUN(histogram_local)
    RUN(shifted)
    RUN(copy3)
    RUN(columns)
    RUN(gather)
    RUN(scatter)
    RUN(one_row)
    RUN(fill)
    RUN(half_of_them)
    RUN(bytes)
    RUN(vectors)
    RUN(structures)
    RUN(arrays)
    RUN(stencil)
    RUN(row_convolution)
    RUN(column_sums)
    RUN(small_table)
    RUN(chain)
    RUN(arithmetic)
    RUN(two_way)
    RUN(scan)
    RUN(counters)
    RUN(own_counters)
  }
  return cudaDeviceSynchronize();
}
