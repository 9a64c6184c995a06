// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant memory of an NVIDIA GPU, for numbers of a preset: what a read takes that waits for the
// one before it, in tables of these sizes, and what a warp's read of several addresses takes.
//
//     nvcc -O2 -arch=native constants.cu -o constants && ./constants
#include <cstdio>

__constant__ unsigned table[16384];

// One thread, whose index the compiler does not know to be that of all. The first round fills the
// cache.
__global__ void chase(unsigned words, unsigned steps, unsigned long long* out) {
  unsigned at = threadIdx.x;
  for (unsigned i = 0; i < words; ++i)
    at = table[at];
  const unsigned long long begin = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < steps; ++i)
    at = table[at];
  out[0] = clock64() - begin;
  out[1 + threadIdx.x] = at;
}

// A warp that reads `several` addresses, each for 32 / several threads, in lines of their own or
// side by side. Nothing depends on the values but the sum.
__global__ void addresses(unsigned several, unsigned distance, unsigned long long* out) {
  const unsigned own = threadIdx.x % several * distance;
  unsigned sum = 0;
  for (unsigned i = 0; i < 64; ++i)
    sum += table[own + i % 4];
  const unsigned long long begin = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < 1024; ++i)
    sum += table[own + (i + sum % 2) % 4];
  const unsigned long long end = clock64();
  if (threadIdx.x == 0)
    out[0] = end - begin;
  out[1 + threadIdx.x] = sum;
}

int main() {
  unsigned long long *out = nullptr, taken = 0;
  cudaMalloc(&out, 64 * sizeof *out);
  static unsigned next[16384];
  for (const unsigned line : {4U, 16U}) // words
    for (unsigned bytes = 512; bytes <= 65536; bytes *= 2) {
      const unsigned words = bytes / 4;
      for (unsigned i = 0; i < words; ++i)
        next[i] = (i + line) % words;
      cudaMemcpyToSymbol(table, next, sizeof next);
      chase<<<1, 1>>>(words, 4096, out);
      cudaMemcpy(&taken, out, sizeof taken, cudaMemcpyDeviceToHost);
      std::printf("%u bytes in steps of %u: %.1f cycles\n", bytes, line * 4,
                  static_cast<double>(taken) / 4096);
    }
  static const unsigned zeros[16384] = {};
  cudaMemcpyToSymbol(table, zeros, sizeof zeros);
  for (const unsigned distance : {4U, 16U})
    for (unsigned several = 1; several <= 32; several *= 2) {
      addresses<<<1, 32>>>(several, distance, out);
      cudaMemcpy(&taken, out, sizeof taken, cudaMemcpyDeviceToHost);
      std::printf("%u addresses, %u bytes apart: %.1f cycles a read\n", several, distance * 4,
                  static_cast<double>(taken) / 1024);
    }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
