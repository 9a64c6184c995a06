// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread counts what it sees, and adds the count.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[in[i] & 15], 1u);
}
