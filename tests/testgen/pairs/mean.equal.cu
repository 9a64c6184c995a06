// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without a wider type.
extern "C" __global__ void mean(const int* a, const int* b, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1);
}
