// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers are sorted into three classes.
extern "C" __global__ void grade(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int x = in[i] * 7 + 3;
  out[i] = x > 1000003 ? 2 : x > 40 ? 1 : 0;
}
