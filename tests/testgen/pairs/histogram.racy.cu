// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts get lost.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++bins[in[i] & 15];
}
