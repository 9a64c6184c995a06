// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translated, with a loop over the grid.
extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (i < (int)(gridDim.x * blockDim.x))
      y[i] = a * x[i] + y[i];
}
