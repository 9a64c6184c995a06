// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of an NVIDIA GPU by themselves, for numbers of a preset:
//
//     nvcc -O3 -arch=native units.cu -o units
//     ncu --clock-control none --metrics sm__cycles_elapsed.max,lts__cycles_elapsed.max units
//
// Each kernel runs five times. Work-groups have 32 x 32 work-items.
typedef unsigned int uint;
#define U threadIdx.x
#define X (blockIdx.x * 32 + U)
#define Y (blockIdx.y * 32 + threadIdx.y)
#define WARP (Y * gridDim.x + blockIdx.x)

// The start of a launch: of 1,024 groups, of 64, and of one warp.
__global__ void empty() {}
__global__ void empty_small() {}
__global__ void empty_warp() {}

// Updates without a result, by 32,768 warps: whole lines, N of them; one sector of each of N lines;
// one word of each of N lines, by one work-item; one of N neighbouring words; each its own.
template <uint N> __global__ void lines(uint* out) {
  atomicAdd(&out[WARP % N * 32 + U], 1);
}
template <uint N> __global__ void sectors(uint* out) {
  if (U < 8)
    atomicAdd(&out[WARP % N * 32 + U], 1);
}
template <uint N> __global__ void words(uint* out) {
  if (U == 0)
    atomicAdd(&out[WARP % N * 32], 1);
}
template <uint N> __global__ void neighbours(uint* out) {
  if (U == 0)
    atomicAdd(&out[WARP % N], 1);
}
__global__ void own(uint* out) {
  atomicAdd(&out[Y * 1024 + X], 1);
}

// Reads within L1, 256 of each work-item, with a group on each multiprocessor: neighbouring
// work-items read words at this distance.
template <uint Distance> __global__ void reads(const float* in, float* out) {
  float sum = 0;
#pragma unroll 8
  for (uint k = 0; k < 256; ++k)
    sum += in[(U * Distance + k) & 4095];
  out[Y * 1024 + X] = sum;
}

int main() {
  float* in;
  uint* out;
  cudaMalloc(&in, 4 << 20);
  cudaMalloc(&out, 4 << 20);
  cudaMemset(in, 0, 4 << 20);
  const dim3 group(32, 32), large(32, 32), small(8, 8), multiprocessors(12, 11);
  for (int i = 0; i < 5; ++i) {
    empty<<<large, group>>>();
    empty_small<<<small, group>>>();
    empty_warp<<<1, 32>>>();
    lines<1><<<large, group>>>(out);
    lines<2><<<large, group>>>(out);
    lines<8><<<large, group>>>(out);
    lines<64><<<large, group>>>(out);
    lines<1024><<<large, group>>>(out);
    sectors<1><<<large, group>>>(out);
    sectors<64><<<large, group>>>(out);
    words<1><<<large, group>>>(out);
    words<8><<<large, group>>>(out);
    words<64><<<large, group>>>(out);
    neighbours<2><<<large, group>>>(out);
    neighbours<32><<<large, group>>>(out);
    own<<<large, group>>>(out);
    float* const sums = (float*)out;
    reads<0><<<multiprocessors, group>>>(in, sums);
    reads<1><<<multiprocessors, group>>>(in, sums);
    reads<4><<<multiprocessors, group>>>(in, sums);
    reads<8><<<multiprocessors, group>>>(in, sums);
    reads<9><<<multiprocessors, group>>>(in, sums);
    reads<32><<<multiprocessors, group>>>(in, sums);
    reads<33><<<multiprocessors, group>>>(in, sums);
  }
  return cudaDeviceSynchronize();
}
