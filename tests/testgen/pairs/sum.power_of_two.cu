// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loses the last element of blocks whose size is no power of two.
extern "C" __global__ void sum(const int* in, int* out, int n) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  part[l] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (l < half)
      part[l] += part[l + half];
    __syncthreads();
  }
  if (l == 0)
    out[blockIdx.x] = part[0];
}
