// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean of three neighbours; the ends stay.
extern "C" __global__ void blur(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = i == 0 || i == n - 1 ? in[i] : (in[i - 1] + in[i] + in[i + 1]) / 3;
}
