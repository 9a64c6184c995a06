// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that do not divide: the last block writes beyond the end.
extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}
